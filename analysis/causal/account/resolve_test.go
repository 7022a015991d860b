package account

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// instant is what an actor does during one picosecond.
type instant struct {
	resource, rootResource waits.Resource
	what                   waits.What
	holder, root           waits.ID
}

// slow resolves one picosecond after another, by looking through the whole log.
type slow struct{ *waits.Log }

func (s slow) holding(r waits.Resource, instance int32, at int64, self waits.ID) waits.ID {
	var by waits.ID
	ends := int64(1 << 60)
	held := slices.Clone(s.Holds)
	slices.SortFunc(held, func(a, b waits.Hold) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End), cmp.Compare(a.Actor, b.Actor))
	})
	for _, h := range held {
		if h.Resource == r && h.Instance == instance && h.Begin <= at && at < h.End && h.Actor != self && h.End < ends {
			by, ends = h.Actor, h.End
		}
	}
	return by
}

func (s slow) direct(id waits.ID, at int64) (i instant, ok bool) {
	for _, x := range s.Intervals {
		if x.Actor != id || at < x.Begin || at >= x.End {
			continue
		}
		i = instant{resource: x.Resource, what: x.What}
		if x.What != waits.Waiting {
			return i, true
		}
		if x.By != 0 {
			i.holder = x.By
			return i, true
		}
		switch x.Resource {
		case waits.Request:
			if i.holder = s.holding(waits.Slot, x.Instance, at, id); i.holder != 0 {
				i.resource = waits.Slot
			} else if i.holder = s.holding(waits.Processor, x.Instance, at, id); i.holder != 0 {
				i.resource = waits.Processor
			} else {
				i.what = waits.Idle
			}
		case waits.Processor:
			i.holder = s.holding(waits.Processor, x.Instance, at, id)
			if i.holder == 0 && s.Actors[id].Type == waits.Control {
				if i.holder = s.holding(waits.SEngine, x.Instance, at, id); i.holder != 0 {
					i.resource = waits.SEngine
				}
			}
			if i.holder == 0 {
				i.what = waits.Idle
			}
		default:
			if x.Line {
				id = 0 // nobody in a line has the place
			}
			i.holder = s.holding(x.Resource, x.Instance, at, id)
		}
		return i, true
	}
	return i, false
}

func (s slow) At(id waits.ID, at int64) (instant, bool) {
	i, ok := s.direct(id, at)
	if !ok || i.holder == 0 {
		return i, ok
	}
	seen := []waits.ID{id}
	i.root, i.rootResource = i.holder, i.resource
	for !i.rootResource.Serves() {
		seen = append(seen, i.root)
		d, alive := s.direct(i.root, at)
		next := d.holder
		switch {
		case alive:
			i.rootResource = d.resource
		case at < s.Actors[i.root].Begin:
			next = s.Actors[i.root].Cause
		}
		if next == 0 || slices.Contains(seen, next) {
			return i, true
		}
		i.root = next
	}
	return i, true
}

func TestResolveAgreesWithEveryInstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := synth.RandomLog(t)
		a, err := Resolve(log)
		require.NoError(t, err)
		for id := range log.Actors {
			for p := range a.Parts(waits.ID(id), 0, Forever) {
				for at := p.Begin; at < p.End; at++ {
					want, ok := slow{log}.At(waits.ID(id), at)
					got := instant{p.Resource, p.RootResource, p.What, p.Holder, p.Root}
					require.True(t, ok)
					require.Equal(t, want, got, "actor %d at %d", id, at)
				}
			}
		}
		var r Reader
		require.NoError(t, r.Actors(slices.Collect(a.ActorRows())))
		require.NoError(t, r.Waits(slices.Collect(a.WaitRows())))
		require.NoError(t, r.Holds(slices.Collect(a.HoldRows())))
		back, err := r.Account()
		require.NoError(t, err)
		require.Equal(t, slices.Collect(a.WaitRows()), slices.Collect(back.WaitRows()))
		for id := range log.Actors {
			require.Equal(t, slices.Collect(a.Parts(waits.ID(id), 0, Forever)), slices.Collect(back.Parts(waits.ID(id), 0, Forever)))
		}
		require.LessOrEqual(t, len(back.Pieces), len(a.Pieces), "pieces that differ by their roots only are one")
		for row := range a.WaitRows() {
			require.NoError(t, trace.CheckRow(&row))
		}
		for row := range a.HoldRows() {
			require.NoError(t, trace.CheckRow(&row))
		}
	})
}

// TestLine: who waits in line is recorded once, however many are ahead, and the table of holds tells who they were.
func TestLine(t *testing.T) {
	const n = 50
	l := waits.NewLog()
	for i := range int64(n) {
		id := l.Begin(waits.Actor{Peer: int32(i % 2)}, waits.Interval{Resource: waits.Port, What: waits.Waiting, Line: true})
		l.Turn(id, waits.Interval{Resource: waits.Port, Begin: 10 * i}, 0)
		l.Hold(waits.Hold{Resource: waits.Port, Actor: id, Begin: 10 * i, End: 10*i + 9}) // a gap
		l.End(id, 10*i+9)
	}
	a, err := Resolve(l)
	require.NoError(t, err)
	require.Equal(t, []Piece{
		{End: 489, Holder: n - 1, Resource: waits.Port, What: waits.Waiting, Line: true},
		{Begin: 489, End: 490, Resource: waits.Port, What: waits.Waiting},
		{Begin: 490, End: 499, Resource: waits.Port},
	}, a.Of(n))
	require.Len(t, slices.Collect(a.Held(a.Of(n)[0])), 2*(n-1)-1, "those ahead, and the gaps between them")
	require.Less(t, len(slices.Collect(a.WaitRows())), 3*n)
	require.Len(t, slices.Collect(a.HoldRows()), n)
	require.EqualValues(t, 3, a.Chain(n, 25)[1].Actor)

	var lost Reader
	require.NoError(t, lost.Actors(slices.Collect(a.ActorRows())))
	require.NoError(t, lost.Waits(slices.Collect(a.WaitRows())))
	_, err = lost.Account()
	require.ErrorContains(t, err, "actor 3: waits in line for port 0, wanted a hold of it in the table holds")
}

func TestResolveMergesWhatIsEqual(t *testing.T) {
	l := waits.NewLog()
	p := l.Begin(waits.Actor{Type: waits.Process}, waits.Interval{Resource: waits.CPU})
	q := l.Begin(waits.Actor{}, waits.Interval{Resource: waits.HostDMA, What: waits.Waiting})
	l.Hold(waits.Hold{Resource: waits.HostDMA, Actor: p, Begin: 0, End: 4})
	l.Hold(waits.Hold{Resource: waits.HostDMA, Actor: p, Begin: 4, End: 8})
	l.Finish(10)
	a, err := Resolve(l)
	require.NoError(t, err)
	require.Equal(t, []Rooted{
		{Piece{Begin: 0, End: 8, Holder: p, Resource: waits.HostDMA, What: waits.Waiting}, p, waits.CPU},
		{Piece: Piece{Begin: 8, End: 10, Resource: waits.HostDMA, What: waits.Waiting}},
	}, slices.Collect(a.Parts(q, 0, 10)))
}

func TestResolveRefusesGaps(t *testing.T) {
	l := waits.NewLog()
	p := l.Begin(waits.Actor{}, waits.Interval{Resource: waits.CPU})
	l.Finish(10)
	l.Intervals[0].Begin = 1
	_, err := Resolve(l)
	require.ErrorContains(t, err, "actor 1: interval at cpu from 1 to 10 ps, wanted it to begin at 0")
	l.Intervals[0].Begin, l.Intervals[0].End = 0, 9
	_, err = Resolve(l)
	require.ErrorContains(t, err, "its intervals end at 9 ps, wanted 10")
	l.Intervals[0].End, l.Intervals[0].What, l.Intervals[0].By = 10, waits.Waiting, p+7
	_, err = Resolve(l)
	require.ErrorContains(t, err, "holder 8")
}

// TestPeriodOfALog: a reader of a period has the same pieces in it, chains at its instants and
// sums of waiting as one of all of the log.
func TestPeriodOfALog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, err := Resolve(synth.RandomLog(t))
		require.NoError(t, err)
		from := rapid.Int64Range(0, 10).Draw(t, "from")
		to := from + rapid.Int64Range(1, 8).Draw(t, "length")
		r := ReaderOf(Period{from, to})
		require.NoError(t, r.Actors(slices.Collect(whole.ActorRows())))
		for row := range whole.WaitRows() {
			require.NoError(t, r.Waits([]trace.WaitRow{row}))
		}
		require.NoError(t, r.Holds(slices.Collect(whole.HoldRows())))
		part, err := r.Account()
		require.NoError(t, err)
		require.True(t, part.Covers(from, to) && whole.Covers(from-1, to+1))
		require.False(t, part.Covers(from-1, to) || part.Covers(from, to+1))
		at := rapid.Int64Range(from, to-1).Draw(t, "at")
		for id := range waits.ID(len(whole.Actors)) {
			require.Equal(t, whole.Waited(id), part.Waited(id))
			var want, got []Piece
			for in, list := range map[*[]Piece][]Piece{&want: whole.Of(id), &got: part.Of(id)} {
				for _, p := range list {
					if p.End > from && p.Begin < to {
						p.Begin, p.End = max(p.Begin, from), min(p.End, to)
						*in = appendPiece(*in, 0, p) // a reader joins what differs by its roots only
					}
				}
			}
			require.Equal(t, want, got)
			require.Len(t, part.Chain(id, at), len(whole.Chain(id, at)))
		}
	})
}
