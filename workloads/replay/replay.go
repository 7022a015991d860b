package replay

import (
	"fmt"

	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace/goal"
)

// maxBytes is the longest message.
const maxBytes = 16 << 20

// Replay is a schedule that runs.
type Replay struct {
	schedule    *goal.Schedule
	types       map[int64]int // by tag: the type of messages
	longest     int64
	room        map[source]int64 // longest message that receives of a source can get
	total, done int64
	received    int64
	seen        [][]bool // by rank and operation: the send has been received
	wrong       error    // the first
}

// source is from where and with what tag a rank receives; goal.Any is one of each.
type source struct {
	rank, from int
	tag        int64
}

// New returns a schedule for so many nodes. Those without a rank do nothing.
func New(s *goal.Schedule, nodes int) (*Replay, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if len(s.Ranks) > nodes {
		return nil, fmt.Errorf("%d ranks on %d nodes, wanted a node for each", len(s.Ranks), nodes)
	}
	r := &Replay{schedule: s, types: map[int64]int{goal.Any: nx.Any}, room: map[source]int64{}}
	for rank, ops := range s.Ranks {
		r.total += int64(len(ops))
		r.seen = append(r.seen, make([]bool, len(ops)))
		for _, o := range ops {
			if o.Kind == goal.Calc {
				continue
			}
			if o.Size > maxBytes {
				return nil, fmt.Errorf("rank %d, line %d: message of %d B, wanted at most %d", rank, o.Line, o.Size, maxBytes)
			}
			r.longest = max(r.longest, o.Size)
			for _, from := range []int{rank, goal.Any} {
				for _, tag := range []int64{o.Tag, goal.Any} {
					if to := (source{o.Peer, from, tag}); o.Kind == goal.Send {
						r.room[to] = max(r.room[to], o.Size)
					}
				}
			}
			if _, ok := r.types[o.Tag]; !ok {
				r.types[o.Tag] = len(r.types)
			}
		}
	}
	return r, nil
}

// EagerBytes returns the size of a receiver's slot: up to 64 KB, longer messages are asked
// for.
func (r *Replay) EagerBytes() int {
	pages := (min(r.longest, 64<<10) + host.PageBytes - 1) / host.PageBytes
	return int(max(pages, 4)) * host.PageBytes
}

// Progress returns how many operations have ended, and of how many.
func (r *Replay) Progress() (done, total int64) { return r.done, r.total }

// Received returns how many messages have been received and checked. The error describes
// the first wrong one.
func (r *Replay) Received() (int64, error) {
	if r.wrong == nil && r.done != r.total {
		return r.received, fmt.Errorf("%d operations ended, wanted %d", r.done, r.total)
	}
	return r.received, r.wrong
}

func (r *Replay) fail(format string, args ...any) {
	if r.wrong == nil {
		r.wrong = fmt.Errorf(format, args...)
	}
}
