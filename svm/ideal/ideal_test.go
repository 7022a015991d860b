package ideal_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/svmcheck"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
)

const us = sim.Microsecond

func hostSpec(cpus int) host.Spec {
	return host.Spec{
		CPUs: cpus, Clock: sim.Hz(166e6), CacheLine: 32, L2KB: 512,
		Ops:    host.Ops{Flop: 15_000, Int: 6_000, Load: 12_000, Store: 12_000},
		MemBus: 180e6, MemRead: 110e6, MemWrite: 80e6, CopyHit: 110e6, CopyMiss: 45e6,
		IOBus: 133e6, PIOWrite: 150_000, PIOLine: 1_200_000, PIORead: 500_000,
		PollNotice: us / 5, Interrupt: host.Interrupt{Delivery: 2 * us, Entry: 12 * us, Return: 6 * us},
	}
}

var costs = svm.Costs{
	Fault: 15 * us, Protect: 5 * us, Handler: 5 * us, Notice: us / 2, DiffRun: us / 3, DiffWord: 10_000,
	Poll: us / 5, PollEvery: 50 * us,
}

var fabric = ideal.Spec{SendCost: 2 * us, Latency: 10 * us, Rate: 100e6}

// world is a system on hosts and an ideal network.
type world struct {
	engine *sim.Engine
	system *svm.System
	net    *ideal.Network
	hosts  []*host.Host
}

func build(t testing.TB, seed uint64, spec svm.Spec, net ideal.Spec) *world {
	w := &world{engine: sim.New(seed)}
	var err error
	w.system, err = svm.NewSystem(spec)
	require.NoError(t, err)
	for i := range spec.Layout.Nodes() {
		h := host.New(w.engine, fmt.Sprintf("node%d", i), new(hostSpec(1)), host.Uncontended{})
		w.hosts = append(w.hosts, h)
	}
	w.net, err = ideal.Connect(w.engine, w.system, w.hosts, net)
	require.NoError(t, err)
	return w
}

func (w *world) run(program func(*svm.Thread)) error {
	if err := w.system.Start(program, nil); err != nil {
		return err
	}
	defer w.engine.Close()
	if err := w.engine.Run(sim.Never); err != nil {
		return err
	}
	return w.system.Err()
}

func layout(t testing.TB, nodes, pages int, homes svm.Homes) *svm.Layout {
	l, err := svm.NewLayout(nodes)
	require.NoError(t, err)
	_, err = l.Alloc(pages*svm.PageSize, homes)
	require.NoError(t, err)
	return l
}

// TestRandomPrograms runs the oracle's programs as threads, with interrupts
// and polling, with and without checking mode.
func TestRandomPrograms(t *testing.T) {
	shape := svmcheck.Shape{Nodes: 5, Pages: 4, Locks: 3, Phases: 3, Ops: 6, WordsPerPage: svm.PageSize / svm.WordSize}
	runs := 150
	if testing.Short() {
		runs = 30
	}
	for seed := range uint64(runs) {
		p := svmcheck.Random(rand.New(rand.NewPCG(seed, 2)), shape)
		spec := svm.Spec{
			Layout: layout(t, p.Nodes, p.Pages, svm.Homes(seed%3)), Costs: costs,
			Service: svm.Service(seed / 3 % 2), Check: seed/6%2 == 1, Migrate: seed%4 < 2,
		}
		net := fabric
		net.Jitter = sim.Duration(seed%4) * 60 * us
		w := build(t, seed, spec, net)
		o := svmcheck.NewOracle(p.Nodes, p.Words)
		var wrong error
		err := w.run(func(th *svm.Thread) {
			for _, op := range p.Ops[th.Node()] {
				if err := svmcheck.Perform(th, o, op); err != nil && wrong == nil {
					wrong = err
				}
				if op.Kind == svmcheck.Lock || op.Kind == svmcheck.Unlock {
					th.Compute(host.Work{Time: 3 * us})
				}
			}
		})
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, wrong, "seed %d", seed)
		require.Zero(t, w.net.Broken)
		for _, h := range w.hosts {
			require.Len(t, h.Shares(), 1) // panics if the shares do not sum to the time
		}
	}
}

// TestHomesFollowTheirUsers: node 1 writes pages of node 0 in turns with barriers. They
// move to it at the second one: no more twins and diffs, and the memory is right.
func TestHomesFollowTheirUsers(t *testing.T) {
	const pages, rounds = 4, 6
	run := func(migrate bool) (svm.Stats, *svm.System) {
		w := build(t, 1, svm.Spec{Layout: layout(t, 3, pages, svm.Single), Costs: costs, Migrate: migrate}, fabric)
		require.NoError(t, w.run(func(th *svm.Thread) {
			for round := range rounds {
				if th.Node() == 1 {
					for p := range pages {
						th.WritePiece(svm.Addr(p)*svm.PageSize, 4)[0] = byte(10*round + p)
					}
				}
				th.Barrier(uint32(round))
			}
		}))
		got := make([]byte, pages*svm.PageSize)
		require.NoError(t, w.system.Snapshot(0, got))
		for p := range pages {
			require.EqualValues(t, 10*(rounds-1)+p, got[p*svm.PageSize])
		}
		return w.system.Member(1).Stats(), w.system
	}
	fixed, s := run(false)
	require.Empty(t, s.Migrations())
	require.EqualValues(t, pages*rounds, fixed.Diffs)
	moved, s := run(true)
	require.EqualValues(t, pages*2, moved.Diffs)
	require.EqualValues(t, pages, moved.Fetches)
	require.Len(t, s.Migrations(), 1)
	m := s.Migrations()[0]
	require.Equal(t, 0, m.Node)
	require.Equal(t, svm.Misplaced{To: 1, Pages: pages, First: 0, Last: pages - 1, Writes: 2 * pages}, m.Misplaced)
	require.Positive(t, m.At)
}

// TestFetchTakesItsParts adds up one page fetch by hand.
func TestFetchTakesItsParts(t *testing.T) {
	for _, c := range []struct {
		service svm.Service
		want    sim.Duration
	}{
		// fault; 8 B written to the frame at 80 MB/s; request: send, latency and 52 B; interrupt, handler;
		// page: send, latency and 4096 B; notice, handler, protection.
		{svm.Interrupt, 15*us + us/10 + 2*us + 10*us + 520_000 + 14*us + 5*us + 2*us + 10*us + 40_960_000 + us/5 + 5*us + 5*us},
		// The home spins: it notices by itself.
		{svm.Polling, 15*us + us/10 + 2*us + 10*us + 520_000 + us/5 + 5*us + 2*us + 10*us + 40_960_000 + us/5 + 5*us + 5*us},
	} {
		t.Run(c.service.String(), func(t *testing.T) {
			w := build(t, 1, svm.Spec{Layout: layout(t, 2, 2, svm.Blocks), Costs: costs, Service: c.service}, fabric)
			var took sim.Duration
			err := w.run(func(th *svm.Thread) {
				if th.Node() == 0 {
					th.Context().Spend(us) // the home sleeps in its barrier by then
					from := th.Now()
					th.ReadPiece(svm.PageSize, 8)
					took = th.Now().Sub(from)
				}
				th.Barrier(1) // node 1 manages it, so node 0 is left alone
			})
			require.NoError(t, err)
			require.InDelta(t, c.want.Us(), took.Us(), 0.01)
		})
	}
}

// TestCategories shows that each wait is booked where it belongs and that
// service steals from computing.
func TestCategories(t *testing.T) {
	w := build(t, 1, svm.Spec{Layout: layout(t, 2, 8, svm.Blocks), Costs: costs}, fabric)
	var shares [2]host.Shares
	err := w.run(func(th *svm.Thread) {
		if th.Node() == 0 {
			for p := range 4 {
				th.ReadPiece(svm.Addr(4+p)*svm.PageSize, 1)
			}
			th.Lock(1)
			th.WritePiece(4*svm.PageSize, 4)[0] = 1
			th.Unlock(1)
		} else {
			th.Compute(host.Work{Time: 2000 * us})
		}
		th.Barrier(0)
		shares[th.Node()] = th.Shares()
	})
	require.NoError(t, err)
	for i := range shares {
		require.Equal(t, shares[i].Elapsed, shares[i].Sum())
	}
	require.Greater(t, shares[0].Time[host.PageWait], 4*80*us)
	require.Greater(t, shares[0].Time[host.LockWait], 30*us)
	require.Greater(t, shares[0].Time[host.BarrierWait], 1000*us)
	require.Equal(t, 2000*us, shares[1].Time[host.Computing])
	// four page requests, a lock request, a diff: 18 µs of interrupt and 5 of handler each, at least
	require.Greater(t, shares[1].Time[host.Service], 6*23*us)
	st := w.system.Member(0).Stats()
	require.EqualValues(t, 4, st.Fetches)
	require.EqualValues(t, 1, st.Twins)
	require.EqualValues(t, 1, st.Diffs)
	require.EqualValues(t, 8, st.DiffBytes)
	require.EqualValues(t, 1, w.system.Member(1).Stats().Applied)
}

// TestDamageIsSeen lets corrupted pages reach the program.
func TestDamageIsSeen(t *testing.T) {
	net := fabric
	net.Damage = 3
	w := build(t, 1, svm.Spec{Layout: layout(t, 2, 20, svm.Blocks), Costs: costs}, net)
	bad := 0
	err := w.run(func(th *svm.Thread) {
		th.Barrier(0)
		if th.Node() == 0 {
			for off, b := range th.Read(10*svm.PageSize, 10*svm.PageSize) {
				require.Zero(t, off%svm.PageSize)
				for _, v := range b {
					if v != 0 {
						bad++
					}
				}
			}
		}
		th.Barrier(0)
	})
	require.NoError(t, err)
	require.Equal(t, 3, bad)
	require.Equal(t, 3, w.net.Broken)
	require.EqualValues(t, 3, w.system.Member(0).Stats().Damaged)
}

// TestDeadSlices shows what checking mode finds.
func TestDeadSlices(t *testing.T) {
	for name, c := range map[string]struct {
		use  func(*svm.Thread)
		want string
	}{
		"read after a barrier": {func(th *svm.Thread) {
			v := svm.View[float64](th.ReadPiece(0, 64))
			th.Barrier(0)
			if v[0] != v[0] {
				panic("NaN")
			}
		}, "NaN"},
		"read after asking for writing": {func(th *svm.Thread) {
			v := svm.View[float64](th.ReadPiece(0, 64))
			th.WritePiece(0, 8)
			if v[0] != v[0] {
				panic("NaN")
			}
			th.Barrier(0)
		}, "NaN"},
		"write after an unlock": {func(th *svm.Thread) {
			th.Lock(0)
			b := th.WritePiece(0, 64)
			th.Unlock(0)
			b[0] = 1
			for range 40 {
				th.WritePiece(0, 8)
				th.Barrier(0)
			}
		}, "written through a slice that was no longer valid after a synchronization"},
	} {
		t.Run(name, func(t *testing.T) {
			w := build(t, 1, svm.Spec{Layout: layout(t, 2, 2, svm.Blocks), Costs: costs, Check: true}, fabric)
			require.PanicsWithValue(t, panicWith(c.want), func() {
				defer func() {
					if r := recover(); r != nil {
						panic(panicWith(fmt.Sprint(r)))
					}
				}()
				_ = w.run(func(th *svm.Thread) {
					if th.Node() == 0 {
						c.use(th)
						return
					}
					for range 40 {
						th.Barrier(0)
					}
				})
			})
		})
	}
}

// panicWith cuts a message to the part that matters.
func panicWith(s string) string {
	for _, part := range []string{"NaN", "written through a slice that was no longer valid after a synchronization"} {
		if len(s) >= len(part) && s[len(s)-len(part):] == part {
			return part
		}
	}
	return s
}

// TestSameSeedSameRun compares the digests of all events.
func TestSameSeedSameRun(t *testing.T) {
	digest := func(seed uint64) uint64 {
		net := fabric
		net.Jitter = 30 * us
		w := build(t, seed, svm.Spec{Layout: layout(t, 4, 8, svm.RoundRobin), Costs: costs}, net)
		err := w.run(func(th *svm.Thread) {
			for i := range 30 {
				th.Lock(uint32(i % 3))
				svm.View[uint32](th.WritePiece(svm.Addr(i%8)*svm.PageSize, 4))[0]++
				th.Unlock(uint32(i % 3))
			}
			th.Barrier(0)
		})
		require.NoError(t, err)
		return w.engine.Digest()
	}
	require.Equal(t, digest(7), digest(7))
	require.NotEqual(t, digest(7), digest(8))
}
