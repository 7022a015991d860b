package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// sent and came are the two records of a message that begins at a time.
func sent(seq uint32, at int64) Sending {
	return Sending{To: 1, Bytes: 64, Begun: at, Sent: stamps.Sent{Seq: seq, Sched: at + 10, Hand: at + 30}}
}

func received(seq uint32, at int64) Receipt {
	return Receipt{Bytes: 64, Seq: seq, Kernel: at + 60, User: at + 100}
}

func collector(t *testing.T, clock Clock) *Collector {
	t.Helper()
	c, err := newCollector(2, 4096, clock, 1000)
	require.NoError(t, err)
	return c
}

// TestCollector joins what the ends have recorded in any order, and counts what is missing.
func TestCollector(t *testing.T) {
	c := collector(t, oneClock{})
	c.Take(Batch{Node: 1, Received: []Receipt{received(2, 3000), received(1, 2000)}})
	unqueued, unhanded, unheard := sent(3, 4000), sent(4, 5000), received(5, 6000)
	unqueued.Sched, unhanded.Hand, unheard.Kernel = 0, 0, 0
	c.Take(Batch{Node: 0, Sent: []Sending{sent(1, 2000), sent(2, 3000), unqueued, unhanded, sent(5, 6000), sent(6, 7000), sent(6, 7000)}})
	c.Take(Batch{Node: 1, Received: []Receipt{received(3, 4000), received(4, 5000), unheard, received(7, 8000)}})
	missing, err := c.end()
	require.NoError(t, err)
	require.Equal(t, Missing{Sched: 1, Hand: 1, Kernel: 1, Ends: 2, Doubled: 1}, missing)
	require.Len(t, missing.warnings(), 5)
	rows, single := c.packets.Rows()
	require.Zero(t, single)
	n := 0
	for p := range rows {
		require.NoError(t, trace.CheckRow(&p))
		require.EqualValues(t, []int64{10, 20, 30, 40}, []int64{p.SourceNs.Value, p.LANaiNs.Value, p.NetNs.Value, p.DestNs.Value})
		n++
	}
	require.Equal(t, 2, n)
}

// TestFirstMessagesWithoutStamps: also those before the first stamp count as missing.
func TestFirstMessagesWithoutStamps(t *testing.T) {
	c := collector(t, oneClock{})
	unheard, unsent := received(1, 2000), sent(2, 3000)
	unheard.Kernel, unsent.Sched, unsent.Hand = 0, 0, 0
	c.Take(Batch{Node: 0, Sent: []Sending{sent(1, 2000), unsent, sent(3, 4000)}})
	c.Take(Batch{Node: 1, Received: []Receipt{unheard, received(2, 3000), received(3, 4000)}})
	missing, err := c.end()
	require.NoError(t, err)
	require.Equal(t, uint64(2), missing.Sched+missing.Hand+missing.Kernel+missing.Ends)
}

// TestMergedStages: where no message has a stamp, its stage is part of the next one.
func TestMergedStages(t *testing.T) {
	for _, x := range []struct {
		change func(*Sending)
		stamps []string
		means  map[trace.Stage]float64
	}{
		{func(s *Sending) { s.Hand = 0 }, []string{"sched", "kernel"}, map[trace.Stage]float64{trace.Source: 10, trace.Net: 50, trace.Dest: 40}},
		{func(s *Sending) { s.Sched = 0 }, []string{"hand", "kernel"}, map[trace.Stage]float64{trace.Source: 30, trace.Net: 30, trace.Dest: 40}},
	} {
		c := collector(t, oneClock{})
		for seq := range uint32(10) {
			s := sent(seq, 2000)
			x.change(&s)
			c.Take(Batch{Node: 0, Sent: []Sending{s}})
			c.Take(Batch{Node: 1, Received: []Receipt{received(seq, 2000)}})
		}
		run, err := tables(result{spec: Default(), nodes: 2, collector: c, hosts: []Host{{Name: "h"}}, oneHost: true})
		require.NoError(t, err)
		require.Equal(t, x.stamps, run.Manifest.Stamps)
		means := map[trace.Stage]float64{}
		for _, r := range run.Signature {
			if r.Kind == trace.AllKinds && r.Stage != trace.NetMinusLANai && r.Count > 0 {
				means[r.Stage] = r.MeanNs.Value
			}
		}
		require.Equal(t, x.means, means)
	}
}

// late is a clock of which node 1's is known up to a time.
type late struct{ known int64 }

func (l *late) Convert(node int, at int64) (int64, int64) { return at - int64(node)*500, 7 }
func (l *late) Card(int) bool                             { return false }
func (l *late) FromCard(int, int64) (int64, int64)        { panic("no card") }
func (l *late) Between(int, int, int64, int64) (int64, int64, bool) {
	panic("no card")
}
func (l *late) Ready(node int, at int64) bool { return node == 0 || at <= l.known }

// TestHeld: records wait until their times can be converted, and then have the bound.
func TestHeld(t *testing.T) {
	clock := &late{}
	c := collector(t, clock)
	c.Take(Batch{Node: 0, Sent: []Sending{sent(1, 2000), sent(2, 3000)}})
	c.Take(Batch{Node: 1, Received: []Receipt{received(1, 2500)}})
	c.Take(Batch{Node: 1, Received: []Receipt{received(2, 3500)}})
	require.Len(t, c.held, 2)
	clock.known = 2600
	c.Take(Batch{Node: 0})
	require.Len(t, c.held, 1)
	_, err := c.end()
	require.NoError(t, err)
	rows, _ := c.packets.Rows()
	n := 0
	for p := range rows {
		require.EqualValues(t, 30, p.NetNs.Value)
		require.EqualValues(t, 14, p.BoundNs.Value)
		n++
	}
	require.Equal(t, 2, n)
}

// FuzzHeader: a header that is read is written as it was.
func FuzzHeader(f *testing.F) {
	b := make([]byte, headerBytes)
	header{token: 7, seq: 9, bytes: 64, purpose: ping, counts: true, recorded: true, quiet: true}.put(b)
	f.Add(b, uint64(7))
	f.Add([]byte("GET / HTTP/1.1\r\n"), uint64(0))
	f.Fuzz(func(t *testing.T, b []byte, token uint64) {
		h, err := parse(b, token)
		if err != nil {
			return
		}
		again := make([]byte, headerBytes)
		h.put(again)
		require.Equal(t, b[:headerBytes], again)
	})
}
