package capture

import (
	"cmp"
	"context"
	"iter"
	"math"

	"github.com/sigview/sigview/internal/spill"
)

// observation is a packet of a conversation as one capture saw it.
type observation struct {
	first, last int64 // ns: stamps of its first and last fragment, the same for a packet in one piece
	id          int64 // of a segment, where its data begin in the stream; of others, a digest
	flow        int32
	bytes       int32 // payload
	sort        sort
	end         end
}

// after returns where the data of a segment end.
func (s *observation) after() int64 { return s.id + int64(s.bytes) }

// end is one of the two captures, 0 or 1, and so the side of the network at which it was made.
type end uint8

// other returns the other end.
func (e end) other() end { return 1 - e }

// inOrder orders observations so that those of one packet are neighbours: segments of a flow by where their
// data begin, other packets of a flow that look the same by time.
func inOrder(a, b *observation) int {
	return cmp.Or(cmp.Compare(a.flow, b.flow), cmp.Compare(a.sort, b.sort), cmp.Compare(a.id, b.id), cmp.Compare(a.first, b.first), cmp.Compare(a.end, b.end),
		cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.last, b.last))
}

// track is what is known of a flow while captures are read.
type track struct {
	flow
	begin, at int64 // of the stream: the first sequence number, in either capture, and the last one
	end       end   // that was read last
}

// Room for what is in memory while captures are read.
const (
	mostFlows  = 1 << 20
	roomSights = 1 << 18
)

// observations are the packets of both captures, sorted so that what both have of a packet is together.
type observations struct {
	limit  int // bytes of a packet that both captures have
	flows  map[flow]int32
	tracks []track
	all    *spill.Sorter[observation]
	from   fragments // of the capture that is read
	twice  doubles   // of that capture
}

// until gives records until a context is done.
func until[R any](ctx context.Context, all iter.Seq[R]) iter.Seq[R] {
	return func(yield func(R) bool) {
		n := 0
		for r := range all {
			if n++; n%4096 == 0 && ctx.Err() != nil || !yield(r) {
				return
			}
		}
	}
}

// longestLink is more than the headers of a link have.
const longestLink = 24

// read reads the packets of both captures. It returns an error if a file is damaged, has too many flows, or a
// temporary file fails.
func read(ctx context.Context, files [2]*File) (*observations, error) {
	s := &observations{limit: min(files[0].snap, files[1].snap) - longestLink, flows: map[flow]int32{}, all: spill.New(roomSights, inOrder)}
	for e, f := range files {
		// Each capture has seen fragments and doubles of its own.
		s.from, s.twice = fragments{}, doubles{}
		f.first, f.last = math.MaxInt64, math.MinInt64
		err := f.each(ctx, func(frame []byte, length int, stamp int64) error {
			f.first, f.last = min(f.first, stamp), max(f.last, stamp)
			packet := inside(f.link, frame)
			// Both captures are cut to what both have, so that a packet looks the same in each.
			d, ok := parse(packet[:max(min(len(packet), s.limit), 0)], length-len(frame)+len(packet))
			if !ok {
				f.Other++
				if packet != nil {
					f.rest.short++
				}
				return nil
			}
			if s.twice.has(d, stamp) {
				return nil
			}
			whole, ok := s.from.add(d, stamp)
			switch {
			case ok:
				f.rest.add(whole.content)
				return s.add(f, end(e), whole)
			case d.more || d.offset > 0:
				f.rest.fragments++
			default:
				f.Other++
				f.rest.short++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		f.Partial, f.Doubles = s.from.open(), s.twice.count
	}
	return s, s.all.Err()
}

// add adds a datagram to the observations of its flow. It returns an error if there are too many flows.
func (s *observations) add(f *File, e end, seen reassembled) error {
	at, known := s.flows[seen.flow]
	if !known {
		if len(s.tracks) == mostFlows {
			return f.wrong("more than %d flows, wanted at most so many: choose hosts and ports as you capture", mostFlows)
		}
		at = int32(len(s.tracks))
		s.flows[seen.flow] = at
		s.tracks = append(s.tracks, track{flow: seen.flow, begin: -1})
	}
	x := observation{first: seen.first, last: seen.last, id: int64(seen.looks), flow: at, bytes: int32(seen.bytes), sort: seen.sort, end: e}
	if x.sort == segment {
		// Segments are joined by their places in the stream, not by their looks.
		x.id = s.tracks[at].place(e, seen.sequence)
	}
	s.all.Add(x)
	return s.all.Err()
}

// place returns the place in the stream of a sequence number, which begins anew after 4 GB. Places are
// the same in both captures if the second one of a flow begins within 2 GB of the first.
func (t *track) place(e end, sequence uint32) int64 {
	switch {
	case t.begin < 0:
		// Far from 0, so that data before the first segment have places too.
		t.begin = 1<<40 + int64(sequence)
		t.at, t.end = t.begin, e
	case t.end != e:
		t.at, t.end = t.begin, e
	}
	// The nearest place to the last one with these 32 bits.
	t.at += int64(int32(sequence - uint32(t.at)))
	return t.at
}
