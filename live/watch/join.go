package watch

import "sync"

// joining joins the halves of messages between this host and another one.
type joining struct {
	other  Other
	offset realtime

	mu        sync.Mutex
	ways      map[uint64]*way
	datagrams datagramHalves
	held      []pair // of which times may still be converted better
	filed     int
	back      map[sort]*histogram // Net and Dest of messages from here, all stages of those from there that are joined
	sent      [2]uint64           // messages of which their sender has told, by whether that is there
	joined    [2]uint64           // of these
	early     uint64              // of these, with Net below 0
	unclocked uint64              // messages whose halves are of clocks that were not compared
	unsure    uint64              // datagrams whose other half may be that of another one
	told      Told
	failed    error // why the other host's watch has ended before
}

// way is a flow between both hosts. Each list is in the order in which its host tells.
type way struct{ sent, arrived, read []Half }

// pair is a message of which both halves are known.
type pair struct {
	sent, arrived, read Half
	there               bool // it was sent there
}

// Halves that wait for their other ones at most: messages of a flow, and all halves of all flows, which take 90 MB.
const (
	mostWaiting = 1 << 14
	mostHalves  = 1 << 20
)

func newJoining(o Other) *joining {
	return &joining{other: o, offset: readRealtime(), ways: map[uint64]*way{}, back: map[sort]*histogram{}}
}

// add takes halves of one host.
func (j *joining) add(there bool, all ...Half) {
	for _, h := range all {
		if h.UDP {
			j.datagram(there, h)
			continue
		}
		w := j.ways[h.Flow]
		if w == nil {
			w = new(way)
			j.ways[h.Flow] = w
		}
		switch h.Kind {
		case HalfSent:
			j.sent[index(there)]++
			w.sent = append(w.sent, h)
			j.match(w, there)
		case HalfArrived:
			w.arrived = lately(append(w.arrived, h))
		case HalfRead:
			w.read = lately(append(w.read, h))
			j.match(w, !there)
		}
	}
}

// datagram takes a half of a datagram of one host.
func (j *joining) datagram(there bool, h Half) {
	if h.Kind == HalfSent {
		j.sent[index(there)]++
	}
	other, found := j.datagrams.match(h)
	switch {
	case !found:
	case h.Kind == HalfSent:
		j.held = append(j.held, pair{h, other.arrived(), other, there})
	default:
		j.held = append(j.held, pair{other, h.arrived(), h, !there})
	}
}

func index(there bool) int {
	if there {
		return 1
	}
	return 0
}

// lately drops what has waited longest if there is too much. Of bytes that are not of a message that is followed nobody
// else does.
func lately(all []Half) []Half {
	if len(all) > 2*mostWaiting {
		return append(all[:0], all[mostWaiting:]...)
	}
	return all
}

// match joins messages of a flow, in their order. One that was not seen arriving or being read has no other half.
func (j *joining) match(w *way, there bool) {
	for len(w.sent) > 0 {
		m := &w.sent[0]
		read, passed := find(w.read, m)
		if read == nil && !passed && len(w.sent) < mostWaiting {
			return
		}
		if arrived, _ := find(w.arrived, m); read != nil && arrived != nil {
			j.held = append(j.held, pair{*m, *arrived, *read, there})
		}
		w.arrived, w.read = after(w.arrived, m), after(w.read, m)
		w.sent = w.sent[1:]
	}
}

// find returns the first half with the last byte of a message, or whether bytes behind it are there.
func find(all []Half, m *Half) (found *Half, passed bool) {
	for i := range all {
		if h := &all[i]; h.covers(m) {
			return h, false
		} else if h.behind(m) {
			passed = true
		}
	}
	return nil, passed
}

// after drops what comes before the end of a message.
func after(all []Half, m *Half) []Half {
	for len(all) > 0 && int32(all[0].End-m.End) <= 0 {
		all = all[1:]
	}
	return all
}

// forget drops flows of which nothing waits, and, if there is too much, those of whose messages nobody has told. It
// returns how many halves wait.
func (j *joining) forget(most int) (waiting int) {
	for id, w := range j.ways {
		n := len(w.sent) + len(w.arrived) + len(w.read)
		if waiting += n; n == 0 || waiting > most && len(w.sent) == 0 {
			delete(j.ways, id)
			waiting -= n
		}
	}
	return waiting
}

// end joins what there is at the end of a run. After the last one it ends the other host's watch.
func (j *joining) end(r *result, last bool) {
	var said Told
	var err error
	if last {
		said, err = j.other.End()
	} else {
		said, err = j.other.Tell(), j.other.Failed()
	}
	all := j.other.Take()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.add(true, all...)
	j.told, j.failed = said, err
	j.file(r, true)
	r.ends = true
}

// take takes what the other host has told since the last call, and files what is final.
func (j *joining) take(r *result) {
	all := j.other.Take()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.add(true, all...)
	j.file(r, false)
	j.forget(mostHalves)
}

// whole reports whether the other host has told all that it has counted.
func (j *joining) whole() bool { return len(j.told.Counts) > 0 }

// here takes a half of this host.
func (j *joining) here(h Half) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.add(false, h)
}
