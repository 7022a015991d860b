package sim

import (
	"errors"
	"fmt"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

// recorder notes what it receives and schedules what its plan says.
type recorder struct {
	e    *Engine
	got  []uint64
	plan map[uint64][]Duration
	next uint64
}

func (r *recorder) Act(_ uint32, arg uint64) {
	r.got = append(r.got, arg)
	for _, d := range r.plan[arg] {
		r.next++
		r.e.After(d, r, 0, r.next)
	}
}

func TestEventsRunInOrderOfTimeThenSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.IntRange(0, 20), 1, 200).Draw(t, "times")
		e := New(1)
		r := &recorder{e: e}
		type want struct {
			at  int
			arg uint64
		}
		var wants []want
		for i, at := range times {
			e.At(Time(at), r, 0, uint64(i))
			wants = append(wants, want{at, uint64(i)})
		}
		sort.SliceStable(wants, func(i, j int) bool { return wants[i].at < wants[j].at })
		require.NoError(t, e.Run(Never))
		require.Len(t, r.got, len(wants))
		for i, w := range wants {
			require.Equal(t, w.arg, r.got[i], "event %d", i)
		}
	})
}

// The list, the wheel and the heap against a slice that is sorted anew for every event, with
// buckets whose width changes at random.
func TestQueueAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue[uint64]
		q.Start()
		q.shift = uint(rapid.IntRange(minShift, maxShift).Draw(t, "shift"))
		var now Time
		type pending struct {
			at  Time
			arg uint64
		}
		var oracle []pending
		pushes := rapid.IntRange(1, 2).Draw(t, "pushes")
		for i := range rapid.IntRange(1, 500).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "op") < pushes || len(oracle) == 0 {
				at := now + Time(rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 1<<20), rapid.Int64Range(0, 1<<40)).Draw(t, "after"))
				q.Push(at, uint64(i))
				oracle = append(oracle, pending{at, uint64(i)})
			} else {
				if rapid.IntRange(0, 9).Draw(t, "fit") == 0 {
					q.load = load{pushed: q.seq - fitEvery - 1, passed: rapid.SampledFrom([]uint64{0, 1e6}).Draw(t, "passed"), missed: fitEvery}
				}
				sort.SliceStable(oracle, func(i, j int) bool { return oracle[i].at < oracle[j].at })
				require.Equal(t, oracle[0].at, q.Next())
				v, at, _ := q.Pop()
				now = at
				require.Equal(t, oracle[0].at, at)
				require.Equal(t, oracle[0].arg, *v)
				oracle = oracle[1:]
			}
			require.Equal(t, len(oracle), q.Len())
		}
	})
}

// Buckets that adapt their width keep the order.
func TestQueueAdaptsToCrowdsAndGaps(t *testing.T) {
	var q Queue[uint64]
	q.Start()
	s := NewStream(1, "adapt")
	var now Time
	turn := func(span Duration, pending, rounds int) {
		for q.Len() < pending {
			q.Push(now.Add(s.Upto(span)), 0)
		}
		for range rounds {
			at := q.Next()
			require.LessOrEqual(t, now, at)
			_, now, _ = q.Pop()
			q.Push(now.Add(s.Upto(span)), 0)
		}
		for q.Len() > 0 {
			at := q.Next()
			require.LessOrEqual(t, now, at)
			_, now, _ = q.Pop()
		}
	}
	turn(Microsecond, 5000, 4*fitEvery)
	crowded := q.shift
	require.Less(t, crowded, uint(startShift))
	turn(50*Microsecond, 20, 10*fitEvery)
	require.Greater(t, q.shift, crowded)
}

func TestPastIsRefused(t *testing.T) {
	e := New(1)
	r := &recorder{e: e}
	e.At(10, r, 0, 0)
	require.NoError(t, e.Run(Never))
	assert.PanicsWithValue(t, "sim: op 7 for *sim.recorder scheduled at 0.009ns, before now 0.01ns", func() { e.At(9, r, 7, 0) })
}

func TestRunStopsAtLimitAndGoesOn(t *testing.T) {
	e := New(1)
	r := &recorder{e: e}
	e.At(10, r, 0, 1)
	e.At(20, r, 0, 2)
	require.NoError(t, e.Run(15))
	assert.Equal(t, []uint64{1}, r.got)
	assert.Equal(t, Time(15), e.Now())
	require.NoError(t, e.Run(Never))
	assert.Equal(t, []uint64{1, 2}, r.got)
}

func TestDigestSeesOrderAndArguments(t *testing.T) {
	run := func(first, second uint64) uint64 {
		e := New(1)
		r := &recorder{e: e}
		e.At(5, r, 0, first)
		e.At(5, r, 0, second)
		require.NoError(t, e.Run(Never))
		return e.Digest()
	}
	assert.Equal(t, run(1, 2), run(1, 2))
	assert.NotEqual(t, run(1, 2), run(2, 1))
}

func TestProcessesSleepAndWake(t *testing.T) {
	e := New(1)
	var log []string
	note := func(p *Proc, what string) { log = append(log, fmt.Sprintf("%d %s %s", e.Now(), p.Name(), what)) }
	a := e.Go("a", func(p *Proc) {
		note(p, "parks")
		p.Park("b")
		note(p, "goes on")
	})
	e.Go("b", func(p *Proc) {
		p.Sleep(7)
		note(p, "wakes a")
		a.Wake()
		a.Wake()
	})
	require.NoError(t, e.Run(Never))
	assert.Equal(t, []string{"0 a parks", "7 b wakes a", "7 a goes on"}, log)
}

func TestDeadlockNamesWaiters(t *testing.T) {
	e := New(1)
	e.Go("reader", func(p *Proc) { p.Sleep(3); p.Park("page 12 of node 4") })
	e.Go("done", func(p *Proc) {})
	err := e.Run(Never)
	var dead *DeadlockError
	require.True(t, errors.As(err, &dead))
	assert.Equal(t, []Waiting{{"reader", "page 12 of node 4", 3}}, dead.Waiting)
	assert.Contains(t, err.Error(), "reader waits for page 12 of node 4")
	e.Close()
}

// TestCloseUnwindsDeferredCalls: that a deferred call of a process that is ended cannot do its
// work is no fault of the model.
func TestCloseUnwindsDeferredCalls(t *testing.T) {
	e := New(1)
	left := false
	e.Go("p", func(p *Proc) {
		defer func() { panic("the library cannot be left") }()
		defer func() {
			left = true
			p.Sleep(1)
		}()
		p.Park("a message")
	})
	require.Error(t, e.RunUntil(func() bool { return false }))
	e.Close()
	require.True(t, left)
}

func TestCloseUnwindsProcesses(t *testing.T) {
	e := New(1)
	unwound := false
	e.Go("forever", func(p *Proc) {
		defer func() { unwound = true }()
		p.Park("nothing")
	})
	e.Go("late", func(p *Proc) { t.Error("must not start") })
	require.True(t, e.Step())
	e.Close()
	assert.True(t, unwound)
}

func TestProcessPanicReachesCaller(t *testing.T) {
	e := New(1)
	e.Go("bad", func(p *Proc) { panic("broken invariant") })
	assert.PanicsWithValue(t, "broken invariant", func() { _ = e.Run(Never) })
}

func TestStreamsAreIndependentOfOneAnother(t *testing.T) {
	a, b := NewStream(1, "node0/ni"), NewStream(1, "node1/ni")
	assert.NotEqual(t, a.Uint64(), b.Uint64())
	c := NewStream(1, "node0/ni")
	c.Uint64()
	assert.Equal(t, a, c)
	var sum float64
	for range 100000 {
		sum += a.Float64()
	}
	assert.InDelta(t, 0.5, sum/100000, 0.005)
}
