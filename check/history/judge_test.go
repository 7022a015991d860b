package history

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
)

// at returns a layer's place.
func at(t *testing.T, layer, on string) platform.Place {
	t.Helper()
	p, err := platform.Load(on)
	require.NoError(t, err)
	place, err := p.At(layer)
	require.NoError(t, err)
	return place
}

// runWith returns the first of some runs whose evidence is fit, with the evidence.
func runWith(t *testing.T, place platform.Place, sort Faults, fit func(*evidence) bool) evidence {
	t.Helper()
	for seed := range uint64(2000) {
		var got evidence
		out := run(place, seed, sort, func(e *evidence) { got = *e })
		require.Empty(t, out.Findings, "seed %d", seed)
		if fit(&got) {
			return got
		}
	}
	require.Fail(t, "no run is fit")
	return evidence{}
}

// TestLossesMustBeCounted: a layer that does not repair losses has seen the damaged packets and those of
// resets, so it must tell of them. It need not tell of those that never came.
func TestLossesMustBeCounted(t *testing.T) {
	for sort, told := range map[Faults]bool{BitErrors: true, Resets: true, LostPackets: false} {
		e := runWith(t, at(t, "gam", "ppro"), sort, func(e *evidence) bool {
			return len(e.log.Judge().Missing) > 0 && len(e.log.Errors) == 0
		})
		e.counted = 0
		found, missing := e.judge()
		require.Equal(t, told, len(found) > 0, "%v: %v", sort, found)
		require.Equal(t, told, len(missing) == 0, sort)
	}
}

// TestHoles: no more messages are missing before others than packets were lost.
func TestHoles(t *testing.T) {
	e := runWith(t, at(t, "fm", "ppro"), LostPackets, func(e *evidence) bool { return e.net.Dropped > 0 && len(e.longest().got) > 8 })
	r := e.longest()
	for r.got = r.got[1:]; len(r.got) > 1 && uint64(e.log.Judge().Holes) <= e.losses(); r.got = r.got[1:] {
		found, _ := e.judge()
		require.Empty(t, found)
	}
	found, _ := e.judge()
	require.Len(t, found, 1)
	require.Regexp(t, "^[0-9]+ are missing before others that have come, and at most [0-9]+ can be lost$", found[0])
}

// longest returns the stream of messages with the most.
func (e *evidence) longest() *record {
	long := &record{}
	for s, r := range e.log.streams {
		if s.Sort == Messages && len(r.got) > len(long.got) {
			long = r
		}
	}
	return long
}

// TestUnshownDamage: damage that no checksum shows excuses the streams of the node that has received it, and
// multicasts, which nodes send on. What comes twice between two others is found.
func TestUnshownDamage(t *testing.T) {
	among := func(e *evidence, misled bool) *record {
		for s, r := range e.log.streams {
			if s.Sort == Messages && len(r.got) > 0 && (e.misled[s.From] || e.misled[s.To]) == misled {
				return r
			}
		}
		return nil
	}
	e := runWith(t, at(t, "vmmc", "shrimp"), BitErrors, func(e *evidence) bool {
		return e.net.Undetected > 0 && slices.Contains(e.misled, false) && among(e, true) != nil && among(e, false) != nil
	})
	for _, misled := range []bool{true, false} {
		r := among(&e, misled)
		r.got = append(r.got, r.got[0])
		found, _ := e.judge()
		require.Equal(t, misled, len(found) == 0, found)
	}
	require.True(t, e.doubtful(Stream{Multicasts, 0, 1}))
}

// TestWords: changes of a word are explained by an order in which each that has returned takes effect once, and one that has
// not at most once.
func TestWords(t *testing.T) {
	added := func(node int, old, operand uint64) *change {
		return &change{node: node, old: old, operand: operand, returned: true}
	}
	swapped := func(node int, old, expected, operand uint64) *change {
		return &change{node: node, swap: true, old: old, expected: expected, operand: operand, returned: true}
	}
	open := func(x *change) *change { x.returned = false; return x }
	for _, c := range []struct {
		last uint64
		all  []*change
		want bool
	}{
		{0, nil, true},
		{5, nil, false},
		{12, []*change{added(0, 0, 5), added(1, 5, 7)}, true},
		{12, []*change{added(1, 5, 7), added(0, 0, 5)}, true},
		{12, []*change{added(0, 5, 7), added(0, 0, 5)}, false}, // not in the order of their node
		{10, []*change{added(0, 0, 5)}, false},                 // twice
		{0, []*change{added(0, 0, 5)}, false},                  // not at all
		{12, []*change{added(0, 0, 5), added(1, 0, 7)}, false}, // one has missed the other
		{9, []*change{added(0, 0, 5), swapped(1, 5, 5, 9)}, true},
		{5, []*change{added(0, 0, 5), swapped(1, 5, 4, 9)}, true},
		{5, []*change{added(0, 0, 5), swapped(1, 0, 4, 9)}, true},
		{9, []*change{added(0, 0, 5), swapped(1, 5, 4, 9)}, false},
		{5, []*change{added(0, 0, 5), open(added(1, 0, 7))}, true},
		{12, []*change{added(0, 0, 5), open(added(1, 0, 7))}, true},
		{12, []*change{added(0, 7, 5), open(added(1, 0, 7))}, true},
		{19, []*change{added(0, 0, 5), open(added(1, 0, 7))}, false},
		{9, []*change{added(0, 0, 5), open(swapped(1, 0, 5, 9))}, true},
		{9, []*change{added(0, 0, 5), open(swapped(1, 0, 4, 9))}, false},
	} {
		require.Equal(t, c.want, explains(0, c.last, c.all), "%+v", c)
	}
}
