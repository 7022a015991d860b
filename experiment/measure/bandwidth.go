package measure

import (
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
)

// Programs that measure a pair of nodes.
const (
	Stream         = "stream" // Unidirectional, with the overhead of sends
	PingPong       = "pingpong"
	Unidirectional = "unidirectional"
	Simultaneous   = "simultaneous"
)

// Test is a test of bandwidth (userspace, section 4.2).
type Test = names.Word[tests]

type tests struct{}

func (tests) Words() names.Words {
	return names.NewWords("test", PingPong, Unidirectional, Simultaneous)
}

// Bandwidth measures a test at one size on a cluster of its own.
func Bandwidth(p platform.Place, seed uint64, test string, n int) (bench.BandwidthPoint, error) {
	t, err := Transfer(cluster.Of(p, 2, seed, monitor.Off), test, n)
	if err != nil {
		err = fmt.Errorf("%s, %d B: %w", p, n, err)
	}
	return bench.BandwidthPoint{SizeBytes: int64(n), MBps: t.MBps, OneWayUs: t.OneWayUs}, err
}

// Transferred is the result of a test. A time that the test does not measure is nil.
type Transferred struct {
	MBps           float64
	OneWayUs, OsUs *float64
}

// Transfer runs a test with messages of n bytes between the first two nodes of a
// cluster of its own. Its monitors record.
func Transfer(spec cluster.Spec, test string, n int) (out Transferred, err error) {
	c, err := cluster.Warmed(spec)
	if err != nil {
		return out, err
	}
	defer c.Engine.Close()
	c.Record()
	pair, err := c.Pair(0, 1, n)
	if err != nil {
		return out, err
	}
	messages := min(600, max(6, (8<<20)/max(n, 1)))
	switch test {
	case PingPong:
		r, err := pair.PingPong(n, min(60, max(4, (4<<20)/max(n, 1))))
		us := r.OneWay().Us()
		return Transferred{MBps: float64(n) / us, OneWayUs: &us}, err
	case Stream, Unidirectional:
		r, err := pair.Stream(n, messages)
		us := r.Overhead.Us()
		return Transferred{MBps: r.BytesPerSecond() / 1e6, OsUs: &us}, err
	case Simultaneous:
		r, err := pair.Simultaneous(n, messages)
		return Transferred{MBps: (r[0].BytesPerSecond() + r[1].BytesPerSecond()) / 1e6}, err
	}
	panic("measure: bandwidth test " + test)
}
