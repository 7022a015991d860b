package causal

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace/waits"
)

func resolved(t require.TestingT, log *waits.Log) *Graph {
	a, err := Resolve(log)
	require.NoError(t, err)
	return NewGraph(a)
}

// drawGraph draws a log and its graph.
func drawGraph(t *rapid.T) (*waits.Log, *Graph) {
	log := randomLog(t)
	return log, resolved(t, log)
}

func TestPathFillsTheTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, g := drawGraph(t)
		end := waits.ID(rapid.IntRange(1, len(log.Actors)-1).Draw(t, "end"))
		from := rapid.Int64Range(0, 20).Draw(t, "from")
		to := from + rapid.Int64Range(0, 20).Draw(t, "to")
		at := to
		g.CriticalPath(end, from, to, func(s Segment) {
			require.Equal(t, at, s.End)
			require.Less(t, s.Begin, s.End)
			at = s.Begin
			if s.Piece >= 0 {
				p := g.Pieces[s.Piece]
				require.True(t, p.Begin <= s.Begin && s.End <= p.End)
				require.Contains(t, g.Of(s.Actor), p)
			}
			for _, i := range []int32{s.Queue, s.Event} {
				if i >= 0 {
					require.True(t, g.Pieces[i].Begin <= s.Begin && g.handed(i))
				}
			}
		})
		require.Equal(t, from, at)
	})
}

func TestWithoutAChangeNothingMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, g := drawGraph(t)
		for id := 1; id < len(log.Actors); id++ {
			at := rapid.Int64Range(0, 20).Draw(t, "at")
			require.Equal(t, at, newReplay(g).whatIf(Change{}, stretch{last: waits.ID(id), to: at}).Length)
		}
	})
}

// line is a process that sends packets through two engines, each of which serves them
// one at a time in their order.
type line struct {
	gap         []int64 // computation before each packet
	first, next int64   // service times of the engines
}

// last returns when the last packet is through, by Lindley's recursion.
func (l line) last(freeFirst bool) int64 {
	var sent, one, two int64
	for _, gap := range l.gap {
		sent += gap
		if freeFirst {
			one = sent + l.first
		} else {
			one = max(sent, one) + l.first
		}
		two = max(one, two) + l.next
	}
	return two
}

// log writes down what happens on the line.
func (l line) log() (*waits.Log, waits.ID) {
	log := waits.NewLog()
	host := log.Begin(waits.Actor{Type: waits.Process}, waits.Interval{Resource: waits.CPU})
	var sent, one, two int64
	var last waits.ID
	for _, gap := range l.gap {
		sent += gap
		last = log.Begin(waits.Actor{Cause: host}, waits.Interval{Resource: waits.HostDMA, What: waits.Waiting, Begin: sent})
		one = l.serve(log, last, waits.HostDMA, max(sent, one), l.first)
		log.Turn(last, waits.Interval{Resource: waits.SEngine, What: waits.Waiting, Begin: one}, 0)
		two = l.serve(log, last, waits.SEngine, max(one, two), l.next)
		log.End(last, two)
	}
	log.Finish(sent)
	return log, last
}

func (line) serve(log *waits.Log, id waits.ID, r waits.Resource, at, service int64) (end int64) {
	log.Turn(id, waits.Interval{Resource: r, Begin: at}, 0)
	log.Hold(waits.Hold{Resource: r, Actor: id, Begin: at, End: at + service})
	return at + service
}

func TestWhatIfAgreesWithLindley(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := line{
			gap:   rapid.SliceOfN(rapid.Int64Range(1, 30), 1, 12).Draw(t, "gap"),
			first: rapid.Int64Range(1, 30).Draw(t, "first"), next: rapid.Int64Range(1, 30).Draw(t, "next"),
		}
		log, last := l.log()
		g := resolved(t, log)
		require.Equal(t, l.last(false), log.Actors[last].End)
		free := Change{Free: []waits.Resource{waits.HostDMA}}
		require.Equal(t, l.last(true), newReplay(g).whatIf(free, stretch{last: last, to: log.Actors[last].End}).Length)

		twice := Change{Factor: map[waits.Resource]float64{waits.HostDMA: 2, waits.SEngine: 3}}
		slow := line{l.gap, 2 * l.first, 3 * l.next}
		require.Equal(t, slow.last(false), newReplay(g).whatIf(twice, stretch{last: last, to: log.Actors[last].End}).Length, "longer services make new queues")
	})
}

func TestPathOfALine(t *testing.T) {
	l := line{gap: []int64{5, 1, 1}, first: 10, next: 4}
	log, last := l.log()
	g := resolved(t, log)
	byResource := map[waits.Resource]int64{}
	var queued int64
	g.CriticalPath(last, 0, log.Actors[last].End, func(s Segment) {
		byResource[g.Pieces[s.Piece].Resource] += s.Length()
		if s.Queue >= 0 {
			queued += s.Length()
		}
	})
	// 5 of computation, three services of the first engine, one of the second.
	require.Equal(t, map[waits.Resource]int64{waits.CPU: 5, waits.HostDMA: 30, waits.SEngine: 4}, byResource)
	require.EqualValues(t, 18, queued, "the third packet is ready at 7 and served at 25")
}
