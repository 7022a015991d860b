package causal

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// echo adds to the log of a line a process that waits for its last packet.
func (l line) echo() *waits.Log {
	log, last := l.log()
	end := log.Actors[last].End
	id := log.Begin(waits.Actor{Type: waits.Process, Node: 1, Name: "receiver 1"}, waits.Interval{Resource: waits.Event, What: waits.Waiting})
	log.Turn(id, waits.Interval{Resource: waits.CPU, Begin: end}, last)
	log.End(id, end+10)
	return log
}

func TestExplainALine(t *testing.T) {
	log := line{gap: []int64{5, 1, 1}, first: 10, next: 4}.echo()
	e := Explain(resolved(t, log), 0)
	require.EqualValues(t, 49, e.Length())
	require.Equal(t, []Use{
		{Resource: waits.HostDMA, Service: 30}, {Resource: waits.CPU, Service: 15}, {Resource: waits.SEngine, Service: 4},
	}, e.Path)
	require.Len(t, e.Queues, 1)
	q := e.Queues[0]
	require.Equal(t, waits.HostDMA, q.Resource)
	require.EqualValues(t, 9+18, q.Waited, "the second packet is ready at 6 and served at 15")
	require.EqualValues(t, 18, q.OnPath)
	require.EqualValues(t, 39-27, q.Saved, "without the queue the first engine ends at 15, 16 and 17, the second at 19, 23 and 27")
	require.Equal(t, 1.0, e.AttributedShare())

	f := e.Findings()
	require.Len(t, f, 1)
	require.Equal(t, trace.Attributed, f[0].Grade)
	require.Equal(t, "host_dma", f[0].Resource)
	require.Equal(t, "data packets (100.0 %) of node 0", f[0].Culprit)
	require.Equal(t, 0, *f[0].Node)
	require.Contains(t, f[0].Evidence[0], "data packet 4 from node 0 to 0 waits 0.0 µs")
}

func TestExplanationSumsToTheTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := randomLog(t)
		for id := range log.Actors {
			log.Actors[id].Type = waits.Type(rapid.IntRange(0, 3).Draw(t, "type"))
		}
		e := Explain(resolved(t, log), 0)
		var path int64
		for _, u := range e.Path {
			path += u.Length()
		}
		require.Equal(t, e.Length(), path)
		for _, q := range e.Queues {
			var held, roots int64
			for _, s := range q.Holders {
				held += s.Waited
			}
			for _, s := range q.Roots {
				roots += s.Waited
			}
			require.Equal(t, q.Waited, held+q.Unknown)
			require.Equal(t, held, roots)
			require.LessOrEqual(t, q.OnPath, e.Length())
		}
		for _, f := range e.Findings() {
			require.NotEmpty(t, f.Text)
		}
	})
}

// TestNothingIsFoundWithoutAQueue sends packets so far apart that none waits.
func TestNothingIsFoundWithoutAQueue(t *testing.T) {
	log := line{gap: []int64{5, 20, 20}, first: 10, next: 4}.echo()
	require.Empty(t, Explain(resolved(t, log), 0).Findings())
}
