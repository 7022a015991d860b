package userspace

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// model tells RPC by a request that is open until its peer polls, and the
// others by whether a second message takes the place of the first.
func (l lab) model() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	defer p.Engine.Close()
	if q, ok := p.procs[0].Endpoint.(comm.Requester); ok {
		return answers(p, q)
	}
	a, b := newMail(p.procs[0], 64), newMail(p.procs[1], 64)
	var first uint32
	var failed error
	_, err = p.try(
		func(c *host.Context) { failed = errors.Join(a.send(c, 64, 1), a.send(c, 64, 2)) },
		func(c *host.Context) {
			c.Sleep(sim.Millisecond)
			first, _ = b.receive(c, 64)
		})
	if err = errors.Join(err, failed); err != nil {
		return finding{}, err
	}
	if first == 2 {
		return found("Direct Deposit", "the second message lies where the first one was, and no process looked")
	}
	return found("Send/Recv", "two messages wait; a receive gives the first of them")
}

func answers(p *livePair, q comm.Requester) (finding, error) {
	peer := p.procs[1].Endpoint.(comm.Requester)
	ran, before, after := 0, 0, 0
	peer.Handle(1, func(_ *host.Context, k comm.Call) [4]uint32 { ran++; return k.Args })
	var failed error
	if _, err := p.try(
		func(c *host.Context) {
			for range 5 {
				failed = errors.Join(failed, q.Request(c, 1, 1, [4]uint32{7}))
			}
			c.Sleep(sim.Millisecond)
			before = q.Outstanding()
			for q.Outstanding() > 0 {
				q.Wait(c)
			}
			after = q.Outstanding()
		},
		func(c *host.Context) {
			c.Sleep(5 * sim.Millisecond)
			for ran < 5 {
				peer.Wait(c)
			}
			for range 100 { // answers to what comes late
				peer.Poll(c)
				c.Spend(10 * sim.Microsecond)
			}
		}); err != nil || failed != nil {
		return finding{}, errors.Join(err, failed)
	}
	if ran != 5 || before != 5 || after != 0 {
		return found("not RPC", "%d of 5 requests ran, %d were open before the peer polled, %d at the end", ran, before, after)
	}
	return found("RPC", "5 requests ran at the peer once it polled, and each had one reply")
}

// control looks at what a process learns of a message that has arrived.
func (l lab) control() (finding, error) {
	notice, err := l.notice()
	if err != nil {
		return finding{}, err
	}
	switch notice.word {
	case "Polling":
		return found("Combined", "data and notice come together: %s", notice.seen)
	case "N/A":
		return found("Separate", "data come by themselves: %s", notice.seen)
	}
	return found("Data Only", "%s", notice.seen)
}

// intranode opens a second process on the receiver's node and lets it look for
// the first one's message.
func (l lab) intranode() (finding, error) {
	c, err := l.cluster(2)
	if err != nil {
		return finding{}, err
	}
	defer c.Engine.Close()
	p, err := newLivePair(c, longest)
	if err != nil {
		return finding{}, err
	}
	other, err := c.Nodes[1].Layer.Open(host.NewSpace("other", c.Nodes[1].Frames), 1)
	if err != nil {
		return found("Yes", "no second process gets at the interface: %v", err)
	}
	a := newMail(p.procs[0], 64)
	stolen := false
	var failed error
	if _, err = p.try(
		func(x *host.Context) { failed = a.send(x, 64, 1) },
		func(x *host.Context) {
			if _, refused := other.Receive(x, 0, other.Buffer(64), 64); refused == nil {
				stolen = true
			}
		}); err != nil || failed != nil {
		return finding{}, errors.Join(err, failed)
	}
	if stolen {
		return found("No", "another process of the node took the message")
	}
	return found("Yes", "another process of the node sees nothing of the message")
}

// internode lets a process that the receiver has agreed nothing with send to it.
func (l lab) internode() (finding, error) {
	c, err := l.cluster(2)
	if err != nil {
		return finding{}, err
	}
	defer c.Engine.Close()
	space := host.NewSpace("stranger", c.Nodes[0].Frames)
	stranger, err := c.Nodes[0].Layer.Open(space, 5)
	if err != nil {
		return finding{}, err
	}
	victim, err := c.Nodes[1].Layer.Open(host.NewSpace("victim", c.Nodes[1].Frames), 0)
	if err != nil {
		return finding{}, err
	}
	p := &livePair{Cluster: c}
	var refused error
	got := false
	_, err = p.try(
		func(x *host.Context) {
			refused = stranger.Send(x, 1, stranger.Buffer(64), 64, trace.Meta{Kind: trace.Message})
		},
		func(x *host.Context) {
			x.Sleep(sim.Millisecond)
			if _, err := victim.Receive(x, 0, victim.Buffer(64), 64); err == nil {
				got = true
			}
		})
	switch {
	case err != nil:
		return finding{}, err
	case got:
		return found("No", "the receiver takes the message of a process of another program")
	case refused != nil:
		return found("Yes", "the send is refused: %v", refused)
	}
	return found("Yes", "the receiver's side refuses it: %d refused", count(c.Nodes[1], "refused"))
}

// multiprogramming opens two processes on both nodes and lets both pairs
// exchange messages.
func (l lab) multiprogramming() (finding, error) {
	c, err := l.cluster(2)
	if err != nil {
		return finding{}, err
	}
	defer c.Engine.Close()
	var programs []*livePair
	for tag := range trace.Tag(2) {
		procs, err := c.Processes(tag, 64)
		if err != nil {
			return found("No", "%v", err)
		}
		programs = append(programs, &livePair{c, procs})
	}
	total := 0
	for _, p := range programs {
		t, err := p.exchange(10, 64)
		if err != nil {
			return finding{}, err
		}
		total += t.right
	}
	if total != 20 {
		return found("No", "%d of 20 messages of two programs were answered", total)
	}
	return found("Yes", "20 messages of two programs were answered")
}

// overflow sends messages to a process that takes none for long.
func (l lab) overflow() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	defer p.Engine.Close()
	const messages, n = 1500, 64
	const late = sim.Time(30 * sim.Millisecond)
	a, b := newMail(p.procs[0], n), newMail(p.procs[1], n)
	sent, received := sim.Never, 0
	var failed error
	_, err = p.try(
		func(c *host.Context) {
			for i := range messages {
				if failed = errors.Join(failed, a.send(c, n, uint32(i+1))); failed != nil {
					return
				}
			}
			sent = c.Now()
		},
		func(c *host.Context) {
			c.Sleep(late.Sub(0))
			if !b.Endpoint.Traits().Consumes {
				return
			}
			for range messages {
				if _, e := b.receive(c, n); e != nil {
					return
				}
				received++
			}
		})
	if err = errors.Join(err, failed); err != nil {
		return finding{}, err
	}
	gone, rejected := lost(p.Cluster), count(p.Nodes[0], "rejected")+count(p.Nodes[1], "rejected")
	seen := fmt.Sprintf("of %d messages for a process that slept, %d received later, %d lost, %d rejected and sent again; the sender was done %s",
		messages, received, gone, rejected, map[bool]string{true: "before the receiver woke", false: "only then"}[sent < late])
	switch {
	case gone > 0:
		return finding{"Data Loss", seen}, nil
	case !b.Endpoint.Traits().Consumes:
		return finding{"Impossible", seen + ": no buffer of the layer's own lies between"}, nil
	case received == messages && rejected > 0:
		return finding{"Tolerated", seen}, nil
	case received == messages && sent > late:
		return finding{"Prevented", seen}, nil
	}
	return finding{"unclear", seen}, nil
}

// damage spoils the third message of twenty.
func (l lab) damage() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	defer p.Engine.Close()
	hurt(p.Cluster, 3)
	t, err := p.exchange(20, 64)
	if err != nil {
		return finding{}, err
	}
	if t.whole() {
		return found("Tolerated", "%v", t)
	}
	return found("Catastrophic", "%v; %d packets lost for good", t, lost(p.Cluster))
}
