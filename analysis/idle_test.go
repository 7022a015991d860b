package analysis

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
)

// packets are those of one kind and predecessor in a signature made by hand, with sizes
// of the bin (32, 64].
type packets struct {
	kind, after string // after "": of a kind without sequences
	n           int64
	ns          float64
}

// byHand returns a signature of packets, of Source only.
func byHand(list []packets) Signature {
	bin, class := trace.Sizes{SizeLoBytes: 32, SizeHiBytes: 64}, trace.Sizes{SizeHiBytes: 127}
	var s Signature
	sums := map[string]packets{}
	kinds := []string{trace.AllKinds}
	for _, p := range list {
		for _, kind := range []string{trace.AllKinds, p.kind} {
			k, ok := sums[kind]
			if !ok && kind != trace.AllKinds {
				kinds = append(kinds, kind)
			}
			sums[kind] = packets{n: k.n + p.n, ns: k.ns + float64(p.n)*p.ns}
		}
		if p.after != "" {
			s.Sequences = append(s.Sequences, trace.SequenceRow{Group: trace.Group{Kind: p.kind}, After: p.after, Class: trace.ClassUnder128, Sizes: class, Stat: statOf(p)})
		}
	}
	for _, kind := range kinds {
		k := sums[kind]
		k.ns /= float64(k.n)
		s.Rows = append(s.Rows, trace.SignatureRow{Group: trace.Group{Kind: kind}, Sizes: bin, Stat: statOf(k)})
		s.Classes = append(s.Classes, trace.ClassRow{Group: trace.Group{Kind: kind}, Class: trace.ClassUnder128, Sizes: class, Stat: statOf(k)})
	}
	return s
}

func statOf(p packets) trace.Stat {
	return trace.Stat{Stage: trace.Source, Measured: trace.Measured{Count: p.n, MeanNs: trace.Some(p.ns)}}
}

// TestBaselineOfOperations: packets are compared with their kind and predecessor. One
// whose predecessor the operations do not have is compared with its kind alone, and one
// of a kind that they do not send with single messages.
func TestBaselineOfOperations(t *testing.T) {
	b := baseline(t)
	single, _, _ := b.at(trace.Source, trace.Sizes{SizeLoBytes: 32, SizeHiBytes: 64})
	page := trace.After(trace.PageReply, 3).String()
	b = b.WithOperations(0, byHand([]packets{
		{"barrier-arrive", "none", 20, single.value + 100},
		{"barrier-arrive", page, 20, single.value + 40_000},
		{"diff", "none", 3, single.value + 9000}, // too few
		{"page-request", "", 20, single.value + 300},
	}))
	for _, c := range []struct {
		name string
		run  []packets
		want float64 // excess of the baseline
	}{
		{"alone", []packets{{"barrier-arrive", "none", 7, 1}}, 100},
		{"behind its page", []packets{{"barrier-arrive", page, 7, 1}}, 40_000},
		{"behind something else", []packets{{"barrier-arrive", trace.After(trace.Diff, 0).String(), 7, 1}}, 100},
		{"no sequences", []packets{{"page-request", "", 7, 1}}, 300},
		{"few packets of the operation", []packets{{"diff", "none", 7, 1}}, 0},
		{"mixed", []packets{{"barrier-arrive", "none", 6, 1}, {"barrier-arrive", page, 2, 1}, {"page-request", "", 2, 1}}, (6*100 + 2*40_000 + 2*300) / 10},
	} {
		s := byHand(c.run).Against(b)
		for _, r := range s.Rows[:1] {
			require.InDelta(t, single.value+c.want, r.BaselineNs.Value, 1e-6, c.name)
			require.InDelta(t, single.value, r.BySizeNs.Value, 1e-6, c.name)
			require.Equal(t, trace.BaselineIdle, r.BaselineFrom, c.name)
		}
		require.InDelta(t, single.value+c.want, s.Classes[0].BaselineNs.Value, 1e-6, c.name)
	}
	other := byHand([]packets{{"page-request", "", 7, 1}})
	for i := range other.Rows {
		other.Rows[i].Tag = 1
	}
	require.Equal(t, trace.BaselineBin, other.Against(b).Rows[0].BaselineFrom, "another program")
}

// TestExcessOfAllKinds: the deviation of all packets is the mean of their kinds',
// weighted by packets, whatever these are.
func TestExcessOfAllKinds(t *testing.T) {
	single, err := NewBaseline(summarize(t, synth.Unloaded()), 0)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, least int64) []packets {
			var list []packets
			for _, kind := range []string{"diff", "lock-grant", "page-request"} {
				for _, after := range []string{"none", trace.After(trace.Diff, 1).String()} {
					if n := rapid.Int64Range(0, 50).Draw(t, name); n >= least {
						list = append(list, packets{kind, after, n, rapid.Float64Range(0, 1e5).Draw(t, "ns")})
					}
				}
			}
			return list
		}
		run := draw("packets", 1)
		if len(run) == 0 {
			return
		}
		s := byHand(run).Against(single.WithOperations(0, byHand(draw("played", 1))))
		var sum, n float64
		for _, r := range s.Classes[1:] {
			sum += float64(r.Count) * r.DeviationNs.Value
			n += float64(r.Count)
		}
		require.InDelta(t, sum/n, s.Classes[0].DeviationNs.Value, 1e-6)
		require.InDelta(t, sum/n, s.Rows[0].DeviationNs.Value, 1e-6)
	})
}

// TestBaselineAsJSON: a baseline is the same after it has been stored.
func TestBaselineAsJSON(t *testing.T) {
	b := baseline(t)
	b = b.WithOperations(1, byHand([]packets{
		{"barrier-arrive", "none", 20, 5000}, {"page-reply", trace.After(trace.PageReply, 3).String(), 20, 9000.5},
	}))
	require.NotEmpty(t, b.played[1])
	text, err := json.Marshal(b)
	require.NoError(t, err)
	var again Baseline
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, b, again)

	bad := strings.ReplaceAll(string(text), trace.Source.String(), "sauce")
	require.ErrorContains(t, json.Unmarshal([]byte(bad), &again), "sauce")
}
