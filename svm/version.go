package svm

// Version names interval Interval of writer Node. A list of versions is a sparse vector time: a
// writer that is not listed has interval zero.
type Version struct {
	Node     int32
	Interval uint32
}

// raise makes the list's entry for v.Node at least v.Interval. Lists are short
// (the writers of one page between two fetches), so the search is linear.
func raise(list []Version, v Version) []Version {
	for i := range list {
		if list[i].Node == v.Node {
			list[i].Interval = max(list[i].Interval, v.Interval)
			return list
		}
	}
	return append(list, v)
}

// at returns the list's interval for a node, or zero if the node is not listed.
func at(list []Version, node int32) uint32 {
	for _, v := range list {
		if v.Node == node {
			return v.Interval
		}
	}
	return 0
}

// Interval is a write notice: the pages that a node wrote between two of its
// synchronizations. Intervals of a node are numbered from one. Nodes share
// them, and they are immutable.
type Interval struct {
	Node  int32
	ID    uint32
	Pages []Page // ascending
}

// history holds the intervals that a node has seen since the last barrier, by writer. Older ones are known to
// all nodes and discarded. Its size grows with the intervals since the barrier, not with the number of nodes.
//
// Invariant: slot[w] is the index in writers of each writer w that has an interval.
type history struct {
	slot    map[int32]int // only looked up, never ranged over
	writers []writer      // in order of first appearance
}

// writer is the intervals of one node. They are used again after a barrier, with their memory.
type writer struct {
	node      int32
	intervals []*Interval // ascending, without gaps
}

// latest returns the number of a node's last interval, 0 if it has none since the barrier.
func (h *history) latest(node int32) uint32 {
	if i, ok := h.slot[node]; ok {
		w := &h.writers[i]
		return w.intervals[len(w.intervals)-1].ID
	}
	return 0
}

// add adds an interval, which has to follow the last one of its node.
func (h *history) add(i *Interval) {
	s, ok := h.slot[i.Node]
	if !ok {
		if h.slot == nil {
			h.slot = make(map[int32]int)
		}
		s = len(h.writers)
		h.slot[i.Node] = s
		if s < cap(h.writers) {
			h.writers = h.writers[:s+1]
			h.writers[s] = writer{node: i.Node, intervals: h.writers[s].intervals[:0]}
		} else {
			h.writers = append(h.writers, writer{node: i.Node})
		}
	}
	w := &h.writers[s]
	w.intervals = append(w.intervals, i)
}

// time appends the vector time since the last barrier to list.
func (h *history) time(list []Version) []Version {
	for i := range h.writers {
		w := &h.writers[i]
		list = append(list, Version{w.node, w.intervals[len(w.intervals)-1].ID})
	}
	return list
}

// unknown appends the intervals of other nodes that a node with the given time has not seen. Numbers of a
// writer have no gaps, so that the difference of two is a number of intervals.
func (h *history) unknown(list []*Interval, node int32, time []Version) []*Interval {
	for i := range h.writers {
		w := &h.writers[i]
		if w.node == node {
			continue
		}
		known, first := 0, w.intervals[0].ID
		if seen := at(time, w.node); seen >= first {
			known = min(int(seen-first)+1, len(w.intervals))
		}
		list = append(list, w.intervals[known:]...)
	}
	return list
}

// forget discards all intervals, as a barrier allows. The memory stays for the next ones.
func (h *history) forget() {
	clear(h.slot)
	for i := range h.writers {
		clear(h.writers[i].intervals)
	}
	h.writers = h.writers[:0]
}
