package live

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"github.com/sigview/sigview/live/stamps"
)

const (
	probeEvery = probePeriod * time.Nanosecond // to each node
	// leastPause is the time between probes at the begin of a run, from which on it grows to probeEvery.
	leastPause = 5 * time.Millisecond
	probeBurst = 20 // probes of each node before the messages
	// pending is how many answers a query may wait for the rest of its stamps.
	pending = 16
)

// prober sends queries to other nodes, one thread for each.
type prober struct {
	peers []*probing
	f     func(Probe) // called with each complete probe
	stop  context.CancelFunc
	group sync.WaitGroup
	mu    sync.Mutex // of f
}

// probing is the state of the probes with one node.
type probing struct {
	socket *stamps.Socket
	token  uint64
	node   int
	seq    uint32         // of the latest query
	known  [pending]known // by sequence number modulo pending
	lost   uint64         // queries without an answer in time
}

// known is what is known of a probe that is not complete: times that are missing are 0.
type known struct {
	Probe
	seq uint32
}

// newProber returns a prober over sockets, by node, that calls f with each probe that is complete, one at a
// time. The stamp of an answer comes with a later answer, so that a probe is complete one or more queries
// later.
func newProber(sockets []*stamps.Socket, token uint64, f func(Probe)) *prober {
	p := &prober{f: f}
	for node, s := range sockets {
		if s != nil {
			p.peers = append(p.peers, &probing{socket: s, token: token, node: node})
		}
	}
	return p
}

// start makes a burst of probes with each node, and from then on some a second until close is called. It
// returns when all bursts are over.
func (p *prober) start(ctx context.Context) {
	ctx, p.stop = context.WithCancel(ctx)
	var bursts sync.WaitGroup
	for _, peer := range p.peers {
		bursts.Add(1)
		p.group.Go(func() {
			free := ownThread(-1)
			defer free()
			for range probeBurst + 1 { // the last one brings the rest of the one before
				if ctx.Err() == nil {
					peer.once(p.complete)
				}
			}
			bursts.Done()
			for begun := time.Now(); ; {
				select {
				case <-time.After(min(probeEvery, leastPause+time.Since(begun)/20)): // a short run needs many soon
					peer.once(p.complete)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	bursts.Wait()
}

// complete hands a probe over. Threads of several nodes wait for each other.
func (p *prober) complete(x Probe) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.f(x)
}

// close ends the prober and returns how many probes have got lost. The last one of each node, whose
// answer's stamp no other answer has brought, is none of them.
func (p *prober) close() (lost uint64) {
	p.stop()
	p.group.Wait()
	for _, peer := range p.peers {
		for i := range peer.known {
			if k := &peer.known[i]; k.Node != 0 && k.seq != peer.seq-1 {
				peer.lost++
			}
		}
		lost += peer.lost
	}
	return lost
}

// once sends a query and waits for its answer. What goes wrong with a datagram is as if the network
// had lost it: whether the node is there, its control connection tells.
func (p *probing) once(complete func(Probe)) {
	slot := &p.known[p.seq%pending]
	// The query of pending numbers before has not been completed.
	if slot.Node != 0 {
		p.lost++
	}
	*slot = known{Probe: Probe{Node: p.node}, seq: p.seq}
	q := probeForm{token: p.token, seq: p.seq}.bytes(query)
	p.seq++
	if err := p.socket.Send(q[:], p.seq-1, true); err != nil {
		return
	}
	var buf datagram
	for until := time.Now().Add(probeEvery); time.Now().Before(until); {
		a, err := p.socket.Receive(buf[:], true)
		// The stamp of the query is needed whatever has arrived.
		p.stamped()
		if err != nil {
			return
		}
		f, ok := parseProbe(buf[:a.Bytes], p.token, answer)
		if !ok {
			continue
		}
		if k := p.of(f.seq); k != nil {
			k.Arrived, k.Received, k.CardArrived, k.CardReceived = f.arrived, a.Kernel, f.cardArrived, a.Card
		}
		// The answer brings the stamp of an earlier one.
		if k := p.of(f.before); k != nil && f.answered != 0 {
			k.Answered, k.CardAnswered = f.answered, f.cardAnswered
			if k.Sent != 0 && k.Arrived != 0 && k.Received != 0 {
				complete(k.Probe)
				*k = known{}
			}
		}
		// The answer to this query; others were late.
		if f.seq == p.seq-1 {
			return
		}
	}
}

// stamped takes the stamps of the queries so far. That of a card may come a while after the answer.
func (p *probing) stamped() {
	noted := false
	note := func(s stamps.Sent) {
		noted = noted || s.Seq == p.seq-1
		if k := p.of(s.Seq); k != nil {
			k.Sent, k.CardSent = s.Hand, s.Card
		}
	}
	for until := time.Now().Add(cardDelay); time.Now().Before(until); pause(cardDelay / 100) {
		if err := p.socket.Drain(note); err != nil || noted {
			return
		}
	}
	p.socket.Flush(note)
}

// cardDelay is how long a query waits for the stamp of the card.
const cardDelay = 2 * time.Millisecond

// of returns what is known of the probe with a number, or nil.
func (p *probing) of(seq uint32) *known {
	if k := &p.known[seq%pending]; k.Node != 0 && k.seq == seq {
		return k
	}
	return nil
}

// answering answers queries of node 0 until the end is stopped. The stamp of an answer is there when
// it has been sent: the next one brings it.
func (e *End) answering(s *stamps.Socket, token uint64) {
	e.thread(func() error {
		var buf datagram
		var last stamps.Sent
		for !e.stop.Load() {
			a, err := s.Receive(buf[:], true)
			if errors.Is(err, stamps.ErrNothing) {
				continue
			} else if err != nil {
				return err
			}
			q, ok := parseProbe(buf[:a.Bytes], token, query)
			// Without a stamp of its arrival a query says nothing.
			if !ok || a.Kernel == 0 {
				continue
			}
			note := func(s stamps.Sent) { last = s }
			if err := s.Drain(note); err != nil {
				return err
			}
			if q.seq-last.Seq > pending/4 { // the card does not stamp
				s.Flush(note)
			}
			q.arrived, q.before, q.answered, q.cardArrived, q.cardAnswered = a.Kernel, last.Seq, last.Hand, a.Card, last.Card
			b := q.bytes(answer)
			if err := s.Send(b[:], q.seq, true); err != nil {
				return err
			}
		}
		return nil
	})
}

// probeForm is what a datagram of a probe says. Queries are as long as answers, so that both take as
// long on the wire.
type probeForm struct {
	token    uint64
	seq      uint32
	arrived  int64  // the query, at the node that answers
	before   uint32 // number of an earlier answer
	answered int64  // stamp of that
	// the same by the clock of the card
	cardArrived, cardAnswered int64
}

const (
	probeBytes = 56
	query      = 0x51
	answer     = 0x41
)

// datagram has room for one byte more than a probe, to notice those that are longer.
type datagram [probeBytes + 1]byte

// bytes writes the form, big-endian: token 8, seq 4, before 4, the four times 8 each, version 1, kind 1, and
// zeros up to probeBytes.
func (f probeForm) bytes(kind byte) (b [probeBytes]byte) {
	binary.BigEndian.PutUint64(b[:], f.token)
	binary.BigEndian.PutUint32(b[8:], f.seq)
	binary.BigEndian.PutUint32(b[12:], f.before)
	binary.BigEndian.PutUint64(b[16:], uint64(f.arrived))
	binary.BigEndian.PutUint64(b[24:], uint64(f.answered))
	binary.BigEndian.PutUint64(b[32:], uint64(f.cardArrived))
	binary.BigEndian.PutUint64(b[40:], uint64(f.cardAnswered))
	b[48], b[49] = wireVersion, kind
	return b
}

// parseProbe reads a datagram of a run. Others are none of it.
func parseProbe(b []byte, token uint64, kind byte) (f probeForm, ok bool) {
	if len(b) != probeBytes || binary.BigEndian.Uint64(b) != token || b[48] != wireVersion || b[49] != kind {
		return f, false
	}
	return probeForm{
		token: token, seq: binary.BigEndian.Uint32(b[8:]), before: binary.BigEndian.Uint32(b[12:]),
		arrived: int64(binary.BigEndian.Uint64(b[16:])), answered: int64(binary.BigEndian.Uint64(b[24:])),
		cardArrived: int64(binary.BigEndian.Uint64(b[32:])), cardAnswered: int64(binary.BigEndian.Uint64(b[40:])),
	}, true
}
