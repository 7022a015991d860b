package causal

import "github.com/sigview/sigview/trace/waits"

// worth is what a run without a cause would save, in ps, by the path and a replay.
//
// Invariant: least <= cost <= most.
type worth struct {
	cost        int64 // the estimate
	least, most int64
	replay      int64 // what a replay without it saves; 0 if that is not credible
	hidden      bool  // neither tells: most is what processes wait for others
	event       bool  // it has a begin and an end, and costs no more than it has on the path
}

// believed is how many times the time on the critical path a replay may save, beside a hundredth of the run time, so that
// it is credible. It can save more than the path has because services come in another order, but the more, the less
// is known of what a run does.
const believed = 2

// byReplay estimates the worth of something that has onPath ps on the critical path of length ps, without which a
// replay saves saved ps. The replay is the estimate where it is credible, and the path else. Both are its bounds.
func byReplay(onPath, saved, length int64) worth {
	saved = max(saved, 0)
	if most := believed*onPath + length/100; saved > most {
		return worth{cost: onPath, most: most}
	}
	return worth{cost: saved, least: min(saved, onPath), most: max(saved, onPath), replay: saved}
}

// byPath estimates the worth of an event: all that it has on the critical path. A replay that keeps what came after
// it in its order bounds it from below.
func byPath(onPath, saved int64) worth {
	saved = min(max(saved, 0), onPath)
	return worth{cost: onPath, least: saved, most: onPath, replay: saved}
}

// allowed is by what factor a run without a cause may save more, or less, than the path and the replay say: what waits behind the
// cause comes in another order then, and programs are never quite even. Of planted causes nine in ten lie between; see check/plantings.
const allowed = 2

// widened returns the estimate with bounds between which a run is expected that takes length ps.
func (w worth) widened(length int64) worth {
	if w.least /= allowed; !w.event {
		w.most = max(w.cost, min(allowed*w.most, length))
	}
	return w
}

// worth returns what a run without the outlier saves, of a run of length ps.
func (x *Outlier) worth(length int64) worth {
	if x.Slow != nil && x.Slow.Engine() {
		w := byReplay(x.OnPath-x.Behind, x.Saved, length)
		w.cost, w.most = w.cost+x.Behind, w.most+x.Behind
		return w
	}
	w := byPath(x.OnPath, x.Saved)
	if w.event = x.Gap != nil; x.Slow != nil && !x.Slow.Room() { // a replay does not know it, or only how long a fetch takes
		w.most += w.most / 2
	}
	return w
}

// worth returns what a run saves in which the place is twice as fast: what a replay does, and at most half of its time on the
// path. It lies between nothing and all of that time. A replay that keeps the order of a server's jobs knows little of a device.
func (x *Busy) worth() worth {
	if x.Resource == waits.Device {
		return worth{cost: x.OnPath / 2, most: x.OnPath}
	}
	return worth{cost: min(max(x.Saved, 0), x.OnPath/2), most: x.OnPath}
}

// worth returns what a run without the queue saves, of a run of length ps. Of what is saved only the part not due to
// the actor's own messages counts. A queue with nothing on the path costs nothing.
func (q *Queue) worth(length int64) worth {
	if q.OnPath == 0 {
		return worth{}
	}
	// The replay does not tell own waits from others: their shares on the path divide what it saves.
	saved := q.Saved
	if q.Own > 0 {
		saved = int64(float64(saved) * float64(q.OnPath) / float64(q.OnPath+q.Own))
	}
	// A replay does not know how fast transfers are alone, nor what comes before a packet that is not lost.
	if q.Resource.Shared() || q.Resource == waits.Timer {
		return byPath(q.OnPath, saved)
	}
	return byReplay(q.OnPath, saved, length)
}
