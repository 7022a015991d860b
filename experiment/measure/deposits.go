package measure

import (
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// DepositSizes are the sizes with which Deposits measures: near powers of two, and both sides of
// the sizes at which layers change what they do (inline data, packets of a page).
func DepositSizes() []int {
	return []int{4, 16, 32, 64, 68, 128, 256, 512, 1024, 2048, 3072, 4096, 4100, 6144, 8192, 16384, 65536, 262144}
}

// Deposits measures the costs of messages as programs send them, by size.
func (s *Subject) Deposits(sizes []int) (*fast.Params, error) {
	out := &fast.Params{Points: make([]fast.Point, len(sizes))}
	err := parallel.Each(s.Ctx, len(sizes), func(k int) error {
		i := len(sizes) - 1 - k // the largest first
		d, err := s.depositors(sizes[i], senders)
		if err != nil {
			return err
		}
		defer d.Engine.Close()
		if i == 0 {
			out.Slots, out.Polled = d.Nodes[0].NIC.Spec().RequestSlots, d.ports[0].Polled()
		}
		c := d.cost()
		if d.err == nil && c.In*senders < c.Gap*11/10 { // the senders are slow, not the receiver
			more, err := s.depositors(sizes[i], 4*senders)
			if err != nil {
				return err
			}
			defer more.Engine.Close()
			c.In, d.err = more.gap(d.messages(), 4*senders), more.err
		}
		out.Points[i] = fast.Point{Bytes: sizes[i], Cost: c}
		s.Done(fmt.Sprintf("%d B", sizes[i]))
		return d.err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Place, err)
	}
	return out, nil
}

// depositors are processes that deposit into the memory of the first one, which deposits into that
// of the others. The first error sticks: afterwards nothing is measured.
type depositors struct {
	*cluster.Cluster
	bytes   int
	ports   []deposit.Port
	targets []deposit.Import // by sender; of the first that of the second
	others  []deposit.Import // of the first, by node from the second on
	from    []host.Addr
	arrived []sim.Time // when each message to the first was stored
	back    []sim.Time // and each to the others
	watch   host.Watch
	err     error
}

// senders is how many deposit at once to find the gap of a receiver.
const senders = 3

func (s *Subject) depositors(bytes, senders int) (*depositors, error) {
	c, err := s.Cluster(1 + senders)
	if err != nil {
		return nil, err
	}
	d := &depositors{Cluster: c, bytes: bytes, targets: make([]deposit.Import, 1+senders), from: make([]host.Addr, 1+senders)}
	if d.ports, err = deposit.Open(c.Deposits(), "deposits", 0); err == nil {
		err = d.connect()
	}
	if err != nil {
		c.Engine.Close()
		return nil, err
	}
	c.Record() // a monitor that works takes time of the interface
	return d, nil
}

func (d *depositors) connect() error {
	for i, p := range d.ports {
		d.from[i] = p.Space().Alloc(int64(d.bytes))
		p.Space().WriteAt(d.from[i], make([]byte, d.bytes))
		if i == 0 {
			continue
		}
		var err error
		if d.targets[i], err = d.lane(p, d.ports[0], &d.arrived); err != nil {
			return err
		}
		back, err := d.lane(d.ports[0], p, &d.back)
		if err != nil {
			return err
		}
		d.others = append(d.others, back)
	}
	d.targets[0] = d.others[0]
	return nil
}

// lane lets a process deposit into memory of another one, and appends the times at which messages are stored.
func (d *depositors) lane(from, to deposit.Port, stored *[]sim.Time) (deposit.Import, error) {
	x := deposit.Setup{Port: to}
	in := x.Export(to.Space().Alloc(int64(d.bytes)), d.bytes, nil, func(a deposit.Arrival) {
		if a.Last {
			*stored = append(*stored, d.Engine.Now())
			d.watch.Fire()
		}
	})
	y := deposit.Setup{Port: from, Err: x.Err}
	return y.Import(in), y.Err
}

// send deposits a message.
func (d *depositors) send(c *host.Context, node int) { d.sendTo(c, node, d.targets[node]) }

func (d *depositors) sendTo(c *host.Context, node int, to deposit.Import) {
	if err := d.ports[node].Send(c, d.from[node], to, 0, d.bytes, trace.Meta{Kind: trace.Data}, false); err != nil && d.err == nil {
		d.err = err
	}
}

// play runs programs, one per node, unless there was an error.
func (d *depositors) play(programs ...func(*host.Context)) {
	if d.err != nil {
		return
	}
	d.arrived, d.back = d.arrived[:0], d.back[:0]
	if err := d.Run(programs...); d.err == nil {
		d.err = err
	}
}

// run lets node 0 receive n messages while others send some.
func (d *depositors) run(n int, programs ...func(c *host.Context, send func())) {
	all := []func(*host.Context){func(c *host.Context) {
		for len(d.arrived) < n {
			d.ports[0].Wait(c, &d.watch, "a message")
		}
	}}
	for i, f := range programs {
		p := d.ports[i+1]
		all = append(all, func(c *host.Context) {
			f(c, func() { d.send(c, i+1) })
			for len(d.arrived) < n && p.Polled() { // a layer may need the sender until then
				p.Wait(c, &d.watch, "the end")
			}
		})
	}
	d.play(all...)
}

// cost measures all costs of messages of a size. If a message of a round trip takes longer than a
// single one, it waits until the interface is done with the one before.
func (d *depositors) cost() (c fast.Cost) {
	d.run(warmBurst, d.times(warmBurst))
	var way sim.Duration
	c.Send, way = d.single()
	notice := d.Nodes[0].Host.Spec().PollNotice
	apart := c.Send + notice // the reply is ready that long after the message
	if d.ports[0].Polled() {
		// A receiver stores the first pieces of a long message while the sender sends the last
		// ones: what counts is what is left of that when the sender has ended.
		c.Receive = min(d.polled(), max(0, way-notice))
		way = max(0, way-c.Receive-notice)
		apart += c.Receive
	}
	c.Latency = way
	if waits := d.oneWay() - c.Latency - apart; waits > 0 {
		c.Turn = apart + waits
	}
	n := d.messages()
	c.Gap = d.gap(n, 1)
	// A stream shows that a receiver can store one message each g. Where several senders take
	// longer, flow control has broken down; that is no time of the receiver.
	c.In = min(d.gap(n, senders), c.Gap)
	c.Both = d.both(n, c.Send+way)
	// An interface that takes one message after another has the same gap, but for a per cent or two.
	if c.Spread = d.spread(n * senders); c.Spread > c.Gap*9/10 {
		c.Spread = c.Gap
	}
	return c
}

// messages is how many a stream has.
func (d *depositors) messages() int { return min(192, max(12, (1<<20)/d.bytes)) }

// times returns a program that sends so many messages.
func (d *depositors) times(n int) func(*host.Context, func()) {
	return func(_ *host.Context, send func()) {
		for range n {
			send()
		}
	}
}

// singles is how many single messages are measured. They meet the interface's loop at different
// points.
const singles = 16

// single returns the mean time of a send on an idle layer, and from its end until the message
// is stored.
func (d *depositors) single() (took, way sim.Duration) {
	d.run(singles, func(c *host.Context, send func()) {
		for i := range singles {
			c.Spend(300*sim.Microsecond + sim.Duration(i)*1370*sim.Nanosecond)
			begin := c.Now()
			send()
			end := c.Now()
			took += end.Sub(begin)
			for len(d.arrived) == i {
				d.ports[1].Wait(c, &d.watch, "the message")
			}
			if len(d.arrived) > i {
				way += d.arrived[i].Sub(end)
			}
		}
	})
	return took / singles, max(0, way/singles)
}

// oneWay returns half the mean time of a round trip.
func (d *depositors) oneWay() (took sim.Duration) {
	d.play(func(c *host.Context) {
		for i := range singles {
			for len(d.arrived) == i {
				d.ports[0].Wait(c, &d.watch, "a message")
			}
			d.send(c, 0)
		}
		for len(d.back) < singles && d.ports[0].Polled() {
			d.ports[0].Wait(c, &d.watch, "the end")
		}
	}, func(c *host.Context) {
		var begin sim.Time
		for i := range singles {
			if i == singles/4 {
				begin = c.Now()
			}
			d.send(c, 1)
			for len(d.back) == i {
				d.ports[1].Wait(c, &d.watch, "the reply")
			}
		}
		took = c.Now().Sub(begin)
	})
	return took / (2 * (singles - singles/4))
}

// polled returns how long a receiver needs for a message that waits.
func (d *depositors) polled() (took sim.Duration) {
	wait := sim.Millisecond + sim.Duration(d.bytes)*sim.Microsecond
	d.play(func(c *host.Context) {
		c.Spend(wait)
		begin := c.Now()
		d.ports[0].Poll(c)
		for len(d.arrived) == 0 {
			d.ports[0].Wait(c, &d.watch, "the message")
		}
		took = c.Now().Sub(begin)
	}, func(c *host.Context) {
		d.send(c, 1)
		for len(d.arrived) == 0 {
			d.ports[1].Wait(c, &d.watch, "the end")
		}
	})
	return took
}

// gap returns the time between two messages at the receiver while so many nodes send as fast
// as they can. The first messages fill queues.
func (d *depositors) gap(each, from int) sim.Duration {
	programs := make([]func(*host.Context, func()), from)
	for i := range programs {
		programs[i] = d.times(each)
	}
	n := each * from
	d.run(n, programs...)
	if d.err != nil {
		return 0
	}
	return steady(d.arrived)
}

// steady returns the time between two of the times at which messages were stored, without the first third
// of them and the last.
func steady(stored []sim.Time) sim.Duration {
	n := len(stored)
	a, b := n/3, n-1-n/8
	return stored[b].Sub(stored[a]) / sim.Duration(b-a)
}

// spread returns the time between two of n messages of the first node that go to the others in turn, as fast
// as it can.
func (d *depositors) spread(n int) sim.Duration {
	wait := func(node int, c *host.Context) {
		for len(d.back) < n {
			d.ports[node].Wait(c, &d.watch, "the end")
		}
	}
	programs := []func(*host.Context){func(c *host.Context) {
		for i := range n {
			d.sendTo(c, 0, d.others[i%senders])
		}
		wait(0, c)
	}}
	for i := range senders {
		programs = append(programs, func(c *host.Context) { wait(1+i, c) })
	}
	if d.play(programs...); d.err != nil {
		return 0
	}
	return steady(d.back)
}

// both returns the time for one message in and one out at node 0, which receives from a node and
// sends to another as fast as it can. The time way is that of a single message.
func (d *depositors) both(n int, way sim.Duration) sim.Duration {
	begin := d.Engine.Now()
	program := func(node, sends int) func(*host.Context) {
		return func(c *host.Context) {
			for range sends {
				d.send(c, node)
			}
			for len(d.arrived) < n || len(d.back) < n {
				d.ports[node].Wait(c, &d.watch, "the end")
			}
		}
	}
	if d.play(program(0, n), program(1, 0), program(2, n)); d.err != nil {
		return 0
	}
	return (max(d.arrived[n-1], d.back[n-1]).Sub(begin) - way) / sim.Duration(n-1)
}
