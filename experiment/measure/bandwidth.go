package measure

import (
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/workloads/microbench"
)

// Programs that measure a pair of nodes.
const (
	Stream         = "stream" // Unidirectional, with the overhead of sends
	PingPong       = "pingpong"
	Unidirectional = "unidirectional"
	Simultaneous   = "simultaneous"
)

// Bandwidth measures a test at one size on a cluster of its own.
func Bandwidth(p platform.Place, seed uint64, test string, n int) (bench.BandwidthPoint, error) {
	out := bench.BandwidthPoint{SizeBytes: int64(n)}
	c, err := cluster.Warmed(cluster.Of(p, 2, seed, monitor.Off))
	if err != nil {
		return out, err
	}
	defer c.Engine.Close()
	pair, err := c.Pair(0, 1, n)
	if err != nil {
		return out, err
	}
	messages := min(600, max(6, (8<<20)/max(n, 1)))
	switch test {
	case PingPong:
		var r microbench.PingPong
		r, err = pair.PingPong(n, min(60, max(4, (4<<20)/max(n, 1))))
		us := r.OneWay().Us()
		out.OneWayUs, out.MBps = &us, float64(n)/us
	case Unidirectional:
		var r microbench.Stream
		r, err = pair.Stream(n, messages)
		out.MBps = r.BytesPerSecond() / 1e6
	case Simultaneous:
		var r [2]microbench.Stream
		r, err = pair.Simultaneous(n, messages)
		out.MBps = (r[0].BytesPerSecond() + r[1].BytesPerSecond()) / 1e6
	default:
		panic("measure: bandwidth test " + test)
	}
	if err != nil {
		return out, fmt.Errorf("%s, %d B: %w", p, n, err)
	}
	return out, nil
}
