package compare

import (
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// observed returns the figures of what was seen in a run.
func observed(m trace.Manifest) (out []Figure) {
	for _, o := range m.Seen {
		if o.What == trace.Slowest {
			continue // it is of few messages, whose number is no measure
		}
		f := Figure{Key: Key{Program: o.Program, Quantity: string(o.What), Where: o.Where}, Value: analysis.PerMessage(o), Packets: o.Of}
		switch o.What {
		case trace.InDiscipline:
			f.Value = float64(o.Most)
		case trace.SentAgain, trace.SegmentsDropped, trace.DatagramsDropped, trace.CardFull:
			f.Value, f.Base = float64(o.Messages), float64(max(m.Packets, 1))
		case trace.Throttled:
			f.Value, f.Base = o.MeanNs*float64(o.Messages), float64(m.SimulatedNs)
		default:
			f.Where = analysis.Direction(o)
			f.Part = float64(o.Messages) / float64(max(o.Of, 1))
		}
		// A discipline may be on several interfaces of one name, in namespaces of their own.
		if i := slices.IndexFunc(out, func(x Figure) bool { return x.Key == f.Key }); i >= 0 {
			out[i].Value = max(out[i].Value, f.Value)
			continue
		}
		out = append(out, f)
	}
	return out
}

// seen reports whether the figure is of a cause.
func (k Key) seen() bool { return of(k.Quantity).family == seenFamily }
