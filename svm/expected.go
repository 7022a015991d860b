package svm

// Expected holds the frames that a node has named for requested pages, the same
// for every Transport.
type Expected struct{ pages []page }

// Expect implements Transport.
func (e *Expected) Expect(p Page, f *Frame) { e.pages = append(e.pages, page{page: p, frame: f}) }

// Landed implements Transport.
func (e *Expected) Landed(p Page) { claim(&e.pages, p) }

// Frame returns the frame that is named for a page, or nil.
func (e *Expected) Frame(p Page) *Frame {
	for i := range e.pages {
		if e.pages[i].page == p {
			return e.pages[i].frame
		}
	}
	return nil
}
