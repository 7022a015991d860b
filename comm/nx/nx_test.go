package nx_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// testbed is a cluster with the processes of one program.
type bed struct {
	*cluster.Cluster
	*nx.System
}

// options say how a cluster is built.
type options struct {
	nodes  int
	seed   uint64
	spec   nx.Spec
	faults fabric.Faults
	change func(*cluster.Spec)
}

var costs = nx.Costs{Call: 2 * sim.Microsecond, Record: sim.Microsecond}

func build(t require.TestingT, o options) *bed {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	s := cluster.Spec{Profile: p, Nodes: o.nodes, Seed: o.seed, Options: monitor.Options{Build: monitor.Off}, Faults: o.faults}
	if o.change != nil {
		o.change(&s)
	}
	c, err := cluster.New(s)
	require.NoError(t, err)
	o.spec.Costs = costs
	system, err := nx.New(o.spec, c.Deposits())
	require.NoError(t, err)
	return &bed{c, system}
}

// run executes a program on every node.
func run(t require.TestingT, o options, program func(*nx.Process) error) (*bed, error) {
	b := build(t, o)
	return b, b.run(t, program)
}

func (b *bed) run(t require.TestingT, program func(*nx.Process) error) error {
	defer b.Engine.Close()
	ended := false
	require.NoError(t, b.Start(program, func() { ended = true }))
	err := b.Engine.RunUntil(func() bool { return ended || b.Engine.Now() > sim.Time(60*sim.Second) })
	if b.Err() != nil {
		return b.Err()
	}
	if err != nil {
		return err
	}
	if _, ok := b.Elapsed(); !ok {
		return fmt.Errorf("not ended after %v", b.Engine.Now())
	}
	return b.Engine.Run(b.Engine.Now().Add(sim.Millisecond))
}

// pattern is what message number id of n bytes holds.
func pattern(id, n int) []byte {
	b := make([]byte, n)
	x := uint32(id)*2654435761 + 12345
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

func read(p *nx.Process, at host.Addr, n int) []byte {
	b := make([]byte, n)
	p.Space().ReadAt(at, b)
	return b
}

func word(v int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }

var modes = []nx.Broadcast{nx.Separate, nx.Tree, nx.Firmware}

// sizes go through every protocol: entries, slots, addresses asked for.
var sizes = []int{0, 1, 40, 41, 64, 65, 500, 4095, 4096, 4097, 8192, 16384, 16385, 50000}

// TestSizes sends messages of all sizes at all alignments one way, received
// before and after they come, from one node or any.
func TestSizes(t *testing.T) {
	for _, early := range []bool{false, true} {
		for _, from := range []int{0, nx.Any} {
			t.Run(fmt.Sprintf("early=%t,from=%d", early, from), func(t *testing.T) {
				b, err := run(t, options{nodes: 2}, func(p *nx.Process) error {
					for id, n := range sizes {
						for _, shift := range []int{0, 8, 4090} {
							buf := p.Alloc(int64(n + 3*4096))
							out, in := buf+host.Addr(shift), buf+host.Addr(id%2*shift)
							if p.Node() == 0 {
								if early {
									p.Compute(host.Work{Time: 20 * sim.Millisecond})
								}
								p.Space().WriteAt(out, pattern(id, n))
								if err := p.Csend(100+id, out, n, 1); err != nil {
									return err
								}
								p.Space().WriteAt(out, pattern(999, n)) // the buffer is free
								continue
							}
							if !early {
								p.Compute(host.Work{Time: 20 * sim.Millisecond})
							}
							guard := read(p, in+host.Addr(n), 64)
							if err := p.Crecvx(100+id, in, n, from); err != nil {
								return err
							}
							require.Equal(t, pattern(id, n), read(p, in, n), "size %d shift %d", n, shift)
							require.Equal(t, guard, read(p, in+host.Addr(n), 64), "bytes behind the buffer")
							require.Equal(t, []int{n, 0, 100 + id}, []int{p.Infocount(), p.Infonode(), p.Infotype()})
						}
					}
					return nil
				})
				require.NoError(t, err)
				s := b.Process(1).Stats()
				t.Logf("%+v", s)
				if early && from == 0 {
					require.NotZero(t, s.InPlace)
				}
				if early {
					require.Zero(t, s.Unexpected)
					require.Zero(t, s.SystemPeak)
				}
			})
		}
	}
}

// TestSelection receives by type and node in another order than the messages
// were sent in.
func TestSelection(t *testing.T) {
	_, err := run(t, options{nodes: 3}, func(p *nx.Process) error {
		buf := p.Alloc(8192)
		if p.Node() > 0 {
			for k := range 3 {
				p.Space().WriteAt(buf, word(10*p.Node()+k))
				if err := p.Csend(7+k%2, buf, 4, 0); err != nil {
					return err
				}
			}
			return nil
		}
		p.Compute(host.Work{Time: sim.Millisecond})
		for _, c := range []struct{ typ, node, want int }{
			{8, 2, 21}, {7, 2, 20}, {8, nx.Any, 11}, {nx.Any, 2, 22}, {7, 1, 10}, {nx.Any, nx.Any, 12},
		} {
			ok, err := p.Iprobex(c.typ, c.node)
			require.NoError(t, err)
			require.True(t, ok)
			probed := [3]int{p.Infocount(), p.Infonode(), p.Infotype()}
			if err := p.Crecvx(c.typ, buf, 4, c.node); err != nil {
				return err
			}
			require.EqualValues(t, c.want, p.Space().Load32(buf))
			require.Equal(t, probed, [3]int{p.Infocount(), p.Infonode(), p.Infotype()})
			require.Equal(t, [3]int{4, c.want / 10, 7 + c.want%10%2}, probed)
		}
		ok, err := p.Iprobe(nx.Any)
		require.False(t, ok)
		return err
	})
	require.NoError(t, err)
}

// TestBothSendFirst lets all processes send more than any room holds before
// they receive anything.
func TestBothSendFirst(t *testing.T) {
	for _, n := range []int{4, 8000, 40000} {
		for _, mode := range modes {
			t.Run(fmt.Sprintf("%d B %v", n, mode), func(t *testing.T) {
				const nodes = 4
				count := 40
				if testing.Short() {
					count = 15
				}
				b, err := run(t, options{nodes: nodes, spec: nx.Spec{Broadcast: mode, Slots: 2, Entries: 4}}, func(p *nx.Process) error {
					buf := p.Alloc(int64(n))
					for k := range count {
						for to := range nodes {
							if to == p.Node() {
								continue
							}
							p.Space().WriteAt(buf, pattern(100*p.Node()+k, n))
							if err := p.Csend(k, buf, n, to); err != nil {
								return err
							}
						}
					}
					for from := range nodes {
						for k := count - 1; k >= 0 && from != p.Node(); k-- {
							if err := p.Crecvx(k, buf, n, from); err != nil {
								return err
							}
							require.Equal(t, pattern(100*from+k, n), read(p, buf, n))
						}
					}
					return nil
				})
				require.NoError(t, err)
				if n > 64 {
					require.NotZero(t, b.Process(0).Stats().SystemPeak)
				}
			})
		}
	}
}

// TestBroadcast mixes broadcasts of all sizes from changing nodes with other
// messages, whose order must hold.
func TestBroadcast(t *testing.T) {
	for _, mode := range modes {
		for _, nodes := range []int{2, 3, 8, 13} {
			t.Run(fmt.Sprintf("%v %d", mode, nodes), func(t *testing.T) {
				b, err := run(t, options{nodes: nodes, spec: nx.Spec{Broadcast: mode}}, func(p *nx.Process) error {
					buf := p.Alloc(100_000)
					at := buf + 24
					for id, n := range sizes {
						root := id % nodes
						next := (root + 1) % nodes
						switch p.Node() {
						case root:
							if err := p.Csend(5, at, 3, next); err != nil {
								return err
							}
							p.Space().WriteAt(at, pattern(id, n))
							if err := p.Csend(5, at, n, nx.Any); err != nil {
								return err
							}
							p.Space().WriteAt(at, pattern(77, 300))
							if err := p.Csend(5, at, 300, next); err != nil {
								return err
							}
						default:
							var want []int
							if p.Node() == next {
								want = []int{3, n, 300}
							} else {
								want = []int{n}
							}
							for _, n := range want {
								if err := p.Crecvx(5, at, 60_000, root); err != nil {
									return err
								}
								require.Equal(t, n, p.Infocount())
								if n != 3 && n != 300 {
									require.Equal(t, pattern(id, n), read(p, at, n))
								}
							}
						}
					}
					return p.Gsync()
				})
				require.NoError(t, err)
				var s nx.Stats
				for i := range nodes {
					x := b.Process(i).Stats()
					s.Multicasts += x.Multicasts
					s.Forwarded += x.Forwarded
				}
				require.Equal(t, mode == nx.Firmware, s.Multicasts > 0)
				require.Equal(t, mode == nx.Tree && nodes > 3, s.Forwarded > 0)
			})
		}
	}
}

// TestTreeKeepsOrder lets a broadcast that comes through another node race
// messages of its origin that wait for room, and messages after it.
func TestTreeKeepsOrder(t *testing.T) {
	const root, inner, leaf, count = 0, 2, 3, 9
	for _, n := range []int{4, 6000, 20_000} {
		b, err := run(t, options{nodes: 4, spec: nx.Spec{Broadcast: nx.Tree, Slots: 2, Entries: 4}}, func(p *nx.Process) error {
			buf := p.Alloc(int64(40 * n))
			switch p.Node() {
			case root:
				for k := range 2*count + 1 {
					at, to := buf+host.Addr(k*n), leaf
					if k%count == 0 && k > 0 {
						to = nx.Any
					}
					p.Space().WriteAt(at, word(k))
					if _, err := p.Isend(5, at, n, to); err != nil {
						return err
					}
				}
			case leaf:
				for k := range 2*count + 1 {
					if err := p.Crecvx(5, buf, n, root); err != nil {
						return err
					}
					require.EqualValues(t, k, p.Space().Load32(buf))
				}
			default:
				for range 2 {
					if err := p.Crecvx(5, buf, n, root); err != nil {
						return err
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
		if n <= 16384 {
			require.EqualValues(t, 2, b.Process(inner).Stats().Forwarded)
		}
	}
}

// TestGlobalOperations compares with sums made here.
func TestGlobalOperations(t *testing.T) {
	for _, nodes := range []int{2, 3, 7, 8} {
		t.Run(fmt.Sprint(nodes), func(t *testing.T) {
			after := make([]sim.Time, nodes)
			late := sim.Time(0)
			b, err := run(t, options{nodes: nodes}, func(p *nx.Process) error {
				me := float64(p.Node())
				x := make([]float64, 1000)
				for i := range x {
					x[i] = me + float64(i)
				}
				require.NoError(t, p.Gdsum(x))
				n := float64(nodes)
				for i := range x {
					require.Equal(t, n*float64(i)+n*(n-1)/2, x[i])
				}
				y := []float64{me, -me}
				require.NoError(t, p.Gdhigh(y))
				require.Equal(t, []float64{n - 1, 0}, y)
				y = []float64{me, -me}
				require.NoError(t, p.Gdlow(y))
				require.Equal(t, []float64{0, 1 - n}, y)
				z := []int32{int32(p.Node()), 1}
				require.NoError(t, p.Gisum(z))
				require.Equal(t, []int32{int32(nodes * (nodes - 1) / 2), int32(nodes)}, z)
				z = []int32{int32(p.Node())}
				require.NoError(t, p.Gihigh(z))
				require.NoError(t, p.Gilow(z[:0]))
				require.EqualValues(t, nodes-1, z[0])

				lens := make([]int, nodes)
				var all []byte
				for i := range lens {
					lens[i] = 37 * i
					all = append(all, pattern(i, lens[i])...)
				}
				got := make([]byte, len(all))
				require.NoError(t, p.Gcolx(pattern(p.Node(), lens[p.Node()]), lens, got))
				require.Equal(t, all, got)

				if p.Node() == nodes/2 {
					p.Compute(host.Work{Time: 3 * sim.Millisecond})
					late = p.Now()
				}
				require.NoError(t, p.Gsync())
				after[p.Node()] = p.Now()
				return nil
			})
			require.NoError(t, err)
			for i, at := range after {
				require.GreaterOrEqual(t, at, late, "node %d", i)
			}
			s := b.Process(0).Shares()
			require.Greater(t, s.Time[host.BarrierWait], 2*sim.Millisecond)
		})
	}
}

func TestAsynchronous(t *testing.T) {
	_, err := run(t, options{nodes: 2}, func(p *nx.Process) error {
		buf := p.Alloc(1 << 20)
		slice := func(k int) host.Addr { return buf + host.Addr(k*40_000) }
		n := []int{30_000, 10, 9000, 0, 12_000, 300}
		var ids []nx.MsgID
		if p.Node() == 0 {
			for k := range n {
				p.Space().WriteAt(slice(k), pattern(k, n[k]))
				id, err := p.Isend(k, slice(k), n[k], 1)
				require.NoError(t, err)
				ids = append(ids, id)
			}
			done, err := p.Msgdone(ids[0])
			require.NoError(t, err)
			require.False(t, done)
			for k := len(ids) - 1; k >= 0; k-- {
				require.NoError(t, p.Msgwait(ids[k]))
			}
			_, err = p.Msgdone(ids[0])
			require.ErrorContains(t, err, "no message in progress")
			return nil
		}
		for k := range n {
			id, err := p.Irecvx(k, slice(k), n[k], 0)
			require.NoError(t, err)
			ids = append(ids, id)
		}
		p.Compute(host.Work{Time: 30 * sim.Millisecond})
		for k := range ids {
			if k%2 == 0 {
				require.NoError(t, p.Msgwait(ids[k]))
			} else {
				for done := false; !done; {
					var err error
					done, err = p.Msgdone(ids[k])
					require.NoError(t, err)
				}
			}
			require.Equal(t, n[k], p.Infocount())
			require.Equal(t, pattern(k, n[k]), read(p, slice(k), n[k]))
		}
		return nil
	})
	require.NoError(t, err)
}

// TestProbeWaits probes for messages that have not come yet, and begins to
// receive one from whichever node.
func TestProbeWaits(t *testing.T) {
	_, err := run(t, options{nodes: 3}, func(p *nx.Process) error {
		buf := p.Alloc(8192)
		if p.Node() > 0 {
			p.Compute(host.Work{Time: sim.Duration(p.Node()) * sim.Millisecond})
			p.Space().WriteAt(buf, word(p.Node()))
			return p.Csend(p.Node(), buf, 4, 0)
		}
		require.NoError(t, p.Cprobex(nx.Any, 2))
		require.GreaterOrEqual(t, p.Now(), sim.Time(2*sim.Millisecond))
		require.Equal(t, 2, p.Infotype())
		require.NoError(t, p.Cprobe(1))
		require.Equal(t, 1, p.Infonode())
		id, err := p.Irecv(2, buf, 4)
		require.NoError(t, err)
		require.NoError(t, p.Msgwait(id))
		require.EqualValues(t, 2, p.Space().Load32(buf))
		require.ErrorContains(t, p.Cprobe(-2), "asks for type -2")
		require.ErrorContains(t, p.Cprobex(1, 3), "asks for node 3")
		return p.Crecv(nx.Any, buf, 4)
	})
	require.NoError(t, err)
}

// TestSelf sends to the own node.
func TestSelf(t *testing.T) {
	_, err := run(t, options{nodes: 2}, func(p *nx.Process) error {
		buf := p.Alloc(40_000)
		for id, n := range sizes[:12] {
			p.Space().WriteAt(buf, pattern(id, n))
			require.NoError(t, p.Csend(id, buf, n, p.Node()))
			p.Space().WriteAt(buf, pattern(0, 20_000))
			require.NoError(t, p.Crecvx(id, buf, n, p.Node()))
			require.Equal(t, pattern(id, n), read(p, buf, n))
		}
		return nil
	})
	require.NoError(t, err)
}

func TestWrongCalls(t *testing.T) {
	for name, c := range map[string]struct {
		call func(p *nx.Process, buf host.Addr) error
		want string
	}{
		"type":         {func(p *nx.Process, b host.Addr) error { return p.Csend(-1, b, 4, 1) }, "type -1, want 0 to"},
		"node":         {func(p *nx.Process, b host.Addr) error { return p.Csend(1, b, 4, 2) }, "node 2, want 0 to 1"},
		"buffer":       {func(p *nx.Process, b host.Addr) error { return p.Csend(1, 3, 4, 1) }, "not memory of the process"},
		"length":       {func(p *nx.Process, b host.Addr) error { return p.Csend(1, b, -4, 1) }, "of -4 B"},
		"receive type": {func(p *nx.Process, b host.Addr) error { return p.Crecv(-2, b, 4) }, "asks for type -2"},
		"receive node": {func(p *nx.Process, b host.Addr) error { return p.Crecvx(1, b, 4, 9) }, "asks for node 9"},
		"number":       {func(p *nx.Process, b host.Addr) error { return p.Msgwait(3) }, "no message in progress has the number 3"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := run(t, options{nodes: 2}, func(p *nx.Process) error {
				if p.Node() == 1 {
					return p.Crecv(nx.Any, p.Alloc(100), 100)
				}
				return c.call(p, p.Alloc(100))
			})
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestTooLong: a message for a smaller buffer is an error at the receiver and
// touches nothing behind the buffer, however it travels.
func TestTooLong(t *testing.T) {
	for _, n := range []int{40, 5000, 30_000} {
		for _, from := range []int{0, nx.Any} {
			_, err := run(t, options{nodes: 2}, func(p *nx.Process) error {
				buf := p.Alloc(100_000)
				if p.Node() == 0 {
					p.Compute(host.Work{Time: sim.Millisecond})
					return p.Csend(1, buf, n, 1)
				}
				p.Space().WriteAt(buf+host.Addr(n-8), pattern(1, 100))
				err := p.Crecvx(1, buf, n-8, from)
				require.Equal(t, pattern(1, 100), read(p, buf+host.Addr(n-8), 100))
				return err
			})
			require.ErrorContains(t, err, fmt.Sprintf("a message of type 1 from node 0 has %d B, the receive only %d", n, n-8))
		}
	}
}

// TestSpec refuses what cannot be.
func TestSpec(t *testing.T) {
	for want, s := range map[string]nx.Spec{
		"nx.Broadcast is broadcast(3)":               {Broadcast: 3},
		"nx.Entries is 3":                            {Entries: 3},
		"nx.Slots is 1":                              {Slots: 1},
		"nx.EagerBytes is 5000":                      {EagerBytes: 5000},
		"nx.RedirectBytes is -1":                     {RedirectBytes: -1},
		"nx.HeapBytes is 5":                          {HeapBytes: 5},
		"nx.Costs.call_us is -1e-06, want 0 to 1000": {Costs: nx.Costs{Call: -1}},
		"2 nodes, want 2":                            {},
		"nx.EagerBytes is 33554432":                  {EagerBytes: 32 << 20},
	} {
		_, err := nx.New(s, make([]deposit.Node, 1))
		if s == (nx.Spec{}) {
			require.ErrorContains(t, err, "1 nodes, want 2")
			continue
		}
		require.ErrorContains(t, err, want)
	}
	var b nx.Broadcast
	for _, name := range b.Words().Names() {
		require.NoError(t, b.UnmarshalText([]byte(name)))
		require.Equal(t, name, b.String())
	}
	require.ErrorContains(t, b.UnmarshalText([]byte("tre")), "known: separate, tree, firmware")
}
