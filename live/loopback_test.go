package live

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// TestLoopback: every message of every pattern is recorded once, and its instants are in order: the
// program, the queueing discipline, the driver, the other kernel, the other program.
func TestLoopback(t *testing.T) {
	count := testlong.Pick(500, 25_000) // 10⁵ messages with each protocol and pattern of round trips
	for _, protocol := range stamps.Protocol("").All() {
		for _, pattern := range []Pattern{PingPong, Stream, AllToAll} {
			spec := Default()
			spec.Pattern, spec.Protocol, spec.Count, spec.Rate, spec.Sizes = pattern, protocol, count, 5000, []int64{16, 4000}
			run, err := loopback(context.Background(), spec, nil)
			require.NoError(t, err, "%s, %s", protocol, pattern)
			m := run.Manifest
			directions := 2
			if pattern == Stream {
				directions = 1
			}
			require.EqualValues(t, directions*2*count, m.Packets)
			if protocol == stamps.TCP || pattern == PingPong { // a busy host loses datagrams
				require.Zero(t, m.Lost.Dropped)
			}
			require.Equal(t, []string{trace.StampSched, trace.StampHand, trace.StampKernel}, m.Stamps)
			if protocol == stamps.TCP {
				var connections []Connection
				require.NoError(t, json.Unmarshal(run.Extra[len(run.Extra)-1].Data, &connections))
				require.Len(t, connections, 2)
				require.NotEmpty(t, connections[0].Congestion)
				require.Positive(t, connections[0].LeastNs)
			}
			rows := int64(0)
			for p := range run.Packets {
				require.NoError(t, trace.CheckRow(&p))
				require.True(t, p.T1Ns.OK && p.T6Ns.OK)
				order := []int64{p.T1Ns.Value, p.T2Ns.Value, p.T3Ns.Value, p.T4Ns.Value, p.T5Ns.Value, p.T6Ns.Value}
				require.IsNonDecreasing(t, order, "%s, %s: %+v", protocol, pattern, p)
				rows++
			}
			require.Equal(t, m.Packets, rows+m.Lost.NotRecorded, "%s, %s", protocol, pattern)
			if protocol == stamps.UDP || pattern == PingPong {
				require.Equal(t, m.Lost.Dropped, m.Lost.NotRecorded, "%s, %s", protocol, pattern)
			}
		}
	}
}

// TestSomeAreRecorded: one message in so many has a record with all stamps, and all count.
func TestSomeAreRecorded(t *testing.T) {
	for _, protocol := range stamps.Protocol("").All() {
		spec := Default()
		spec.Protocol, spec.Count, spec.Every, spec.Sizes = protocol, 1000, 10, []int64{64, 128}
		run, err := loopback(context.Background(), spec, nil)
		require.NoError(t, err)
		require.EqualValues(t, 4000, run.Manifest.Packets)
		rows := 0
		for range run.Packets {
			rows++
		}
		require.Equal(t, 400, rows)
		require.Zero(t, run.Manifest.Lost.NotRecorded)
	}
}

// TestQuiet: the header of a message says whether the next one has a record, so that the receiver takes
// the stamps of those alone, and of a stream that of the one after, which tells whether the kernel has
// merged both.
func TestQuiet(t *testing.T) {
	for protocol, want := range map[stamps.Protocol]string{stamps.UDP: "s...s...s.s...s...s.", stamps.TCP: "ss..ss..ssss..ss..ss"} {
		spec := Default()
		spec.Protocol, spec.Every, spec.Count, spec.Warm = protocol, 4, 10, 0
		got, taken := "", true
		for i := range 2 * spec.Count {
			got += map[bool]string{true: "s", false: "."}[taken]
			taken = !spec.quiet(i % spec.Count)
		}
		require.Equal(t, want, got, protocol)
	}
}

// TestShift: of pairs that differ by 2 the interval holds the difference, as often as it should, and
// values that something else has disturbed count little.
func TestShift(t *testing.T) {
	d := rand.New(rand.NewPCG(1, 2))
	const tries = 400
	held := 0
	for range tries {
		var differences []float64
		for range costBlocks {
			x := 2 + d.NormFloat64()
			if d.IntN(10) == 0 {
				x += 100 * d.NormFloat64()
			}
			differences = append(differences, x)
		}
		estimate, low, high := shift(differences)
		require.InDelta(t, 2, estimate, 0.6)
		require.Less(t, high-low, 1.2)
		if low <= 2 && 2 <= high {
			held++
		}
	}
	require.InDelta(t, 0.95*tries, held, 20)
}

// TestLoopbackBesideBaseline: messages at a rate are set beside round trips of the same sizes, and the
// run says what stamping costs.
func TestLoopbackBesideBaseline(t *testing.T) {
	spec := Default()
	spec.Pattern, spec.Count, spec.Rate, spec.Sizes = Stream, 200, 2000, []int64{64}
	run, err := Loopback(context.Background(), spec, nil)
	require.NoError(t, err)
	judged := 0
	for _, r := range run.Signature {
		if r.Stage != trace.NetMinusLANai {
			require.True(t, r.BaselineNs.OK, "%+v", r)
			judged++
		}
	}
	require.Equal(t, 8, judged) // four stages of all kinds, and of the only one
	cost := run.Manifest.Cost
	require.Len(t, cost.Modes, 4)
	for _, u := range cost.Modes {
		require.Positive(t, u.RoundNs)
	}
	require.Zero(t, cost.Modes[0].PerCent)
}

// TestEndOfRun: a run can be looked at while it goes on. When it is stopped, it returns with the reason.
func TestEndOfRun(t *testing.T) {
	spec := Default()
	spec.Pattern, spec.Count, spec.Rate, spec.Sizes = Stream, 10_000_000, 10_000, []int64{64}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := loopback(ctx, spec, func(p Progress) {
		run, err := p.Look()
		require.NoError(t, err)
		require.False(t, run.Manifest.Verified)
		if len(run.Signature) > 0 {
			require.Positive(t, run.Manifest.Packets)
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestWrongSpecifications(t *testing.T) {
	for want, change := range map[string]func(*Spec){
		"sizes_bytes is 15, want 16 to 60000 bytes":              func(s *Spec) { s.Sizes = []int64{64, 15} },
		"sizes_bytes is 64, want each size once":                 func(s *Spec) { s.Sizes = []int64{64, 64} },
		`unknown pattern "ring"`:                                 func(s *Spec) { s.Pattern = "ring" },
		"count is 0, want 1 to":                                  func(s *Spec) { s.Count = 0 },
		"rate_per_second is 1e+07, want 1 to 1e6":                func(s *Spec) { s.Rate = 1e7 },
		`replay is "", want the directory of a run`:              func(s *Spec) { s.Pattern = Replay },
		"stretch is 0, want 0.001 to 1e6":                        func(s *Spec) { s.Pattern, s.Replayed = Replay, "x" },
		"stretch is -1, want 0 or 0.001 to 1e6":                  func(s *Spec) { s.Pattern, s.Replayed, s.Stretch = Replay, "x", -1 },
		"pattern is pingpong, want replay":                       func(s *Spec) { s.Replayed = "x" },
		"congestion is reno, want none: only TCP has congestion": func(s *Spec) { s.Congestion = "reno" },
	} {
		s := Default()
		change(&s)
		require.ErrorContains(t, s.Validate(), want)
	}
}
