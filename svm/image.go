package svm

import "fmt"

// Preload writes data into the shared memory before the program starts, as a
// parent process does before it creates threads. It takes no simulated time. It
// fails after Start, or if the data lies outside the shared memory.
func (s *System) Preload(a Addr, data []byte) error {
	if s.started {
		return fmt.Errorf("svm: preload at %d after the start", a)
	}
	if !s.spec.Layout.holds(a, len(data)) {
		return fmt.Errorf("svm: preload of %d bytes at %d, want them inside the %d pages of shared memory", len(data), a, s.spec.Layout.pages)
	}
	for len(data) > 0 {
		n := copy(s.pool.image(a.Page()).Bytes()[a.Offset():], data)
		a += Addr(n)
		data = data[n:]
	}
	return nil
}

// Snapshot reads the shared memory from the pages' homes into out, in no simulated time. It is called after the
// program has ended. It returns an error while diffs are in flight, because homes then lack writes, and for
// addresses outside of the shared memory.
func (s *System) Snapshot(a Addr, out []byte) error {
	if !s.spec.Layout.holds(a, len(out)) {
		return fmt.Errorf("svm: snapshot of %d bytes at %d, want them inside the %d pages of shared memory", len(out), a, s.spec.Layout.pages)
	}
	var made, applied uint64
	for _, m := range s.members {
		made += m.stats.Diffs
		applied += m.stats.Applied
	}
	if made != applied {
		return fmt.Errorf("svm: snapshot while %d of %d diffs are in flight", made-applied, made)
	}
	for len(out) > 0 {
		n := min(len(out), PageSize-a.Offset())
		if f := s.home(a.Page()); f != nil {
			copy(out[:n], f.Bytes()[a.Offset():])
		} else {
			clear(out[:n])
		}
		a += Addr(n)
		out = out[n:]
	}
	return nil
}

// home returns the home's copy of a page, nil if it reads as zero. A first-touch page that nobody has touched
// has its preloaded content.
func (s *System) home(p Page) *Frame {
	h := int(s.members[0].node.home(p)) // of a page that has moved all nodes know it
	if h < 0 {
		h, _ = s.spec.Layout.Home(p)
		if owner, ok := s.members[h].node.given[p]; ok {
			h = int(owner)
		}
	}
	if f := s.members[h].node.pages.at(p).frame; f != nil {
		return f
	}
	return s.pool.images[p]
}

// image returns the frame that holds a preloaded page until its home takes it.
func (p *Pool) image(page Page) *Frame {
	f := p.images[page]
	if f == nil {
		if p.images == nil {
			p.images = make(map[Page]*Frame)
		}
		f = p.get()
		f.fill(0)
		p.images[page] = f
	}
	return f
}

// first returns a home's first frame of a page: the preloaded one, or one that reads as zero.
func (p *Pool) first(page Page) *Frame {
	if f, ok := p.images[page]; ok {
		delete(p.images, page)
		return f
	}
	return p.empty()
}
