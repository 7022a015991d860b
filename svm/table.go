package svm

import "github.com/sigview/sigview/trace"

// entry is a node's view of one page.
type entry struct {
	frame   *Frame // the copy; at the home never nil after the first touch
	extra   int32  // index into extras plus one, zero for none
	state   State
	pending bool // a page request is on its way
}

const chunkPages = 8 // a node of many uses every eighth page or fewer of a large matrix

// table maps pages to entries. It grows with the pages that a node uses.
type table struct {
	chunks []*[chunkPages]entry
}

func newTable(pages int) table {
	return table{chunks: make([]*[chunkPages]entry, (pages+chunkPages-1)/chunkPages)}
}

// at returns the entry of a page, which stays where it is.
func (t *table) at(p Page) *entry {
	c := t.chunks[p/chunkPages]
	if c == nil {
		c = new([chunkPages]entry)
		t.chunks[p/chunkPages] = c
	}
	return &c[p%chunkPages]
}

// holds reports whether a page may be in the table: whether its chunk is.
func (t *table) holds(p Page) bool { return t.chunks[p/chunkPages] != nil }

// extra holds the fields that few pages need at a time.
type extra struct {
	required []Version // versions that the next copy must contain
	applied  []Version // at the home: versions of other nodes in this copy
	waiters  []waiter  // at the home: page requests that wait for diffs
}

// waiter is a page request that waits at the home.
type waiter struct {
	node     int
	span     trace.Span
	required []Version
}

// extras stores extra values and reuses them.
type extras struct {
	list []extra
	free []int32
}

// of returns the extra of an entry, a new one at first. It is valid until the next call.
func (x *extras) of(e *entry) *extra {
	if e.extra == 0 {
		if k := len(x.free) - 1; k >= 0 {
			e.extra = x.free[k]
			x.free = x.free[:k]
		} else {
			x.list = append(x.list, extra{})
			e.extra = int32(len(x.list))
		}
	}
	return &x.list[e.extra-1]
}

// release frees the entry's extra for reuse.
func (x *extras) release(e *entry) {
	if e.extra == 0 {
		return
	}
	v := &x.list[e.extra-1]
	v.required, v.applied, v.waiters = v.required[:0], v.applied[:0], v.waiters[:0]
	x.free = append(x.free, e.extra)
	e.extra = 0
}
