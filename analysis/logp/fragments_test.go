package logp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// planted is a layer by its parameters; idle is what the network or interface
// adds per message, at either end.
type planted struct{ os, or, l, idle float64 }

// gap streams messages through the sender's cycle: the processor's part and
// the spin, or whatever the interface still takes.
func (p planted) gap(s Style, deltaUs float64) float64 {
	busy := p.os
	if s == RequestReply {
		busy += p.or
	}
	return busy + math.Max(p.idle, deltaUs)
}

func (p planted) fragments(r *rand.Rand, n noise, s Style) Fragments {
	f := Fragments{Style: s, SizeBytes: 64, HalfRTT: sample(r, p.os+p.l+p.or, n)}
	for _, d := range []float64{0, p.idle / 2, 1.5 * p.idle, 2 * p.idle, 3 * p.idle, 4*p.idle + 1, 4*p.idle + 2} {
		f.Sender = append(f.Sender, Gap{d, sample(r, p.gap(s, d), n)})
		if s == SendReceive {
			f.Receiver = append(f.Receiver, Gap{d, sample(r, p.or+math.Max(p.idle, d), n)})
		}
	}
	if s == RequestReply {
		f.FewSent = sample(r, p.os, n)
	}
	return f
}

func TestFragmentsRecoverWhatIsPlanted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(name string) float64 { return rapid.Float64Range(0.2, 50).Draw(t, name) }
		p := planted{os: f("os"), or: f("or"), l: f("L"), idle: f("idle")}
		style := Style(rapid.IntRange(0, 2).Draw(t, "style"))
		if style == DirectDeposit {
			p.or = 0
		}
		in := p.fragments(seeded(t), exact, style)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(in.Sender), func(i, j int) { in.Sender[i], in.Sender[j] = in.Sender[j], in.Sender[i] })
		res := in.Extract()
		near(t, p.os, res.Os, 1e-6, "o_s")
		near(t, p.or, res.Or, 1e-6, "o_r")
		near(t, p.l, res.L, 1e-6, "L")
		near(t, p.gap(style, 0), res.G, 1e-6, "g")
		near(t, p.idle, res.Idle, 1e-6, "idle")
		if p.idle > 0.03*(p.os+p.or+p.idle) {
			require.Empty(t, res.Warnings)
		}
	})
}

func TestFragmentsSayWhatIsMissing(t *testing.T) {
	p := planted{os: 3, or: 4, l: 10, idle: 2}
	whole := func(s Style) Fragments { return p.fragments(nil, exact, s) }
	tests := []struct {
		name            string
		style           Style
		edit            func(f *Fragments)
		os, or, l, g, i string // reasons, "" where identifiable
	}{
		{"no receiver", SendReceive, func(f *Fragments) { f.Receiver = nil }, "", "no gap at Δ = 0", "no gap at Δ = 0", "", ""},
		{"no few", RequestReply, func(f *Fragments) { f.FewSent = Mean{} }, "not measured", "not measured", "", "", ""},
		{"nothing lifts", SendReceive, func(f *Fragments) { f.Sender = f.Sender[:2] }, "no Δ lifts", "", "no Δ lifts", "", "no Δ lifts"},
		{"nothing lifts", RequestReply, func(f *Fragments) { f.Sender = f.Sender[:1] }, "", "no Δ lifts", "no Δ lifts", "", "no Δ lifts"},
		{"no RTT", DirectDeposit, func(f *Fragments) { f.HalfRTT = Mean{} }, "", "", "RTT: not measured", "", ""},
		{"overlap", SendReceive, func(f *Fragments) { f.HalfRTT = Mean{5, 5, 5, 50, false} }, "", "", "overlap the transfer (-2 µs)", "", ""},
		{"no Δ = 0", DirectDeposit, func(f *Fragments) { f.Sender = f.Sender[2:] }, "no gap at Δ = 0", "", "no gap at Δ = 0", "no gap at Δ = 0", "no gap at Δ = 0"},
		{"style", Style(7), func(*Fragments) {}, "style(7)", "style(7)", "style(7)", "style(7)", "style(7)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := whole(tt.style)
			tt.edit(&f)
			res := f.Extract()
			for _, x := range []struct {
				e   Estimate
				why string
			}{{res.Os, tt.os}, {res.Or, tt.or}, {res.L, tt.l}, {res.G, tt.g}, {res.Idle, tt.i}} {
				assert.Equal(t, x.why == "", x.e.OK(), "%v", x.e)
				assert.Contains(t, x.e.Reason, x.why)
			}
		})
	}
}

// TestOverheadLimitedSender: the interface is faster than the processor.
func TestOverheadLimitedSender(t *testing.T) {
	f := planted{os: 5, or: 6, l: 3}.fragments(nil, exact, SendReceive)
	res := f.Extract()
	near(t, 5, res.Os, 1e-9, "o_s")
	near(t, 5, res.G, 1e-9, "g")
	assert.Equal(t, Estimate{}, res.Idle)
	assert.Contains(t, res.Warnings, "idle time is zero: g = o_s, set by the processor")
}

// TestUnevenGapsAreLeftOut: near the bend a real gap exceeds both of its lines.
func TestUnevenGapsAreLeftOut(t *testing.T) {
	f := planted{os: 3, or: 4, l: 10, idle: 2}.fragments(nil, exact, DirectDeposit)
	bend := &f.Sender[2].Gap // Δ = 3
	bend.Value, bend.Lo, bend.Hi = 7, 7, 7
	res := f.Extract()
	near(t, 3, res.Os, 1e-9, "o_s")
	assert.Equal(t, []string{"o_s = cost − Δ is not the same at every Δ: 4 µs at Δ = 3 µs, 3 µs at longer ones, which are used"}, res.Warnings)
}

// TestGapsAboveGWhereTheProcessorWaits: only what no regime explains is said.
func TestGapsAboveGWhereTheProcessorWaits(t *testing.T) {
	extract := func(cost float64) Result {
		f := planted{os: 3, or: 4, l: 10, idle: 7}.fragments(nil, exact, DirectDeposit)
		require.Equal(t, 3.5, f.Sender[1].DeltaUs)
		g := &f.Sender[1].Gap
		g.Value, g.Lo, g.Hi = cost, cost, cost
		return f.Extract()
	}
	require.Empty(t, extract(10.4).Warnings)
	res := extract(11)
	near(t, 3, res.Os, 1e-9, "o_s")
	assert.Equal(t, []string{"at Δ = 3.5 µs a message takes 11 µs, longer than g = 10 µs, although the processor waits: o_s = 3 µs"}, res.Warnings)
}

func TestStyleText(t *testing.T) {
	for s := RequestReply; s <= DirectDeposit; s++ {
		b, err := s.MarshalText()
		require.NoError(t, err)
		var back Style = 99
		require.NoError(t, back.UnmarshalText(b))
		assert.Equal(t, s, back)
	}
	assert.EqualError(t, new(Style).UnmarshalText([]byte("x")), `unknown style "x" (known: request/reply, send/receive, direct deposit)`)
}
