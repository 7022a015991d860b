package activity

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// packet is one packet that is on its way for a microsecond.
func packet(sender, receiver, at int64) trace.PacketRow {
	return trace.PacketRow{
		Kind: trace.Data.String(), Sender: sender, Receiver: receiver, SizeBytes: 100,
		T3Ns: trace.Some(at), T5Ns: trace.Some(at + 1000),
	}
}

// passages are what is counted of packets.
func passages(rows ...trace.PacketRow) (out []Passage) {
	for _, r := range rows {
		out = append(out, Passage{r.Sender, r.Receiver, r.T3Ns, r.T5Ns})
	}
	return out
}

// TestSeriesCountsEachPacketOnce: the windows of each port hold its packets, as a count over
// all packets finds them, and are no more than there is room for.
func TestSeriesCountsEachPacketOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []trace.PacketRow
		at := rapid.Int64Range(-2000, 2000).Draw(t, "begin")
		for range rapid.IntRange(1, 40).Draw(t, "packets") {
			at += rapid.Int64Range(0, 1<<rapid.IntRange(0, 28).Draw(t, "scale")).Draw(t, "gap")
			rows = append(rows, packet(rapid.Int64Range(0, 2).Draw(t, "sender"), 3, at))
		}
		s := NewSeries()
		s.Add(passages(rows...))
		require.LessOrEqual(t, s.windows(), maxWindows)
		for p, counts := range s.counts {
			want := make([]int32, len(counts))
			for i := range rows {
				own, at := rows[i].Sender, rows[i].T3Ns.Value
				if p.side == Received {
					own, at = rows[i].Receiver, rows[i].T5Ns.Value
				}
				if own == int64(p.node) {
					want[(at-s.from)/s.width]++
				}
			}
			require.Equal(t, want, counts)
		}
	})
}

// TestMemoryDoesNotGrow: a run that is a hundred times as long has as many windows.
func TestMemoryDoesNotGrow(t *testing.T) {
	room := func(packets int64) (n int) {
		s := NewSeries()
		for i := range packets {
			s.Add(passages(packet(i%4, (i+1)%4, i*10_000)))
		}
		for _, counts := range s.counts {
			n += cap(counts)
		}
		return n
	}
	require.LessOrEqual(t, room(200_000), 2*room(2_000))
	require.LessOrEqual(t, room(200_000), 8*2*maxWindows, "four nodes with two ports each")
}

// random returns packets to node 0, at random with a mean gap in ns, and with another one
// between two instants.
func random(rng *rand.Rand, to int64, gap float64, from, until int64, inside float64) (rows []trace.PacketRow) {
	for at := float64(0); int64(at) < to; {
		mean := gap
		if int64(at) >= from && int64(at) < until {
			mean = inside
		}
		at += rng.ExpFloat64() * mean
		rows = append(rows, packet(rng.Int64N(3)+1, 0, int64(at)))
	}
	return rows
}

// TestPlantedBurstsAreFound: a burst of which the port has ten times as many packets is the first one, at
// its time; without one, hardly ever anything is found.
func TestPlantedBurstsAreFound(t *testing.T) {
	const length, gap = 100_000_000, 10_000 // ns
	found := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := NewSeries()
		s.Add(passages(random(rng, length, gap, 0, 0, 0)...))
		found += len(s.Bursts())

		from := rng.Int64N(length - 2_000_000)
		rows := random(rng, length, gap, from, from+1_000_000, gap/10)
		s = NewSeries()
		s.Add(passages(rows...))
		bursts := s.Bursts()
		require.NotEmpty(t, bursts)
		b := bursts[0]
		require.Equal(t, port{0, Received}, port{b.Node, b.Side})
		require.InDelta(t, from, b.From, 100_000)
		require.InDelta(t, from+1_000_000, b.To, 100_000)
		var members []Member
		for i, p := range passages(rows...) {
			members = append(members, Member{Passage: p, Tag: rows[i].Tag, Kind: rows[i].Kind, SizeBytes: rows[i].SizeBytes})
		}
		b.Look(members)
		require.Equal(t, trace.Data.String(), b.Kind)
		require.Equal(t, 100*b.Packets, b.Bytes)
	}
	require.LessOrEqual(t, found, 1, "in 20 runs with packets at random")
}

// TestRates: a run with one rate is one phase; with two, the phases meet where it changes.
func TestRates(t *testing.T) {
	const length = 100_000_000 // ns
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := NewSeries()
		s.Add(passages(random(rng, length, 10_000, 0, 0, 0)...))
		require.Len(t, s.Rates(), 1)

		at := length/4 + rng.Int64N(length/2)
		rows := random(rng, length, 10_000, at, length, 3_000)
		s = NewSeries()
		s.Add(passages(rows...))
		phases := s.Rates()
		require.Len(t, phases, 2)
		require.InDelta(t, at, phases[0].To, 1_000_000)
		require.EqualValues(t, len(rows), phases[0].Packets+phases[1].Packets)
	}
}

// TestBarriers: phases end when the last node comes, whatever the order of spans, and follow
// each other to the end of the run; a barrier to which not all have come ends none.
func TestBarriers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes, at := rapid.Int64Range(2, 5).Draw(t, "nodes"), int64(0)
		var spans []trace.SpanRow
		var want []Phase
		for range rapid.IntRange(0, 6).Draw(t, "barriers") {
			from := at + 1
			p := Phase{Number: len(want) + 1, From: at, Last: -1}
			var sum int64
			for node := range nodes {
				begin := from + rapid.Int64Range(0, 1000).Draw(t, "late")
				if sum += begin; begin > p.To {
					p.To, p.Last = begin, int(node)
				}
				spans = append(spans, trace.SpanRow{Operation: string(trace.OpBarrier), Node: node, BeginNs: begin})
			}
			p.Wait = (nodes*p.To - sum) / (nodes - 1)
			want, at = append(want, p), p.To
		}
		if len(want) > 0 {
			want = append(want, Phase{Number: len(want) + 1, From: at, To: at + 5000, Last: -1})
			spans = append(spans, trace.SpanRow{Operation: string(trace.OpBarrier), Node: 0, BeginNs: at + 10})
		}
		slices.SortStableFunc(spans, func(a, b trace.SpanRow) int { return cmp.Compare(a.BeginNs, b.BeginNs) })
		got := Barriers(spans, at+5000)
		require.Equal(t, want, got)
		for n, p := range got {
			from, to, err := Activity{Phases: got}.Part(n + 1)
			require.NoError(t, err)
			require.Equal(t, []int64{1000 * p.From, 1000 * p.To}, []int64{from, to})
		}
		_, _, err := Activity{Phases: got}.Part(len(got) + 1)
		require.ErrorContains(t, err, "want 1 to")

		rows := []trace.PacketRow{}
		for range 20 {
			rows = append(rows, packet(0, 1, rapid.Int64Range(0, at+5000).Draw(t, "packet")))
		}
		slices.SortFunc(rows, func(a, b trace.PacketRow) int { return cmp.Compare(a.T3Ns.Value, b.T3Ns.Value) })
		NewTally(got).Add(passages(rows...))
		for _, p := range got {
			n := 0
			for _, r := range rows {
				if r.T3Ns.Value >= p.From && (r.T3Ns.Value < p.To || p.Number == len(got)) {
					n++
				}
			}
			require.EqualValues(t, n, p.Packets)
		}
	})
}
