package graph

import (
	"testing"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace/waits"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func resolved(t require.TestingT, log *waits.Log) *Graph {
	a, err := account.Resolve(log)
	require.NoError(t, err)
	return New(a)
}

// drawGraph draws a log and its graph.
func drawGraph(t *rapid.T) (*waits.Log, *Graph) {
	log := synth.RandomLog(t)
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
					require.True(t, g.Pieces[i].Begin <= s.Begin && endedByHolder(g.Account, i))
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
			require.Equal(t, at, newReplay(g).WhatIf(Change{}, Stretch{Last: waits.ID(id), To: at}).Length)
		}
	})
}

func TestWhatIfAgreesWithLindley(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := synth.Line{
			Gap:   rapid.SliceOfN(rapid.Int64Range(1, 30), 1, 12).Draw(t, "gap"),
			First: rapid.Int64Range(1, 30).Draw(t, "first"), Next: rapid.Int64Range(1, 30).Draw(t, "next"),
		}
		log, last := l.Log()
		g := resolved(t, log)
		require.Equal(t, l.Last(false), log.Actors[last].End)
		free := Change{Free: []waits.Resource{waits.HostDMA}}
		require.Equal(t, l.Last(true), newReplay(g).WhatIf(free, Stretch{Last: last, To: log.Actors[last].End}).Length)

		twice := Change{Factor: map[waits.Resource]float64{waits.HostDMA: 2, waits.SEngine: 3}}
		slow := synth.Line{Gap: l.Gap, First: 2 * l.First, Next: 3 * l.Next}
		require.Equal(t, slow.Last(false), newReplay(g).WhatIf(twice, Stretch{Last: last, To: log.Actors[last].End}).Length, "longer services make new queues")
	})
}

func TestPathOfALine(t *testing.T) {
	l := synth.Line{Gap: []int64{5, 1, 1}, First: 10, Next: 4}
	log, last := l.Log()
	g := resolved(t, log)
	byResource := map[waits.Resource]int64{}
	var queued int64
	g.CriticalPath(last, 0, log.Actors[last].End, func(s Segment) {
		byResource[g.Pieces[s.Piece].Resource] += s.Length()
		if s.Queue >= 0 {
			queued += s.Length()
		}
	})
	// All computation of the process until the third packet is ready at 7, what the first engine serves from then on, and one service of the second.
	require.Equal(t, map[waits.Resource]int64{waits.CPU: 7, waits.HostDMA: 28, waits.SEngine: 4}, byResource)
	require.EqualValues(t, 18, queued, "the third packet is ready at 7 and served at 25")
}

// TestPathGoesOnWithWhoWaits: a packet that waits 1 ps for another one's engine is late because it is sent late.
func TestPathGoesOnWithWhoWaits(t *testing.T) {
	log := waits.NewLog()
	for node, at := range []int64{60, 69} {
		process := log.Begin(waits.Actor{Type: waits.Process, Node: int32(node)}, waits.Interval{Resource: waits.CPU, Instance: int32(node)})
		log.End(process, at)
		packet := log.Begin(waits.Actor{Type: waits.Packet, Cause: process, Node: int32(node), Peer: 2, Begin: at}, waits.Interval{Resource: waits.Port, Begin: at})
		if node == 1 {
			log.Turn(packet, waits.Interval{Resource: waits.Port, What: waits.Waiting, Begin: at}, 0)
			log.Turn(packet, waits.Interval{Resource: waits.Port, Begin: 70}, packet-2)
		}
		log.Hold(waits.Hold{Resource: waits.Port, Actor: packet, Begin: 60 + 10*int64(node), End: 70 + 10*int64(node)})
		log.End(packet, 70+10*int64(node))
	}
	g := resolved(t, log)
	var nodes []int32
	g.CriticalPath(waits.ID(len(log.Actors)-1), 0, 80, func(s Segment) { nodes = append(nodes, g.Actors[s.Actor].Node) })
	require.Equal(t, []int32{1, 0, 1}, nodes, "its service, the end of the service before, its process")
}
