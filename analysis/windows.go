package analysis

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// Half is half of a window of a sampled run: what was measured in it, and what the fast run took for the same messages.
type Half struct {
	Ns, FastNs float64
	means      map[cell]counted
}

// halves is how many parts a window has. What a window's begin still does to it, it does to the first half more.
const halves = 2

// Window is a part of a run in full, all of a number of messages. The first half has as many as the second.
type Window [halves]Half

// cell names a row of a signature.
type cell struct {
	group trace.Group
	sizes trace.Sizes
	class string // "" of a size bin
	stage trace.Stage
}

// counted is how many packets have a mean.
type counted struct{ n, mean float64 }

// Keep notes the means of a half's packets.
func (h *Half) Keep(s Signature) {
	h.means = map[cell]counted{}
	s.each(func(k cell, m *trace.Stat) {
		if m.MeanNs.OK {
			h.means[k] = counted{float64(m.Count), m.MeanNs.Value}
		}
	})
}

// each calls f with the rows of all pairs of nodes together.
func (s *Signature) each(f func(cell, *trace.Stat)) {
	for i := range s.Rows {
		r := &s.Rows[i]
		f(cell{r.Group, r.Sizes, "", r.Stage}, &r.Stat)
	}
	for i := range s.Classes {
		r := &s.Classes[i]
		f(cell{r.Group, r.Sizes, r.Class, r.Stage}, &r.Stat)
	}
}

// Sample says how the windows of a sampled run stand for the whole.
type Sample struct {
	Windows  []Window
	Fraction float64 // of the messages, in the windows
	// Ends is the part of the messages that the begin and the end of the run have, which are in no window. They may take
	// twice as long as others, or no time.
	Ends float64
}

// OverWindows gives the means of a signature of all windows together the standard errors over the windows. Those of pairs
// and of predecessors, of few packets or of few windows get none.
func (s *Signature) OverWindows(of Sample) {
	s.each(func(k cell, m *trace.Stat) {
		clearError(m)
		if m.Weak || !m.MeanNs.OK {
			return
		}
		mean := m.MeanNs.Value
		n, first := 0., 0.
		var off []float64 // sums of what packets took beyond the mean, by window
		for _, w := range of.Windows {
			a, b := w[0].means[k], w[1].means[k]
			if a.n+b.n == 0 {
				continue
			}
			x, y := float64(a.n*(a.mean-mean)), float64(b.n*(b.mean-mean))
			off = append(off, x+y)
			first += x - y
			n += a.n + b.n
		}
		if 2*len(off) < len(of.Windows) {
			m.Note = note(m.Note, "no interval: few windows have such packets")
			return
		}
		each := n / float64(len(off))
		for i := range off {
			off[i] /= each
		}
		half := of.half(off, first/n) + float64(of.Ends*math.Abs(mean))
		df := int64(len(off) - 1)
		setError(m, half/student.T975(float64(df)), df)
	})
	for i := range s.Pairs {
		clearError(&s.Pairs[i].Stat)
	}
	for i := range s.Sequences {
		clearError(&s.Sequences[i].Stat)
	}
}

func clearError(m *trace.Stat) {
	m.SENs, m.DF, m.CILoNs, m.CIHiNs = trace.Opt[float64]{}, 0, trace.Opt[float64]{}, trace.Opt[float64]{}
}

// MoreNs estimates how much longer than the fast run a run in full takes, with so many times the messages of a window.
// It returns the half of the 95 % interval too; fast is what the fast run took.
func (s Sample) MoreNs(times, fast float64) (ns, half float64) {
	n := float64(len(s.Windows))
	off := make([]float64, len(s.Windows))
	mean, first := 0., 0.
	for i, w := range s.Windows {
		x, y := w[0].Ns-w[0].FastNs, w[1].Ns-w[1].FastNs
		off[i] = x + y
		mean += (x + y) / n
		first += (x - y) / n
	}
	for i := range off {
		off[i] -= mean
	}
	ns = float64(mean * times)
	return ns, float64(s.half(off, first)*times) + float64(s.Ends*(fast+ns))
}

// half returns the half of the 95 % interval of a mean over windows, of which the values are off by so much. What the
// halves of windows differ by is an error too: a begin has not died away. Where neighbouring windows resemble one another,
// the run has states that last longer than what is between windows, and may have spent its time otherwise in each: the
// interval then reaches to the window that is farthest off.
func (s Sample) half(off []float64, halves float64) float64 {
	n := float64(len(off))
	squares, lag, most := 0., 0., 0.
	for i, d := range off {
		squares += float64(d * d)
		most = max(most, math.Abs(d))
		if i > 0 {
			lag += float64(d * off[i-1])
		}
	}
	t := student.T975(n - 1)
	half := t * portable.Hypot(math.Sqrt((1-s.Fraction)*squares/(n-1)/n), halves)
	if lag > 2/math.Sqrt(n)*squares {
		half = max(half, most)
	}
	return half
}

// SampledText says of which part of a run in sampled detail its figures are.
func SampledText(s *trace.Sampled, runTimeNs int64) string {
	return fmt.Sprintf("sampled detail: %d windows have %.3g %% of %s messages in full, the others are fast. The run time is estimated from the windows: %s, "+
		"with 95 %% confidence from %s to %s; the same run all fast takes %s. Latencies are of packets in the windows, after a warm-up, and their intervals are over windows. "+
		"Counts are of the packets in full; with all messages there would be about %s packets. Time is not split by node", s.Windows, 100*s.Fraction, Digits(s.Messages),
		Time(float64(runTimeNs)), Time(float64(s.RunTimeLoNs)), Time(float64(s.RunTimeHiNs)), Time(float64(s.FastNs)), Digits(s.Packets))
}
