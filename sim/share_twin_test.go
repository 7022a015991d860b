package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// twin moves the same flows in bursts: each capacity serves one burst at a time,
// round robin over the flows that have one for it, and a flow's bursts pass
// through its capacities in order with a window of buffered bursts before each. Sources
// emit at their limit. It shares nothing with Pool and takes a thousand times longer.
type twin struct {
	servers []twinServer
	flows   []*twinFlow
	now     int64 // ps
}

type twinServer struct {
	psPerBurst int64
	serving    *twinFlow
	stage      int
	until      int64
	last       int // flow served last
}

type twinFlow struct {
	start, stop int64 // ps; stop is the end of the comparison for a flow that never stops
	bursts      int
	gapPs       int64 // between bursts at the source
	path        []int // capacities
	queued      []int // bursts before each
	room        []int
	emitted     int
	nextEmit    int64
	moved       int
}

const (
	burstBytes  = 32
	twinWindow  = 3
	psPerSecInt = int64(1e12)
)

func (w *twin) alive(f *twinFlow) bool { return w.now >= f.start && w.now < f.stop }

// step does what is possible now.
func (w *twin) step() {
	for again := true; again; {
		again = false
		for _, f := range w.flows {
			if w.alive(f) && f.emitted < f.bursts && w.now >= f.nextEmit && f.room[0] > 0 {
				f.emitted++
				f.room[0]--
				f.queued[0]++
				f.nextEmit = max(f.nextEmit, w.now-f.gapPs) + f.gapPs
				again = true
			}
		}
		for c := range w.servers {
			again = w.serve(c) || again
		}
	}
}

// serve ends the burst of server c if it is due and begins another.
func (w *twin) serve(c int) bool {
	s := &w.servers[c]
	did := false
	if f := s.serving; f != nil {
		if w.now < s.until {
			return false
		}
		s.serving = nil
		did = true
		f.room[s.stage]++
		if s.stage+1 < len(f.path) {
			f.queued[s.stage+1]++
		} else {
			f.moved++
		}
	}
	for i := 1; i <= len(w.flows); i++ {
		n := (s.last + i) % len(w.flows)
		f := w.flows[n]
		if !w.alive(f) {
			continue
		}
		for k, at := range f.path {
			if at != c || f.queued[k] == 0 || (k+1 < len(f.path) && f.room[k+1] == 0) {
				continue
			}
			f.queued[k]--
			if k+1 < len(f.path) {
				f.room[k+1]--
			}
			s.serving, s.stage, s.until, s.last = f, k, w.now+s.psPerBurst, n
			return true
		}
	}
	return did
}

// run goes on to t.
func (w *twin) run(t int64) {
	for {
		w.step()
		next := t
		for i := range w.servers {
			if s := &w.servers[i]; s.serving != nil {
				next = min(next, s.until)
			}
		}
		for _, f := range w.flows {
			if f.start > w.now {
				next = min(next, f.start)
			} else if f.nextEmit > w.now && f.emitted < f.bursts {
				next = min(next, f.nextEmit)
			}
		}
		if w.now >= t {
			return
		}
		w.now = next
	}
}

func TestPoolAgainstBursts(t *testing.T) {
	// Bursts of one flow wait for one of each other flow, at each capacity.
	allowed := [4]float64{0, 8, 16, 20}
	var worst [4]float64
	rapid.Check(t, func(rt *rapid.T) {
		e := New(1)
		n := rapid.IntRange(1, 3).Draw(rt, "capacities")
		w := &twin{}
		var rates []Rate
		for range n {
			r := Rate(rapid.Int64Range(20, 400).Draw(rt, "MB/s") * mb)
			rates = append(rates, r)
			w.servers = append(w.servers, twinServer{psPerBurst: burstBytes * psPerSecInt / int64(r)})
		}
		p := NewPool(e, "bus", rates...)
		x := newEnds(e)
		flows := make([]Flow, rapid.IntRange(1, 5).Draw(rt, "flows"))
		for i := range flows {
			f := &twinFlow{stop: 1 << 62}
			f.start = rapid.Int64Range(0, 50_000_000).Draw(rt, "start")
			f.bursts = rapid.IntRange(1, 300).Draw(rt, "bursts")
			limit := Rate(rapid.Int64Range(10, 500).Draw(rt, "limit") * mb)
			f.gapPs = burstBytes * psPerSecInt / int64(limit)
			uses := rapid.Uint32Range(1, 1<<n-1).Draw(rt, "uses")
			for c := range n {
				if uses>>c&1 != 0 {
					f.path = append(f.path, c)
					f.room = append(f.room, twinWindow)
				}
			}
			f.queued = make([]int, len(f.path))
			w.flows = append(w.flows, f)
			at(e, float64(f.start)/1e6, func() {
				p.Start(&flows[i], int64(f.bursts)*burstBytes, limit, uses, x, 0, uint64(i))
			})
		}
		for now := int64(1_500_000); now < 200_000_000; now += 1_500_000 {
			require.NoError(rt, e.Run(Time(now)))
			w.run(now)
			for i, f := range w.flows {
				if now < f.start {
					continue
				}
				fluid := float64(int64(f.bursts)*burstBytes-flows[i].Remaining()) / burstBytes
				off := max(fluid-float64(f.moved), float64(f.moved)-fluid)
				require.LessOrEqual(rt, off, allowed[n], "flow %d at %d ps: %.1f bursts, twin %d", i, now, fluid, f.moved)
				worst[n] = max(worst[n], off)
			}
		}
	})
	t.Logf("largest difference: %.1f bursts", worst[1:])
}
