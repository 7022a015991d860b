package verbs

import (
	"bytes"
	"sort"

	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Selective repeat. The responder keeps packets of writes that come behind a gap, and answers each packet behind a gap with
// what it misses and what has come. Packets keep their order on the way, so the requester knows that what it has
// sent before the one that has come is lost, even if it was sent again already, and sends that alone. What needs the
// receiver's process or is answered with data (messages, notices, reads, atomic operations) has to come in its turn.

// selective is what a pair knows of packets behind a gap. It is empty while none is missing.
type selective struct {
	shots  ring.Ring[shot]   // as a requester: packets from acked to psn
	flight ring.Ring[flight] // those sent of which nothing is known, in the order in which they left
	lost   ring.Ring[uint32] // those to be sent again
	turns  uint32            // sent since the gap
	early  ring.Ring[early]  // as a responder: packets from expected on
}

// shot is a packet that is not acknowledged.
type shot struct {
	turn uint32 // when it was sent last, in the order of the pair's packets; 0: it is before its first time, or that time is void
	come bool   // it is kept at the responder
	lost bool   // it is to be sent again
}

// flight is a packet as it was sent.
type flight struct{ seq, turn uint32 }

// early is a packet that has come before another one, or one that has not come.
type early struct {
	landing
	come bool
	ask  bool // it wants an acknowledgement
}

// landing is a packet's data on its way to memory.
type landing struct {
	region *Region // of a write
	space  *host.Space
	at     host.Addr
	flags  uint8
	bytes  int
	data   []byte
	part   content.Part // in place of data
}

// keeps takes a packet behind a gap, of which it is so far from the expected one, and reports whether it need not
// come again. Its data is written over the bus now; programs see it in the order in which it was sent.
func (q *Pair) keeps(in *incoming, ahead int) bool {
	n, p := q.node, in.packet
	r, offset, found := n.target(p, p.Bytes())
	if !found || op(p.Header.Op) != opWrite || p.Header.Flags&flagNotify != 0 || ahead >= n.spec.Selective {
		in.leave()
		return false
	}
	if q.selective == nil {
		q.selective = &selective{}
	}
	k := &q.selective.early
	for k.Len() <= ahead {
		k.Push(early{})
	}
	e := k.At(ahead)
	if e.come {
		n.stats.Duplicates++
		in.leave()
		return true
	}
	in.region, in.space, in.at = r, r.process.Space(), r.at+hostAddr(offset)
	*e = early{come: true, ask: p.Header.Flags&flagAsk != 0, landing: in.landing()}
	e.data = bytes.Clone(e.data)
	in.stage = aside
	in.dma = ni.DMA{Dir: ni.ToHost, Bytes: p.Bytes(), Packet: p, Owner: in}
	n.nic.HostDMA(&in.dma)
	return true
}

// follows passes over the packets behind a number of accepted ones that have come before them. Programs see their data
// after a transfer that follows all before.
func (q *Pair) follows(accepted uint32) {
	if q.selective == nil || q.selective.early.Len() == 0 {
		return
	}
	k := &q.selective.early
	for ; accepted > 0 && k.Len() > 0; accepted-- {
		k.Drop()
	}
	var run []landing
	ask := false
	for k.Len() > 0 && k.At(0).come {
		e := k.Pop()
		run, ask = append(run, e.landing), ask || e.ask
	}
	if len(run) == 0 {
		return
	}
	q.expected += uint32(len(run))
	q.node.tell(errand{kind: showEarly, pair: q, early: run}, nil)
	if ask {
		q.answer(opAck, q.expected)
	}
}

// reports answers a packet behind a gap.
func (q *Pair) reports(seq uint32, kept bool) {
	p := q.answering(opMissing, q.expected)
	p.Header.Words[wordCame] = uint64(seq)
	if kept {
		p.Header.Words[wordKept] = 1
	}
	q.node.nic.Send(p, nil)
}

// missing handles such an answer.
func (q *Pair) missing(h fabric.Header) {
	came := uint32(h.Words[wordCame])
	if q.stale(h.Seq) {
		return
	}
	q.acknowledge(h.Seq)
	if int32(came-q.acked) < 0 || int32(came-q.psn) >= 0 {
		return
	}
	q.track()
	s := q.selective
	x := s.shots.At(int(came - q.acked))
	x.come = x.come || h.Words[wordKept] != 0
	gap := false
	for s.flight.Len() > 0 && s.flight.At(0).turn <= x.turn {
		f := s.flight.Pop()
		if y := q.shot(f.seq); y != nil && y.turn == f.turn && !y.come {
			y.lost, gap = true, true
			s.lost.Push(f.seq)
		}
	}
	if gap {
		q.oldest().Gaps++
		q.goesBack()
		q.serve()
	} else if !q.back {
		s.forget()
	}
}

// track begins to note what becomes of each packet that is not acknowledged. Until then packets have been sent in the order
// of their numbers.
func (q *Pair) track() {
	if q.selective == nil {
		q.selective = &selective{}
	}
	if q.tracks() {
		return
	}
	for i := q.done; i < q.posted && q.work(i).numbered; i++ {
		w := q.work(i)
		for k := range w.packets {
			if seq := w.first + k; int32(seq-q.acked) >= 0 {
				q.selective.shots.Push(shot{})
				if k < w.sent {
					q.left(seq)
				}
			}
		}
	}
}

// tracks reports whether the pair notes what becomes of each packet.
func (q *Pair) tracks() bool { return q.selective != nil && q.selective.shots.Len() > 0 }

// forget ends that.
func (s *selective) forget() {
	s.shots.Clear()
	s.flight.Clear()
	s.lost.Clear()
	s.turns = 0
}

// shot returns what is known of a packet, or nil.
func (q *Pair) shot(seq uint32) *shot {
	if at := int32(seq - q.acked); q.tracks() && at >= 0 && int(at) < q.selective.shots.Len() {
		return q.selective.shots.At(int(at))
	}
	return nil
}

// left notes that a packet has been cut.
func (q *Pair) left(seq uint32) {
	if x := q.shot(seq); x != nil {
		s := q.selective
		s.turns++
		x.turn, x.lost = s.turns, false
		s.flight.Push(flight{seq, x.turn})
	}
}

// wants reports whether a packet has to be sent that has not been lost: it is new, or the pair has gone back.
func (q *Pair) wants(seq uint32) bool {
	x := q.shot(seq)
	return int32(seq-q.acked) >= 0 && (x == nil || !x.come)
}

// again returns the oldest packet that is lost: its entry, and which of the entry's packets it is. It returns nil if there
// is none.
func (q *Pair) again() (*work, uint32) {
	for q.tracks() && q.selective.lost.Len() > 0 {
		seq := *q.selective.lost.At(0)
		if x := q.shot(seq); x != nil && x.lost && !x.come {
			behind := sort.Search(q.works.Len(), func(i int) bool {
				w := *q.works.At(i)
				return !w.numbered || int32(w.first-seq) > 0
			})
			w := *q.works.At(behind - 1)
			return w, seq - w.first
		}
		q.selective.lost.Drop()
	}
	return nil, 0
}
