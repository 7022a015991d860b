package watch

import (
	"errors"
	"math"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/trace"
)

// other is a host whose clock is ahead by a time.
type other struct {
	ahead      int64
	bound      int64
	told       Told
	err        error
	translated string
}

func (o *other) Host() (live.Host, []netip.Addr, string) { return live.Host{Name: "b"}, nil, "" }
func (o *other) Apart() [2]uint16                        { return [2]uint16{} }
func (o *other) Follow(Phase)                            {}
func (o *other) Take() []Half                            { return nil }
func (o *other) Convert(at int64) (int64, int64)         { return at - o.ahead, o.bound }
func (o *other) Ready(int64) bool                        { return true }
func (o *other) Names() map[int]string                   { return map[int]string{0: "server"} }
func (o *other) Failed() error                           { return o.err }
func (o *other) Tell() Told                              { return o.told }
func (o *other) Translated() string                      { return o.translated }
func (o *other) End() (Told, error)                      { return o.told, o.err }
func (o *other) Enter(*collect.Records, int64)           {}

// joinedBy returns what is joined of halves, with a clock that is 1,000 ns ahead, and the result of a run.
func joinedBy(o *other, add func(j *joining)) (*joining, *result) {
	o.ahead = 1000
	j := &joining{other: o, ways: map[uint64]*way{}, back: map[sort]*histogram{}}
	r := &result{spec: Default(), packets: trace.NewJoiner(), joining: j, programs: map[int]string{}, histograms: map[sort]*histogram{}}
	r.spec.Every = 1
	r.tags = r.newTags()
	add(j)
	j.end(r, true)
	return j, r
}

func sentHalf(end, bytes uint32, t1, t2, t3 int64) Half {
	return Half{Flow: 1, End: end, Bytes: bytes, At: [3]int64{t1, t2, t3}, ToServer: true}
}

func arrivedHalf(end, bytes uint32, at int64) Half {
	return Half{Flow: 1, End: end, Bytes: bytes, Kind: HalfArrived, At: [3]int64{at + 1000}}
}

func readHalf(end, bytes uint32, at int64) Half {
	return Half{Flow: 1, End: end, Bytes: bytes, Kind: HalfRead, At: [3]int64{at + 1000}}
}

// of returns the sum of a stage of all messages, in ns, and how many have it.
func of(j *joining, stage trace.Stage) (sum, n uint64) {
	for _, h := range j.back {
		sum, n = sum+h.Stages[stage].Sum, n+h.Stages[stage].total()
	}
	return sum, n
}

// TestHalvesAreJoined: the packet with a message's last byte, and the call that has read that, are its other half, however bytes are cut and
// merged, in whatever order hosts tell, and where sequence numbers begin again.
func TestHalvesAreJoined(t *testing.T) {
	const wrap = math.MaxUint32
	for name, halves := range map[string][]Half{
		"one packet":         {sentHalf(100, 100, 1, 2, 3), arrivedHalf(100, 100, 13), readHalf(100, 100, 33)},
		"told late":          {arrivedHalf(100, 100, 13), readHalf(100, 100, 33), sentHalf(100, 100, 1, 2, 3)},
		"cut":                {sentHalf(300, 300, 1, 2, 3), arrivedHalf(100, 100, 5), arrivedHalf(200, 100, 6), arrivedHalf(300, 100, 13), readHalf(150, 150, 20), readHalf(300, 150, 33)},
		"out of order":       {sentHalf(300, 300, 1, 2, 3), arrivedHalf(300, 100, 13), arrivedHalf(100, 100, 15), arrivedHalf(200, 100, 16), readHalf(300, 300, 33)},
		"came twice":         {sentHalf(100, 100, 1, 2, 3), arrivedHalf(100, 100, 13), arrivedHalf(100, 100, 19), readHalf(100, 100, 33)},
		"sequence begins":    {sentHalf(49, 100, 1, 2, 3), arrivedHalf(wrap, 50, 9), arrivedHalf(49, 50, 13), readHalf(49, 100, 33)},
		"others before":      {arrivedHalf(50, 50, 4), readHalf(50, 50, 5), sentHalf(150, 100, 1, 2, 3), arrivedHalf(150, 100, 13), readHalf(150, 100, 33)},
		"read with the next": {sentHalf(100, 100, 1, 2, 3), arrivedHalf(200, 200, 13), readHalf(150, 150, 33), readHalf(200, 50, 34)},
	} {
		j, r := joinedBy(new(other), func(j *joining) {
			for _, h := range halves {
				j.add(h.Kind != HalfSent, h)
			}
		})
		require.Equal(t, [2]uint64{1, 0}, j.joined, name)
		net, _ := of(j, trace.Net)
		dest, n := of(j, trace.Dest)
		require.Equal(t, [3]uint64{10, 20, 1}, [3]uint64{net, dest, n}, name)
		_, n = of(j, trace.Source)
		require.Zero(t, n, "%s: this host has counted it", name)
		require.NoError(t, r.packets.Err())
	}
}

// TestMessagesFromThere: they have all stages, by this host's clock, and its histograms once the other host has told them.
func TestMessagesFromThere(t *testing.T) {
	add := func(j *joining) {
		m := sentHalf(100, 100, 1, 2, 3)
		m.shift(1000)
		j.add(true, m)
		p, r := arrivedHalf(100, 100, 13), readHalf(100, 100, 33)
		p.shift(-1000)
		r.shift(-1000)
		j.add(false, p, r)
	}
	j, r := joinedBy(new(other), add)
	for stage, want := range map[trace.Stage]uint64{trace.Source: 1, trace.LANai: 1, trace.Net: 10, trace.Dest: 20} {
		sum, n := of(j, stage)
		require.Equal(t, [2]uint64{want, 1}, [2]uint64{sum, n}, "%v", stage)
	}
	j.into(r)
	require.Equal(t, "server@b", r.programs[theirs])
	require.EqualValues(t, 1, r.counts.messages())
	require.Zero(t, r.counts.missing())

	counts := make([]uint64, numCounters)
	counts[started], counts[away], counts[over], counts[full] = 9, 7, 7, 2
	stage := ToldStage{Sum: 70, Bins: map[int]uint32{10: 7, -1: 1, numBins: 1}}
	j, r = joinedBy(&other{told: Told{Counts: counts, Histograms: []ToldHistogram{{Key: 6<<1 | 1, Bytes: 700, Stages: [2]ToldStage{stage, stage}}}}}, add)
	j.into(r)
	require.Len(t, r.histograms, 1)
	for _, h := range r.histograms {
		require.Equal(t, [2]uint64{70, 7}, [2]uint64{h.Stages[trace.Source].Sum, h.Stages[trace.Source].total()})
	}
	_, n := of(j, trace.Net)
	require.EqualValues(t, 1, n)
	require.EqualValues(t, 9, r.counts.messages())
	require.EqualValues(t, 2, r.counts.missing())
	require.Contains(t, r.counts.warnings()[0], "on b 2 messages were not followed")
	require.Contains(t, r.counts.words(), "1 of 7 messages (14.29 %) from there")
}

// TestNotJoined: each message that is not joined has its reason.
func TestNotJoined(t *testing.T) {
	for name, c := range map[string]struct {
		halves []Half
		other  other
		says   string
	}{
		"not seen arriving":  {[]Half{sentHalf(100, 100, 1, 2, 3), readHalf(100, 100, 33)}, other{}, "1 message to b has Source and NI only: its other half"},
		"not seen read":      {[]Half{sentHalf(100, 100, 1, 2, 3), arrivedHalf(100, 100, 5), arrivedHalf(300, 200, 5), readHalf(300, 200, 33)}, other{}, "1 message to b has Source and NI only: its other half"},
		"never read":         {[]Half{sentHalf(100, 100, 1, 2, 3), arrivedHalf(100, 100, 5)}, other{}, "1 message to b has Source and NI only: its other half"},
		"no probe":           {[]Half{sentHalf(100, 100, 1, 2, 3), arrivedHalf(100, 100, 5), readHalf(100, 100, 33)}, other{bound: math.MaxInt64 / 4}, "1 message to b has Source and NI only: its other half"},
		"translated":         {[]Half{sentHalf(100, 100, 1, 2, 3)}, other{translated: "10.0.0.1:5 is 10.9.0.1:6 there"}, "addresses are translated on the way to b (10.0.0.1:5 is 10.9.0.1:6 there)"},
		"maybe translated":   {[]Half{sentHalf(100, 100, 1, 2, 3)}, other{}, "its other half was not seen. None was joined, as where addresses are translated on the way (NAT)"},
		"the agent has died": {nil, other{err: errors.New("agent b has vanished")}, "agent b has vanished: "},
	} {
		j, r := joinedBy(&c.other, func(j *joining) {
			for _, h := range c.halves {
				j.add(h.Kind != HalfSent, h)
			}
		})
		j.into(r)
		require.Zero(t, j.joined, name)
		require.Contains(t, r.counts.warnings()[0], c.says, name)
	}
}

// TestNetBelowZero: clocks that err make it; the histograms have 0, and a warning says so.
func TestNetBelowZero(t *testing.T) {
	j, r := joinedBy(&other{bound: 50}, func(j *joining) {
		j.add(false, sentHalf(100, 100, 1, 2, 30))
		j.add(true, arrivedHalf(100, 100, 13), readHalf(100, 100, 33))
	})
	j.into(r)
	sum, n := of(j, trace.Net)
	require.Equal(t, [2]uint64{0, 1}, [2]uint64{sum, n})
	require.Contains(t, r.counts.warnings()[0], "1 message has a Net below 0")
}

// TestHalvesAreForgotten: flows of which nothing waits are, and those of whose messages nobody tells if there are too many halves.
func TestHalvesAreForgotten(t *testing.T) {
	j := &joining{other: new(other), ways: map[uint64]*way{}}
	for flow := range uint64(10) {
		for i := range uint32(100) {
			h := arrivedHalf(100*i+100, 100, 1)
			h.Flow = flow
			j.add(true, h)
		}
	}
	m := sentHalf(1<<20, 100, 1, 2, 3)
	j.add(false, m)
	require.Equal(t, 1001, j.forget(1001))
	require.LessOrEqual(t, j.forget(500), 601)
	require.Contains(t, j.ways, m.Flow)
	for range 3 * mostWaiting {
		j.add(true, arrivedHalf(100, 100, 1))
	}
	require.LessOrEqual(t, len(j.ways[1].arrived), 2*mostWaiting)
}
