package gam

import (
	"slices"

	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/host"
)

// stage is pinned memory from which the interface fetches. It is a ring of
// pieces that are freed in order.
type stage struct {
	program *firmware.Program
	at      host.Addr
	bytes   int
	next    int // offset of the next piece
	pieces  []piece
}

// piece holds the data of a request.
type piece struct {
	begin, end int
	request    *firmware.Request
}

// align is the alignment of pieces, so that none share a cache line.
const align = 64

// claim waits until a piece is free, assigns it to a request for its data, and
// holds the request until its data has left.
func (s *stage) claim(c *host.Context, r *firmware.Request) {
	if s.next+r.Bytes > s.bytes {
		s.next = 0
	}
	begin, end := s.next, s.next+r.Bytes
	for len(s.pieces) > 0 {
		old := s.pieces[0]
		if !old.request.Left && !s.overlap(begin, end) {
			break
		}
		old.request.Wait(c, true)
		s.program.Free(old.request)
		s.pieces = s.pieces[:copy(s.pieces, s.pieces[1:])]
	}
	r.Hold()
	r.From = s.at + host.Addr(begin)
	s.pieces = append(s.pieces, piece{begin, end, r})
	s.next = (end + align - 1) / align * align
}

// overlap reports whether a piece overlaps the range between two offsets.
func (s *stage) overlap(begin, end int) bool {
	return slices.ContainsFunc(s.pieces, func(p piece) bool { return p.begin < end && begin < p.end })
}
