package svm

import "slices"

// Move gives a page a new home.
type Move struct {
	Page Page
	Home int32
}

// Misplaced are pages that moved from this home to one node at a barrier.
type Misplaced struct {
	To          int32
	Pages       int
	First, Last Page
	Writes      int // times between barriers in which the node alone wrote one of them
}

// watch is what a home knows of a page that one other node alone has written.
type watch struct {
	writer int32
	writes int32 // times between barriers in which it wrote the page, from the first that is watched
	vain   uint8 // times that the home used the page
	skip   int32 // writes to pass unwatched
	on     bool
}

// migration is a node's part of moving homes.
type migration struct {
	on      bool
	watches map[Page]*watch    // only looked up
	watched []Page             // ascending
	moves   map[Page]uint8     // of every page so far
	late    map[Page][]Version // diffs on their way to this node, which was the home
	early   []Message          // of nodes that have passed the barrier in which this one waits
}

// found counts a page that moves away.
func (o *Out) found(v Move, writes int) {
	i := slices.IndexFunc(o.Misplaced, func(m Misplaced) bool { return m.To == v.Home })
	if i < 0 {
		i = len(o.Misplaced)
		o.Misplaced = append(o.Misplaced, Misplaced{To: v.Home, First: v.Page})
	}
	m := &o.Misplaced[i]
	m.Pages++
	m.Last = v.Page
	m.Writes += writes
}
