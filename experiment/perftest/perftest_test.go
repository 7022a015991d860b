package perftest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
)

// cards are the platforms with verbs.
var cards = []string{"mlx4", "cx3", "cib", "cx5-roce", "cx5-ex", "cx6", "cx6-hdr", "cx7"}

// set is fields of a profile.
type set = map[string]any

func card(t *testing.T, name string, change set) *platform.Profile {
	t.Helper()
	p, err := platform.Load(name)
	require.NoError(t, err)
	p, err = p.With(platform.OverlayOf("change", change))
	require.NoError(t, err)
	return p
}

func measure(t *testing.T, p *platform.Profile, x Test) Result {
	t.Helper()
	if x.Count == 0 {
		x.Count = 20
		if x.Measure == Bandwidth {
			x.Count = max(200, 2*x.Pairs*x.Outstanding)
		}
	}
	x.Threads = max(x.Threads, 1)
	r, err := Testbed{Profile: p, Cable: true, Seed: 1}.Measure(context.Background(), x)
	require.NoError(t, err)
	return r
}

// us is the latency of an operation on a changed card, and rate millions of operations in a second of a stream.
func us(t *testing.T, name string, change set, op Operation, bytes int64) float64 {
	return measure(t, card(t, name, change), Test{Operation: op, Measure: Latency, Bytes: bytes, Pairs: 1, Outstanding: 1}).TypicalUs
}

func rate(t *testing.T, name string, change set, op Operation, bytes, pairs, outstanding int64) float64 {
	return measure(t, card(t, name, change), Test{Operation: op, Measure: Bandwidth, Bytes: bytes, Pairs: pairs, Outstanding: outstanding}).PerSecond / 1e6
}

// TestCards: what holds on every card.
func TestCards(t *testing.T) {
	for _, name := range cards {
		p := card(t, name, nil)
		for _, op := range Operation("").All() {
			sizes := []int64{2, 64, 512, 8192}
			if Atomic(op) {
				sizes = []int64{8}
			} else if op == SendUD {
				sizes[3] = int64(p.Verbs.MTU)
			}
			before := 0.0
			for _, n := range sizes {
				r := measure(t, p, Test{Operation: op, Measure: Latency, Bytes: n, Pairs: 1, Outstanding: 1})
				require.Greater(t, r.TypicalUs, before, "%s: %s of %d B", name, op, n)
				require.True(t, r.MinUs <= r.TypicalUs && r.TypicalUs <= r.P99Us && r.P99Us <= r.P999Us && r.P999Us <= r.MaxUs, "%s: %+v", name, r)
				before = r.TypicalUs
				b := measure(t, p, Test{Operation: op, Measure: Bandwidth, Bytes: n, Pairs: 2, Outstanding: 16})
				require.InEpsilon(t, b.PerSecond*float64(n)/(1<<20), b.MiBps, 1e-9)
				require.Less(t, b.MiBps*(1<<20), float64(p.Network.LinkRate), "%s: %s of %d B", name, op, n)
				require.Greater(t, b.PerSecond, 0.99e6/r.TypicalUs, "%s: %s of %d B: a stream is as fast as one after the other", name, op, n)
			}
		}
		require.Greater(t, us(t, name, nil, Read, 64), us(t, name, nil, Write, 64), name) // a round trip, and half of one
		require.InEpsilon(t, rate(t, name, nil, FetchAdd, 8, 1, 16), rate(t, name, nil, FetchAdd, 8, 4, 16), 0.02, "%s: one word, however many pairs", name)
	}
}

// TestSameTestSameResult: a test gives the same figures each time, alone and beside others.
func TestSameTestSameResult(t *testing.T) {
	for _, x := range []Test{
		{Operation: Send, Measure: Latency, Bytes: 300, Pairs: 1, Outstanding: 1, Count: 50},
		{Operation: Read, Measure: Bandwidth, Bytes: 5000, Pairs: 3, Outstanding: 7, Count: 500},
	} {
		t.Run(string(x.Operation), func(t *testing.T) {
			first := measure(t, card(t, "cx7", nil), x)
			for range 3 {
				t.Run("again", func(t *testing.T) {
					t.Parallel()
					require.Equal(t, first, measure(t, card(t, "cx7", nil), x))
				})
			}
		})
	}
}

func TestWrongTestsAreRefused(t *testing.T) {
	good := Test{Operation: Write, Measure: Bandwidth, Bytes: 64, Pairs: 1, Threads: 1, Outstanding: 1, Count: 1}
	require.NoError(t, good.Validate())
	for want, change := range map[string]func(*Test){
		"bytes is 0, want 1 to 67108864":                        func(x *Test) { x.Bytes = 0 },
		"bytes is 9, want 8 for an atomic operation":            func(x *Test) { x.Operation, x.Bytes = FetchAdd, 9 },
		`unknown operation "wrte", did you mean "write"?`:       func(x *Test) { x.Operation = "wrte" },
		`unknown measure ""`:                                    func(x *Test) { x.Measure = "" },
		"queue_pairs is 0, want 1 to 16384":                     func(x *Test) { x.Pairs = 0 },
		"outstanding is 0, want 1 to 65536":                     func(x *Test) { x.Outstanding = 0 },
		"count is 0, want 1 to 100000000":                       func(x *Test) { x.Count = 0 },
		"queue_pairs is 2, want 1 for latency, with 1 outstand": func(x *Test) { x.Measure, x.Pairs = Latency, 2 },
		"threads is 0, want 1 to 1024":                          func(x *Test) { x.Threads = 0 },
		"threads is 2, want at most queue_pairs = 1":            func(x *Test) { x.Threads = 2 },
		"threads is 40, want at most host.cpus = 16 of cx7":     func(x *Test) { x.Pairs, x.Threads = 40, 40 },
		"swarm is true, want false for latency":                 func(x *Test) { x.Measure, x.Swarm = Latency, true },
		"swarm is true, want false for latency, and for send":   func(x *Test) { x.Operation, x.Swarm = Send, true },
	} {
		x := good
		change(&x)
		_, err := Testbed{Profile: card(t, "cx7", nil)}.Measure(context.Background(), x)
		require.ErrorContains(t, err, want)
	}
	old, err := platform.Load("ppro")
	require.NoError(t, err)
	_, err = Testbed{Profile: old}.Measure(context.Background(), good)
	require.ErrorContains(t, err, "verbs")
	_, err = Testbed{Profile: card(t, "cx7", nil)}.Measure(context.Background(), Test{Operation: Send, Measure: Latency, Bytes: 1 << 20, Pairs: 1, Threads: 1, Outstanding: 1, Count: 1})
	require.ErrorContains(t, err, "send of 1048576 B: ")
}

// TestInlineStep: a write takes longer by a read over PCIe from the size on that no longer fits into its entry.
func TestInlineStep(t *testing.T) {
	step := func(name string, change set) float64 {
		return us(t, name, change, Write, 230) - us(t, name, change, Write, 210)
	}
	for _, name := range cards {
		read := card(t, name, nil).Host.PCIe.Read.Us()
		require.InDelta(t, read, step(name, nil), 0.1, name)
		require.Less(t, step(name, set{"verbs": set{"inline_bytes": 512, "blueflame_bytes": 1024}}), 0.05, name)
	}
}

// TestDatagrams: a datagram takes as long as a message of its size, but that its longer entry has less room for data, and
// a receiver with few buffers whose program is slow loses some.
func TestDatagrams(t *testing.T) {
	for _, name := range cards {
		for _, n := range []int64{2, 188, 230, 1024} {
			require.InDelta(t, us(t, name, nil, Send, n), us(t, name, nil, SendUD, n), 0.06, "%s, %d B", name, n)
		}
		stored := set{"verbs": set{"blueflame_bytes": 512}}
		require.InDelta(t, card(t, name, nil).Host.PCIe.Read.Us(), us(t, name, stored, SendUD, 189)-us(t, name, stored, SendUD, 188), 0.1, name)
	}
	x := Test{Operation: SendUD, Measure: Bandwidth, Bytes: 64, Pairs: 4, Outstanding: 16, Count: 2000}
	require.Zero(t, measure(t, card(t, "cx7", nil), x).Lost)
	require.Positive(t, measure(t, card(t, "cx7", set{"verbs": set{"host": set{"poll_ns": 2000.0}, "receive_depth": 8}}), x).Lost)
}

// TestPairsUseUnits: two pairs are twice as fast as one, because each is served by a unit of its own.
func TestPairsUseUnits(t *testing.T) {
	gain := func(change set) float64 {
		return rate(t, "cx7", change, Write, 8, 2, 64) / rate(t, "cx7", change, Write, 8, 1, 64)
	}
	require.InDelta(t, 2, gain(set{"verbs": set{"host": set{"post_ns": 0, "poll_ns": 0}}}), 0.35)
	require.InDelta(t, 1, gain(set{"verbs": set{"host": set{"post_ns": 0, "poll_ns": 0}, "card": set{"units": 1}}}), 0.05)
}

// TestWindowBoundsReads: reads of a distant memory are as fast as the window allows.
func TestWindowBoundsReads(t *testing.T) {
	reads := func(window int) float64 {
		return rate(t, "cx6-hdr", set{"host": set{"pcie": set{"read_ns": 20000.0}}, "verbs": set{"window": window}}, Read, 8, 1, 64)
	}
	require.InEpsilon(t, 2, reads(8)/reads(4), 0.05)
	require.InEpsilon(t, 2, reads(16)/reads(8), 0.05)
	require.InEpsilon(t, rate(t, "cx6-hdr", set{"verbs": set{"window": 32}}, Read, 8, 1, 64), rate(t, "cx6-hdr", nil, Read, 8, 1, 64), 0.05, "near memory: the units are the limit")
}

// TestReadsOverPCIeOverlap: packets whose data is read ahead, and entries that are read together, hide the way over PCIe.
func TestReadsOverPCIeOverlap(t *testing.T) {
	far := set{"pcie": set{"read_ns": 1500.0}}
	packets := func(ahead int) float64 {
		return rate(t, "cx5-roce", set{"host": far, "verbs": set{"send_packets": ahead}}, Write, 64<<10, 1, 16)
	}
	require.InEpsilon(t, 4, packets(4)/packets(1), 0.1)
	entries := func(together int) float64 {
		return rate(t, "cx5-roce", set{"host": far, "verbs": set{"blueflame_bytes": 0, "fetch_entries": together}}, Write, 8, 1, 64)
	}
	require.InEpsilon(t, 4, entries(4)/entries(1), 0.1)
}

// swarm is the rate of rc-swarm, reads of 32 B, on a changed card.
func swarm(t *testing.T, name string, change set, pairs, threads, window int64) Result {
	return measure(t, card(t, name, change), Test{Operation: Read, Measure: Bandwidth, Bytes: 32, Pairs: pairs, Threads: threads, Outstanding: window, Swarm: true, Count: 8000})
}

// TestManyPairsDecay: the more pairs there are than the card has contexts at hand, the slower it is, by less and less; if it has
// all, or of fewer pairs, there is no difference, and it misses none after the first time.
func TestManyPairsDecay(t *testing.T) {
	for _, name := range []string{"cx3", "cib"} {
		contexts := int64(card(t, name, nil).Verbs.Contexts)
		before, fell := swarm(t, name, nil, contexts, 8, 32).PerSecond, 1.0
		few := swarm(t, name, nil, contexts/2, 8, 32)
		require.InEpsilon(t, before, few.PerSecond, 0.05, name)
		require.LessOrEqual(t, few.Cards[0].ContextMiss, uint64(10*contexts), "%s: each once, however often until it has come", name)
		for _, pairs := range []int64{4 * contexts, 8 * contexts, 16 * contexts} {
			r := swarm(t, name, nil, pairs, 8, 32)
			require.Less(t, r.PerSecond, before, "%s, %d pairs", name, pairs)
			if pairs > 4*contexts {
				require.Less(t, before/r.PerSecond, fell, "%s, %d pairs", name, pairs)
			}
			before, fell = r.PerSecond, before/r.PerSecond
			require.Greater(t, r.Cards[0].ContextMiss, r.Cards[0].ContextHit/3)
		}
		require.InEpsilon(t, few.PerSecond, swarm(t, name, set{"verbs": set{"contexts": 1 << 16}}, 8*contexts, 8, 32).PerSecond, 0.05, name)
	}
}

// TestMissesOverlap: a card that reads twice as many contexts at a time is twice as fast with many pairs.
func TestMissesOverlap(t *testing.T) {
	at := func(misses int) float64 {
		return swarm(t, "cib", set{"verbs": set{"contexts": 8, "cache_misses": misses}}, 800, 8, 64).PerSecond
	}
	require.InEpsilon(t, 2, at(2)/at(1), 0.1)
	require.InEpsilon(t, 2, at(4)/at(2), 0.1)
}

// TestThreads: threads multiply what the library limits, until the card is the limit, or the link from the CPUs to it. Window and
// latency bound a thread of a swarm.
func TestThreads(t *testing.T) {
	at := func(change set, threads int64) float64 {
		return measure(t, card(t, "cib", change), Test{Operation: Write, Measure: Bandwidth, Bytes: 8, Pairs: 2 * threads, Threads: threads, Outstanding: 32, Count: 20000}).PerSecond
	}
	one := at(nil, 1)
	require.InEpsilon(t, 2, at(nil, 2)/one, 0.05)
	require.InEpsilon(t, 4, at(nil, 4)/one, 0.05)
	p := card(t, "cib", nil)
	unit := (p.Verbs.Card.Entry + p.Verbs.Card.Packet).Us()
	require.InEpsilon(t, 2/unit*1e6, at(set{"verbs": set{"card": set{"units": 2}}}, 8), 0.02, "two units")
	line := p.Host.PCIe.HeaderBytes + p.Verbs.EntryBytes + 8
	slow := set{"host": set{"pcie": set{"generation": 1, "lanes": 8}}, "verbs": set{"completion_bytes": 16}}
	require.InEpsilon(t, float64(card(t, "cib", slow).Host.PCIe.Rate())/float64(line), at(slow, 16), 0.1, "entries over PCIe")

	latency := us(t, "cib", nil, Read, 32)
	require.InEpsilon(t, 4*2/latency*1e6, swarm(t, "cib", nil, 8, 4, 2).PerSecond, 0.1)
	require.Equal(t, swarm(t, "cib", nil, 8, 4, 2), swarm(t, "cib", nil, 8, 4, 2))
}

// TestAnswersTakeUnits: a unit that keeps the state of operations that are answered makes fewer reads, and acknowledgements
// take from what a side sends itself.
func TestAnswersTakeUnits(t *testing.T) {
	times := card(t, "cx7", nil).Verbs.Card
	free := set{"verbs": set{"window": 128, "host": set{"post_ns": 0, "poll_ns": 0}}}
	read := 1 / rate(t, "cx7", free, Read, 8, 1, 128)
	require.InEpsilon(t, (times.Entry + times.Packet + times.Answered).Us(), read, 0.02)
	times = card(t, "cib", nil).Verbs.Card
	for op, answer := range map[Operation]sim.Duration{Write: times.Ack, Read: times.Packet + 2*times.Answered} {
		both := measure(t, card(t, "cib", nil), Test{Operation: op, Measure: Bandwidth, Bytes: 8, Pairs: 170, Threads: 16, Outstanding: 32, Swarm: true, Count: 20000})
		require.InEpsilon(t, float64(times.Units)/(times.Entry+times.Packet+answer).Us()*1e6, both.PerSecond, 0.1, "%s", op)
	}
}

// TestSmallPacketsShareTheReceivePool: packets take what they need of it.
func TestSmallPacketsShareTheReceivePool(t *testing.T) {
	at := func(buffers int) float64 {
		return measure(t, card(t, "cib", set{"verbs": set{"mtu_bytes": 256, "receive_buffers": buffers}}), Test{Operation: Write, Measure: Bandwidth, Bytes: 8, Pairs: 32, Threads: 16, Outstanding: 32, Count: 20000}).PerSecond
	}
	require.InEpsilon(t, at(1024), at(64), 0.02)
	require.Greater(t, at(1), 6e6, "some in a buffer of 300 B: one has it for a third of a microsecond")
	require.Less(t, at(1), 0.5*at(1024))
}

// TestMTUCostsHeaders: bandwidth is the line's rate less the headers of its packets.
func TestMTUCostsHeaders(t *testing.T) {
	for _, mtu := range []int{1024, 2048, 4096} {
		p := card(t, "cx5-ex", set{"verbs": set{"mtu_bytes": mtu}})
		r := measure(t, p, Test{Operation: Read, Measure: Bandwidth, Bytes: 64 << 10, Pairs: 1, Outstanding: 16})
		line := float64(p.Network.LinkRate)
		require.InEpsilon(t, line*float64(mtu)/float64(mtu+p.Verbs.HeaderBytes), r.MiBps*(1<<20), 0.005, "MTU %d", mtu)
	}
}

// TestAtomicsWaitForPCIe: operations on one word are as fast as reads over PCIe, one after the other.
func TestAtomicsWaitForPCIe(t *testing.T) {
	at := func(ns, unit float64) float64 {
		return rate(t, "cx5-roce", set{"host": set{"pcie": set{"read_ns": ns}}, "verbs": set{"card": set{"atomic_ns": unit}}}, FetchAdd, 8, 1, 16)
	}
	require.InEpsilon(t, 2, at(400, 0)/at(800, 0), 0.05)
	require.InEpsilon(t, 2, at(800, 0)/at(1600, 0), 0.05)
	require.InEpsilon(t, 2, at(400, 0)/at(400, 400), 0.05, "and for the unit")
}
