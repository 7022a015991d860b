package deposit_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// places are the layers that carry programs, each where it does something of its own.
var places = []struct{ layer, on string }{
	{"vmmc", "ppro"}, {"gam", "ppro"}, {"gam", "paragon"}, {"gam", "myrinet"}, {"amii", "ppro"}, {"fm", "ppro"},
	{"fm21", "ppro"}, {"grim", "grim-p3-lanai4"}, {"grim", "grim-p3-lanai9"}, {"pm", "ppro"}, {"rpc", "sun-rpc"}, {"tcp", "das-wan"}, {"mpi", "ppro"}, {"mpi", "das-wan"}, {"verbs", "cx5-roce"},
}

// coarse are layers of which comm/loggp has the costs, by the name of a layer and this suffix.
var coarse = []struct{ layer, on string }{{"vmmc" + byLogGP, "ppro"}, {"gam" + byLogGP, "ppro"}}

const byLogGP = " by LogGP"

// costs are of no particular layer. Long messages would overtake short ones but for their order.
func costs(polled bool) *fast.Params {
	us := func(v float64) sim.Duration { return sim.Microseconds(v) }
	return &fast.Params{Slots: 3, Polled: polled, Points: []fast.Point{
		{Bytes: 1, Cost: fast.Cost{Send: us(2), Receive: us(1), Gap: us(1), In: us(6), Latency: us(9), Turn: us(2)}},
		{Bytes: 4096, Cost: fast.Cost{Send: us(2), Receive: us(5), Gap: us(2), In: us(30), Latency: us(90)}},
	}}
}

// rig is a program with a process on every node.
type rig struct {
	*cluster.Cluster
	ports []deposit.Port
	left  int
}

func newRig(t require.TestingT, layer, on string, nodes int, faults fabric.Faults) *rig {
	p, err := platform.Load(on)
	require.NoError(t, err)
	layer, byCosts := strings.CutSuffix(layer, byLogGP)
	spec := cluster.Spec{Profile: p, Layer: layer, Nodes: nodes, Seed: 1, Options: monitor.Options{Build: monitor.Off}, Faults: faults}
	if byCosts {
		spec.Fast = costs(layer != "vmmc")
	}
	c, err := cluster.New(spec)
	require.NoError(t, err)
	r := &rig{Cluster: c}
	r.ports, err = deposit.Open(c.Deposits(), "test", 0)
	require.NoError(t, err)
	return r
}

// program starts a context on a node.
func (r *rig) program(node int, level host.Level, f func(c *host.Context)) *host.Context {
	r.left++
	return r.Nodes[node].Host.Go(fmt.Sprintf("program %d of level %d", node, level), level, func(c *host.Context) {
		f(c)
		r.left--
	})
}

func (r *rig) run(t require.TestingT) {
	defer r.Engine.Close()
	require.NoError(t, r.Engine.RunUntil(func() bool { return r.left == 0 }))
}

// letter is one deposit of a test. So many of its bytes, from the first on, are described in the sender's memory.
type letter struct{ from, to, offset, bytes, described int }

// Read implements content.Source.
func (l letter) Read(from int, b []byte) {
	for i := range b {
		b[i] = byte(l.from*31 + l.to*17 + l.offset + (from+i)*7)
	}
}

func (l letter) contents() []byte {
	b := make([]byte, l.bytes)
	l.Read(0, b)
	return b
}

const areaBytes = 256 << 10 // for each sender

// mail lets every node send its letters, tracked or not, and checks that all
// come, whole and in order.
func mail(t require.TestingT, r *rig, letters []letter, tracked bool) {
	nodes := len(r.ports)
	want := map[[2]int][]letter{}
	missing := len(letters)
	for _, l := range letters {
		want[[2]int{l.from, l.to}] = append(want[[2]int{l.from, l.to}], l)
	}
	watches := make([]host.Watch, nodes)
	exports := make([]deposit.Export, nodes)
	for i, p := range r.ports {
		at := p.Space().Alloc(int64(nodes * areaBytes))
		var err error
		exports[i], err = p.Export(at, nodes*areaBytes, nil)
		require.NoError(t, err)
		got := make([]int, nodes) // of the letter that is coming
		exports[i].OnWrite(func(a deposit.Arrival) {
			k := [2]int{a.From, i}
			require.NotEmpty(t, want[k], "node %d gets more than node %d has sent", i, a.From)
			l := want[k][0]
			require.Equal(t, got[a.From] == 0, a.First)
			require.Equal(t, l.from*areaBytes+l.offset+got[a.From], a.Offset)
			require.LessOrEqual(t, (at+host.Addr(a.Offset)).Offset()+a.Bytes, host.PageBytes)
			got[a.From] += a.Bytes
			require.Equal(t, got[a.From] == l.bytes, a.Last)
			if !a.Last {
				return
			}
			b := make([]byte, l.bytes)
			p.Space().ReadAt(at+host.Addr(l.from*areaBytes+l.offset), b)
			require.True(t, bytes.Equal(l.contents(), b), "letter %+v", l)
			want[k], got[a.From] = want[k][1:], 0
			if missing--; missing == 0 {
				for j := range watches {
					watches[j].Fire()
				}
			}
		})
	}
	for i, p := range r.ports {
		to := make([]deposit.Import, nodes)
		for j, x := range exports {
			if j != i {
				var err error
				to[j], err = p.Import(x)
				require.NoError(t, err)
				require.Equal(t, j, to[j].Peer())
			}
		}
		const slot = 16 << 10
		outs := p.Space().Alloc(int64((p.Depth() + 1) * slot))
		r.program(i, host.Application, func(c *host.Context) {
			next := 0
			done := deposit.Completion{Watch: &watches[i]}
			for _, l := range letters {
				if l.from != i {
					continue
				}
				at := outs + host.Addr(next*slot)
				next = (next + 1) % (p.Depth() + 1)
				p.Space().WriteAt(at, l.contents())
				p.Space().Describe(at, content.Part{Source: l, Bytes: l.described})
				if tracked {
					require.NoError(t, p.SendTracked(c, at, to[l.to], i*areaBytes+l.offset, l.bytes, trace.Meta{}, &done))
					for done.Pending() > 0 {
						p.Wait(c, &watches[i], "the end of a send")
					}
					p.Space().WriteAt(at, make([]byte, l.bytes))
				} else {
					require.NoError(t, p.Send(c, at, to[l.to], i*areaBytes+l.offset, l.bytes, trace.Meta{}, false))
				}
			}
			for missing > 0 {
				p.Wait(c, &watches[i], "letters")
			}
		})
	}
	r.run(t)
	for k, rest := range want {
		require.Empty(t, rest, "%v", k)
	}
}

// TestDeposits: whatever is sent arrives once, whole and in the order of each sender.
func TestDeposits(t *testing.T) {
	for _, place := range slices.Concat(places, coarse) {
		t.Run(place.layer+" on "+place.on, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes := rapid.IntRange(2, 4).Draw(t, "nodes")
				var letters []letter
				cursor := map[[2]int]int{}
				for range rapid.IntRange(1, 60).Draw(t, "letters") {
					l := letter{from: rapid.IntRange(0, nodes-1).Draw(t, "from"), bytes: rapid.OneOf(rapid.IntRange(1, 100), rapid.IntRange(1, 9000)).Draw(t, "bytes")}
					l.to = (l.from + rapid.IntRange(1, nodes-1).Draw(t, "to")) % nodes
					k := [2]int{l.from, l.to}
					l.offset = cursor[k]
					if cursor[k] += l.bytes + rapid.IntRange(0, 50).Draw(t, "gap"); cursor[k] > areaBytes {
						break
					}
					if rapid.Bool().Draw(t, "described") {
						l.described = rapid.OneOf(rapid.Just(l.bytes), rapid.IntRange(1, l.bytes)).Draw(t, "to")
					}
					letters = append(letters, l)
				}
				mail(t, newRig(t, place.layer, place.on, nodes, fabric.Faults{}), letters, rapid.Bool().Draw(t, "tracked"))
			})
		})
	}
}

// TestDepositsOverErrors: layers that tolerate errors repair them, also when
// the sender computes or has nothing to send any more.
func TestDepositsOverErrors(t *testing.T) {
	for _, place := range places {
		p, err := platform.Load(place.on)
		require.NoError(t, err)
		at, err := p.At(place.layer)
		require.NoError(t, err)
		if at.Traits.Errors != "Tolerated" {
			continue
		}
		t.Run(at.String(), func(t *testing.T) {
			var letters []letter
			for i := range 120 {
				n := 1 + i*37%2000
				letters = append(letters, letter{i % 3, (i + 1 + i/3%2) % 3, i * 2000, n, i % 2 * n})
			}
			r := newRig(t, place.layer, place.on, 3, fabric.Faults{ErrorPerByte: 2e-5})
			mail(t, r, letters, false)
			require.Positive(t, r.Net.Stats().Detected)
		})
	}
}

// pair is two nodes, the second of which exports a page that the first imports.
func pair(t *testing.T, layer, on string, notify func(deposit.Arrival)) (r *rig, to deposit.Import, at host.Addr) {
	r = newRig(t, layer, on, 2, fabric.Faults{})
	at = r.ports[1].Space().Alloc(host.PageBytes)
	x, err := r.ports[1].Export(at, host.PageBytes, notify)
	require.NoError(t, err)
	to, err = r.ports[0].Import(x)
	require.NoError(t, err)
	return r, to, at
}

// TestAttendance: a host that computes is interrupted for what comes, one that
// waits is not.
func TestAttendance(t *testing.T) {
	for _, place := range slices.Concat(places, coarse) {
		for _, busy := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s on %s, busy %t", place.layer, place.on, busy), func(t *testing.T) {
				came := false
				var watch host.Watch
				r, to, _ := pair(t, place.layer, place.on, func(deposit.Arrival) { came = true; watch.Fire() })
				near, far := r.ports[0], r.ports[1]
				attendant := deposit.Attendant(r.Nodes[1].Host, "attendant", far)
				require.Equal(t, far.Polled(), attendant != nil)
				if attendant == nil {
					r.Nodes[1].Host.Go("idle", host.Handler, func(c *host.Context) { c.WaitInterrupt("nothing") })
				}
				from := near.Space().Alloc(8)
				computed := false
				r.program(1, host.Application, func(c *host.Context) {
					if busy {
						c.Spend(50 * sim.Millisecond)
						computed = true
					}
					for !came {
						far.Wait(c, &watch, "a deposit")
					}
				})
				r.program(0, host.Application, func(c *host.Context) {
					require.NoError(t, near.Send(c, from, to, 100, 8, trace.Meta{}, true))
					for !came { // the layer may have to repeat, or to be told
						c.Spend(sim.Millisecond)
						near.Poll(c)
					}
					require.False(t, computed, "the deposit waited for the program")
				})
				r.run(t)
				if n := r.Nodes[1].Host.Stats().Interrupts; r.Nodes[1].Layer.Traits().Notice != "Interrupt" && place.layer != "grim" { // whose driver is interrupted for translations
					require.Equal(t, busy && far.Polled(), n > 0)
				}
			})
		}
	}
}

// TestInterruptedLibrary: a service process that interrupts its program inside
// the library of the layer waits for its turn, and both get their deposits through.
func TestInterruptedLibrary(t *testing.T) {
	const each = 40
	for _, place := range places {
		t.Run(place.layer+" on "+place.on, func(t *testing.T) {
			r, to, at := pair(t, place.layer, place.on, nil)
			near, far := r.ports[0], r.ports[1]
			var watch host.Watch
			got := 0
			box, err := far.Export(at, 8, nil)
			require.NoError(t, err)
			box.OnWrite(func(deposit.Arrival) { got++; watch.Fire() })
			word, err := near.Import(box)
			require.NoError(t, err)
			buffers := near.Space().Alloc(2 * host.PageBytes)
			send := func(c *host.Context, from host.Addr, through deposit.Import, n int) {
				require.NoError(t, near.Send(c, from, through, 0, n, trace.Meta{}, false))
			}
			ended := 0
			r.program(0, host.Application, func(c *host.Context) {
				for range each {
					send(c, buffers, to, host.PageBytes)
				}
				ended++
				for got < each || ended < 2 {
					c.Spend(20 * sim.Microsecond)
					near.Poll(c)
				}
			})
			r.program(0, host.Handler, func(c *host.Context) {
				for range each {
					c.Sleep(37 * sim.Microsecond)
					send(c, buffers+host.PageBytes, word, 8)
				}
				ended++
			})
			r.program(1, host.Application, func(c *host.Context) {
				for got < each || ended < 2 {
					c.Spend(10 * sim.Microsecond)
					far.Poll(c)
				}
			})
			r.run(t)
			require.Equal(t, each, got)
		})
	}
}

// TestFrames: a frame goes to the frame that the receiver has bound, and both
// address spaces are as before.
func TestFrames(t *testing.T) {
	for _, place := range places {
		t.Run(place.layer+" on "+place.on, func(t *testing.T) {
			r := newRig(t, place.layer, place.on, 2, fabric.Faults{})
			near, far := r.ports[0], r.ports[1]
			window := far.Space().Alloc(4 * host.PageBytes)
			var got host.Frame
			var watch host.Watch
			parts, whole, asked := 0, false, 0
			x, err := far.ExportFrames(window, 4*host.PageBytes, func(offset, n int) []byte {
				if asked++; offset < 2*host.PageBytes {
					return nil
				}
				return got[offset-2*host.PageBytes:][:n]
			})
			require.NoError(t, err)
			x.OnWrite(func(a deposit.Arrival) {
				parts += a.Bytes
				whole = whole || parts == (3*near.Depth()+1)*host.PageBytes
				watch.Fire()
			})
			to, err := near.Import(x)
			require.NoError(t, err)
			mine, described := near.Space().Alloc(host.PageBytes), near.Space().Alloc(host.PageBytes)
			near.Space().Describe(described, content.Part{Source: letter{from: 1}, Bytes: host.PageBytes})
			var frame host.Frame
			copy(frame[:], letter{bytes: host.PageBytes}.contents())
			ended := false
			r.program(0, host.Application, func(c *host.Context) {
				for range 3 * near.Depth() { // other messages, whose packets the frames' may use again
					require.NoError(t, near.Send(c, described, to, 2*host.PageBytes, host.PageBytes, trace.Meta{}, false))
				}
				require.NoError(t, near.SendFrame(c, mine, frame[:], to, 0, trace.Meta{}))
				require.NoError(t, near.SendFrame(c, mine, frame[:], to, 2*host.PageBytes, trace.Meta{}))
				for !ended {
					c.Spend(10 * sim.Microsecond)
					near.Poll(c)
				}
			})
			r.program(1, host.Application, func(c *host.Context) {
				for !whole {
					far.Wait(c, &watch, "a frame")
				}
				ended = true
			})
			r.run(t)
			require.Equal(t, (3*near.Depth()+1)*host.PageBytes, parts, "a refused frame is not told of")
			require.Greater(t, asked, 1)
			require.True(t, frame == got)
			require.Nil(t, near.Space().Bound(mine.Page()))
			require.Nil(t, far.Space().Bound((window + 2*host.PageBytes).Page()))
		})
	}
}

// TestRefusals: what cannot be is an error, on every layer.
func TestRefusals(t *testing.T) {
	for _, place := range places {
		t.Run(place.layer+" on "+place.on, func(t *testing.T) {
			r, to, at := pair(t, place.layer, place.on, nil)
			near, far := r.ports[0], r.ports[1]
			for _, n := range []int{0, -1, min(1<<40, math.MaxInt)} {
				_, err := far.Export(at, n, nil)
				require.Error(t, err)
			}
			_, err := far.ExportFrames(1<<40, 10, nil)
			require.Error(t, err)
			own, err := near.Export(near.Space().Alloc(10), 10, nil)
			require.NoError(t, err)
			_, err = near.Import(own)
			require.Error(t, err)
			from := near.Space().Alloc(host.PageBytes)
			r.program(0, host.Application, func(c *host.Context) {
				begin := c.Now()
				for _, err := range []error{
					near.Send(c, from, nil, 0, 8, trace.Meta{}, false),
					far.Send(c, at, to, 0, 8, trace.Meta{}, false),
					near.Send(c, from, to, -1, 8, trace.Meta{}, false),
					near.Send(c, from, to, 0, 0, trace.Meta{}, false),
					near.Send(c, from, to, host.PageBytes-7, 8, trace.Meta{}, false),
					near.Send(c, 1<<40, to, 0, 8, trace.Meta{}, false),
				} {
					require.Error(t, err)
				}
				require.Equal(t, begin, c.Now(), "refusing takes no time")
			})
			r.run(t)
		})
	}
}

// TestCarries: layers without the promises are refused with the reason, and so
// are several programs on a layer for one.
func TestCarries(t *testing.T) {
	kept := comm.Traits{Name: "x", Promises: comm.Kept}
	require.NoError(t, deposit.Carries(&kept, 1))
	require.ErrorContains(t, deposit.Carries(&kept, 2), "layer x does not carry programs: it serves one process of a node, and there are 2 programs")
	kept.Multiprogramming = true
	require.NoError(t, deposit.Carries(&kept, 2))
	for _, p := range []comm.Promises{{Reliable: true, Why: "so"}, {Ordered: true, Why: "so"}} {
		require.EqualError(t, deposit.Carries(&comm.Traits{Name: "x", Promises: p}, 1), "layer x does not carry programs: so")
	}
	p, err := platform.Load("ppro")
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{Profile: p, Layer: "bip", Nodes: 2, Seed: 1, Options: monitor.Options{Build: monitor.Off}})
	require.NoError(t, err)
	defer c.Engine.Close()
	_, err = deposit.Open(c.Deposits(), "test", 0)
	var refusal *deposit.Refusal
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, "bip", refusal.Layer)
}

// far is an endpoint whose interface reaches the memory of other nodes.
type far struct {
	comm.Gatherer
	comm.Attended
	comm.Remote
}

// reaching is a layer with such endpoints.
type reaching struct{ comm.Layer }

func (l reaching) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	ep, err := l.Layer.Open(space, tag)
	return &far{Gatherer: ep.(comm.Gatherer), Attended: ep.(comm.Attended)}, err
}

// TestRemoteOf: a port has the access of its endpoint's interface, if that has any.
func TestRemoteOf(t *testing.T) {
	for _, place := range places {
		for _, port := range newRig(t, place.layer, place.on, 2, fabric.Faults{}).ports {
			require.Equal(t, place.layer == "verbs", deposit.RemoteOf(port) != nil, place)
		}
	}
	nodes := newRig(t, "pm", "ppro", 2, fabric.Faults{}).Deposits()
	for i := range nodes {
		nodes[i].Layer = reaching{nodes[i].Layer}
	}
	ports, err := deposit.Open(nodes, "far", 1)
	require.NoError(t, err)
	for _, p := range ports {
		_, ok := deposit.RemoteOf(p).(*far)
		require.True(t, ok)
	}
}
