package history

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/platform"
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
