package testbed

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Damaged lets three nodes exchange messages, and use memory of one another or datagrams where they can, while headers of packets change in ways that
// no CRC shows. A script has four bytes for each change: how many packets pass before it,
// the byte of the header, and the bits to flip, of that byte or of the last byte of its
// word. Programs may get wrong messages or errors, or wait forever; a control program must
// neither panic nor fill the time with endless packets.
type Damaged struct {
	spec   cluster.Spec
	events int // at most, of a run
}

// newDamaged returns runs of a platform with a layer.
func newDamaged(platform, layer string) (*Damaged, error) {
	spec, _, err := Spec{Platform: platform, Layer: layer, Nodes: 3, Seed: 1, Monitor: "off"}.cluster()
	return &Damaged{spec, damageEvents}, err
}

const (
	damageTime   = 5 * sim.Second // of a run; longer than the first time limits of all layers
	damageEvents = 100_000        // of a run; an intact one has less than a thousand
	damageBytes  = 5000           // of the longest message
)

// Run executes a script. Its error says what no damage excuses.
func (d *Damaged) Run(script []byte) error {
	c, err := cluster.New(d.spec)
	if err != nil {
		return err
	}
	defer c.Engine.Close()
	processes, err := c.Processes(0, damageBytes)
	if err != nil {
		return err
	}
	c.Net.DropWhen(follow(script))
	words, err := exported(processes)
	if err != nil {
		return err
	}
	for i, p := range processes {
		c.Nodes[i].Host.Go(fmt.Sprintf("program%d", i), host.Application, func(x *host.Context) {
			talk(x, p)
			change(x, p, words)
		})
	}
	cast(c)
	for events := 0; c.Engine.Now() < sim.Time(damageTime); events++ {
		if events == d.events {
			return fmt.Errorf("more than %d events after %v", d.events, c.Engine.Now())
		}
		if !c.Engine.Step() {
			break
		}
	}
	return nil
}

// firstScripts returns scripts that change each word of a header at some packet, to begin with.
func firstScripts() [][]byte {
	size := binary.Size(fabric.Header{})
	scripts := [][]byte{nil}
	for at := range size {
		scripts = append(scripts, []byte{byte(at % 7), byte(at), 1 << (at % 8), 0}, []byte{byte(at % 5), byte(at), 0, 0x80, 1, byte(at), 0xff, 0})
	}
	return scripts
}

// follow returns a function that changes packets by a script, and drops none.
func follow(script []byte) func(*fabric.Packet) bool {
	var image []byte
	pass := func() int { return int(script[0]) }
	left := -1
	if len(script) >= 4 {
		left = pass()
	}
	return func(p *fabric.Packet) bool {
		for ; left == 0; left = pass() {
			image, _ = binary.Append(image[:0], binary.LittleEndian, &p.Header)
			at := int(script[1]) % len(image)
			image[at] ^= script[2]
			image[min(at|7, len(image)-1)] ^= script[3]
			p.Hit = true
			_, _ = binary.Decode(image, binary.LittleEndian, &p.Header)
			if script = script[4:]; len(script) < 4 {
				left = -1
				return false
			}
		}
		left--
		return false
	}
}

// talk sends a short and a long message to the next node and receives those of the one
// before, some times.
func talk(c *host.Context, p *Process) {
	const nodes = 3
	to, from := (p.Number+1)%nodes, (p.Number+nodes-1)%nodes
	e := p.Endpoint
	t := e.Traits()
	into := p.Space.Alloc(damageBytes)
	for _, n := range []int{8, damageBytes, 300, 64} {
		n = max(n, t.MinBytes)
		if t.MaxBytes > 0 {
			n = min(n, t.MaxBytes)
		}
		if e.Post(c, from, into, n) != nil || e.Send(c, to, e.Buffer(n), n, trace.Meta{Kind: trace.Message}) != nil {
			return
		}
		at := into
		if t.InPlace {
			at = 0
		}
		got, err := e.Receive(c, from, at, n)
		if err != nil {
			return
		}
		p.Space.ReadAt(got.At, make([]byte, min(got.Bytes, n)))
	}
	if r, ok := e.(comm.Requester); ok && t.Requests {
		ask(c, r, to)
	}
}

// ask sends requests and serves those that come.
func ask(c *host.Context, r comm.Requester, to int) {
	r.Handle(Counted, func(*host.Context, comm.Call) [4]uint32 { return [4]uint32{1, 2, 3, 4} })
	for range 3 {
		if r.Request(c, to, Counted, [4]uint32{5, 6, 7, 8}) != nil {
			return
		}
	}
	for {
		r.Wait(c)
	}
}

// exported returns a word of each process that peers may read and change, where the layer can do that.
func exported(processes []*Process) (words []host.Addr, err error) {
	for _, p := range processes {
		words = append(words, p.Space.Alloc(damageBytes))
		x, ok := p.Endpoint.(interface {
			Export(at host.Addr, n int, notify func(deposit.Arrival)) (deposit.Export, error)
		})
		if _, remote := p.Endpoint.(comm.Remote); ok && remote {
			_, err1 := x.Export(words[p.Number], damageBytes, nil)
			err = errors.Join(err, err1)
		}
	}
	return words, err
}

// change reads memory of the next node and changes a word of it, some times.
func change(c *host.Context, p *Process, words []host.Addr) {
	r, ok := p.Endpoint.(comm.Remote)
	if !ok {
		return
	}
	to := (p.Number + 1) % len(words)
	for range 2 {
		old, err := r.FetchAdd(c, to, words[to], 3)
		if err != nil {
			return
		}
		if _, err = r.CompareSwap(c, to, words[to], old+3, old); err != nil {
			return
		}
		if r.Read(c, to, words[to], p.Space.Alloc(damageBytes), damageBytes) != nil {
			return
		}
	}
}

// cast lets each node send datagrams to the next one, if the layer has them.
func cast(c *cluster.Cluster) {
	var all []*verbs.Datagrams
	for i, n := range c.Nodes {
		if v, ok := n.Layer.(*verbs.Node); ok {
			all = append(all, v.OpenDatagrams(host.NewSpace(fmt.Sprintf("datagrams%d", i), n.Frames), 0))
		}
	}
	for i, d := range all {
		c.Nodes[i].Host.Go(fmt.Sprintf("datagrams%d", i), host.Application, func(x *host.Context) {
			for _, n := range []int{8, 1000} {
				if d.Send(x, all[(i+1)%len(all)].Address(), d.Buffer(n), n, trace.Meta{Kind: trace.Message}, 0, false) != nil {
					return
				}
			}
			for {
				m, err := d.Receive(x, comm.Anyone, 0, 0)
				if err != nil {
					return
				}
				d.Space().ReadAt(m.At, make([]byte, m.Bytes))
			}
		})
	}
}
