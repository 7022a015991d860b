package dfs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/dfs"
)

func TestNodes(t *testing.T) {
	for _, n := range []int{2, 3, 8, 16, 64} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			ops := 250
			spec := dfs.Spec{Nodes: n, Ops: ops, Seed: 1}
			if n > 8 {
				spec.FileBytes, spec.Files = 20000, 2*n
			}
			w, err := run(t, spec, fabric.Faults{}, nil)
			require.NoError(t, err)
			w.report(t)
			s := w.d.Stats()
			total := uint64(0)
			for k, n := range s.Ops {
				require.NotZero(t, n, "%v", dfs.Kind(k))
				total += n
			}
			require.EqualValues(t, ops, total)
			require.NotZero(t, s.BytesRead)
			require.NotZero(t, s.BytesWritten)
			require.NotZero(t, s.Requests)
			for _, sh := range w.d.Shares() {
				require.Equal(t, sh.Elapsed, sh.Sum())
				require.NotZero(t, sh.Time[host.Computing])
				require.True(t, n > 8 || sh.Time[host.LockWait] > 0, "so few operations that a client may wait for no lock")
			}
		})
	}
}

// drawSpec draws small files that everybody changes.
func drawSpec(t *rapid.T) dfs.Spec {
	weight := rapid.IntRange(0, 10)
	s := dfs.Spec{
		Nodes:     rapid.IntRange(2, 6).Draw(t, "nodes"),
		Ops:       rapid.IntRange(1, 150).Draw(t, "ops"),
		Seed:      rapid.Uint64().Draw(t, "seed"),
		Files:     rapid.IntRange(1, 20).Draw(t, "files"),
		FileBytes: rapid.SampledFrom([]int{1, 100, 4096, 5000, 40000}).Draw(t, "file bytes"),
		Shared:    rapid.SampledFrom([]int{50, 100}).Draw(t, "shared"),
		Anyone:    rapid.Bool().Draw(t, "anyone"),
		Disk:      rapid.Bool().Draw(t, "disk"),
		Mix: dfs.Mix{
			Read: weight.Draw(t, "read"), Write: weight.Draw(t, "write"), Append: weight.Draw(t, "append"),
			Create: weight.Draw(t, "create"), Truncate: weight.Draw(t, "truncate"), List: weight.Draw(t, "list"), Remove: weight.Draw(t, "remove"),
		},
	}
	s.Servers = rapid.IntRange(1, s.Nodes).Draw(t, "servers")
	s.OpBytes = rapid.IntRange(1, s.FileBytes).Draw(t, "op bytes")
	return s
}

// TestRandomRuns: file systems, mixes and faults at random; every run verifies
// itself.
func TestRandomRuns(t *testing.T) {
	var ops, requests, repeated, reads uint64
	rapid.Check(t, func(rt *rapid.T) {
		spec := drawSpec(rt)
		faults := fabric.Faults{ErrorPerByte: rapid.SampledFrom([]float64{0, 0, 1e-6, 1e-5}).Draw(rt, "errors")}
		lost := rapid.SampledFrom([]float64{0, 0, 0.1}).Draw(rt, "lost acknowledgements")
		w, err := run(rt, spec, faults, func(w *world) {
			draw := w.c.Engine.Stream("test/acknowledgements")
			w.c.Net.DropWhen(func(p *fabric.Packet) bool { return p.Header.Meta.Kind == trace.Ack && draw.Float64() < lost })
		})
		require.NoError(rt, err)
		for _, n := range w.d.Stats().Ops {
			ops += n
		}
		requests += w.d.Stats().Requests
		reads += w.d.Stats().DiskReads
		for _, n := range w.c.Nodes {
			repeated += n.VMMC.Stats().Retransmitted
		}
	})
	t.Logf("%d operations, %d requests, %d blocks from disk, %d packets sent again", ops, requests, reads, repeated)
	require.NotZero(t, repeated)
	require.NotZero(t, reads)
}

// TestBlockIsThereBeforeItsClientWaits: a block that follows the last one under the head of the disk is
// read while its client still works in the driver.
func TestBlockIsThereBeforeItsClientWaits(t *testing.T) {
	_, err := run(t, dfs.Spec{
		Nodes: 4, Ops: 11, Seed: 2, Files: 14, FileBytes: 1, Shared: 100, Disk: true,
		Mix: dfs.Mix{Read: 2, List: 2}, Servers: 2, OpBytes: 1,
	}, fabric.Faults{}, nil)
	require.NoError(t, err)
}

func TestFaultsThatAreSurvived(t *testing.T) {
	spec := dfs.Spec{Nodes: 4, Ops: 200, Seed: 3}
	for name, c := range map[string]struct {
		faults fabric.Faults
		begin  func(*world)
	}{
		"bit errors": {faults: fabric.Faults{ErrorPerByte: 1e-6}},
		"a stalled node": {begin: func(w *world) {
			w.c.Net.Stall(fabric.Stall{Node: 1, At: sim.Time(10 * sim.Millisecond), For: 60 * sim.Millisecond})
		}},
		"lost acknowledgements": {begin: func(w *world) {
			draw := w.c.Engine.Stream("test/acknowledgements")
			w.c.Net.DropWhen(func(p *fabric.Packet) bool { return p.Header.Meta.Kind == trace.Ack && draw.Float64() < 0.1 })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := run(t, spec, c.faults, c.begin)
			require.NoError(t, err)
			s := w.c.Net.Stats()
			require.NotZero(t, s.Hit+s.Dropped+s.Resets+s.ResetLost, "the fault was there")
		})
	}
}

// TestUnseenCorruption: errors that no checksum shows end a run with an error,
// or are harmless. Nothing hangs and nothing panics.
func TestUnseenCorruption(t *testing.T) {
	right, wrong := 0, 0
	runs := 20
	if testing.Short() {
		runs = 8
	}
	for seed := range uint64(runs) {
		w, err := run(t, dfs.Spec{Nodes: 3, Ops: 120, Seed: seed, FileBytes: 20000}, fabric.Faults{ErrorPerByte: 2e-4, BurstBytes: 6}, nil)
		if err == nil {
			right++
			continue
		}
		wrong++
		require.NotZero(t, w.c.Net.Stats().Undetected, "seed %d: %v", seed, err)
		t.Logf("seed %d: %v", seed, err)
	}
	t.Logf("%d right, %d with an error", right, wrong)
	require.NotZero(t, wrong)
}

// TestMistakesAreNoticed plants one at a time.
func TestMistakesAreNoticed(t *testing.T) {
	spec := dfs.Spec{Nodes: 4, Ops: 300, Seed: 1, Files: 8, FileBytes: 20000, Shared: 100, Anyone: true}
	_, err := run(t, spec, fabric.Faults{}, func(w *world) { dfs.OpenLocks(w.d) })
	require.ErrorContains(t, err, "is granted to client")

	tails := spec
	tails.Mix = dfs.Mix{Read: 10, Write: 5, Truncate: 10}
	_, err = run(t, tails, fabric.Faults{}, func(w *world) { dfs.KeepTails(w.d) })
	require.ErrorContains(t, err, "differ")

	for name, c := range map[string]struct {
		plant func(*dfs.DFS) bool
		want  string
	}{
		"damage": {dfs.Damage, "differs at byte 0"},
		"forget": {dfs.Forget, "files, want"},
		"lose":   {func(d *dfs.DFS) bool { return dfs.Lose(d, false) }, "is lost"},
		"share":  {func(d *dfs.DFS) bool { return dfs.Lose(d, true) }, "free twice"},
	} {
		w, err := run(t, spec, fabric.Faults{}, nil)
		require.NoError(t, err)
		require.True(t, c.plant(w.d), name)
		_, err = w.d.Verify()
		require.ErrorContains(t, err, c.want, name)
	}
}

// TestDamageDuringRun changes a block in a server's memory while clients use it.
func TestDamageDuringRun(t *testing.T) {
	spec := dfs.Spec{Nodes: 2, Ops: 300, Seed: 1, Files: 2, FileBytes: 20000, Shared: 100, Mix: dfs.Mix{Read: 1}}
	_, err := run(t, spec, fabric.Faults{}, func(w *world) {
		w.c.Nodes[0].Host.Go("fault", host.Handler, func(x *host.Context) {
			x.Sleep(5 * sim.Millisecond)
			dfs.Damage(w.d)
		})
	})
	require.ErrorContains(t, err, "file-000000: ")
	require.ErrorContains(t, err, "differ from what was written")
}

func TestSameRunEveryTime(t *testing.T) {
	digest := func(seed uint64) (uint64, dfs.Stats) {
		w, err := run(t, dfs.Spec{Nodes: 4, Ops: 100, Seed: seed, Disk: true}, fabric.Faults{ErrorPerByte: 1e-6}, nil)
		require.NoError(t, err)
		return w.c.Engine.Digest(), w.d.Stats()
	}
	a, stats := digest(1)
	b, again := digest(1)
	require.Equal(t, a, b)
	require.Equal(t, stats, again)
	other, _ := digest(2)
	require.NotEqual(t, a, other)
}

// TestDisk: reading from disks takes longer, and only what is there at the
// start is read from them.
func TestDisk(t *testing.T) {
	spec := dfs.Spec{Nodes: 4, Ops: 150, Seed: 1}
	warm, err := run(t, spec, fabric.Faults{}, nil)
	require.NoError(t, err)
	spec.Disk = true
	cold, err := run(t, spec, fabric.Faults{}, nil)
	require.NoError(t, err)
	cold.report(t)
	w, _ := warm.d.Elapsed()
	c, _ := cold.d.Elapsed()
	require.Greater(t, c, w+100*sim.Millisecond)
	require.Zero(t, warm.d.Stats().DiskReads)
	require.NotZero(t, cold.d.Stats().DiskReads)
}

func TestSpec(t *testing.T) {
	good := dfs.Spec{Nodes: 4, Ops: 10}
	d, err := dfs.New(good)
	require.NoError(t, err)
	s := d.Spec()
	require.Equal(t, 4, s.Servers)
	require.Equal(t, 32, s.Files)
	require.Equal(t, 256<<10, s.OpBytes)
	for _, c := range []struct {
		change func(*dfs.Spec)
		want   string
	}{
		{func(s *dfs.Spec) { s.Nodes = 1 }, "dfs.nodes is 1, want 2 to 1024"},
		{func(s *dfs.Spec) { s.Servers = 5 }, "dfs.servers is 5, want 1 to nodes = 4"},
		{func(s *dfs.Spec) { s.Ops = 0 }, "dfs.size is 0, want 1 to"},
		{func(s *dfs.Spec) { s.Files = -1 }, "dfs.files is -1"},
		{func(s *dfs.Spec) { s.FileBytes = 1 << 30 }, "dfs.file_bytes is 1073741824"},
		{func(s *dfs.Spec) { s.OpBytes = 1 << 20 }, "dfs.op_bytes is 1048576, want 1 to file_bytes = 262144"},
		{func(s *dfs.Spec) { s.Shared = 101 }, "dfs.shared is 101"},
		{func(s *dfs.Spec) { s.Mix.List = -1 }, "dfs.mix.list is -1"},
	} {
		bad := good
		c.change(&bad)
		_, err := dfs.New(bad)
		require.ErrorContains(t, err, c.want)
	}
}

func FuzzRequest(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 16, 1, 0, 0, 0})
	f.Add([]byte{2, 1, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0, 0, 1, 4, 0, 1, 0, 0, 0})
	f.Add([]byte{4, 0, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if again, err := dfs.ParseRequest(b); err == nil {
			require.Equal(t, b, again[:])
		}
	})
}

func FuzzReply(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 7, 0, 0, 0, 0, 16, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if again, err := dfs.ParseReply(b); err == nil {
			require.Equal(t, b, again[:])
		}
	})
}

func FuzzInode(f *testing.F) {
	f.Add([]byte{0x76, 0x66, 0x73, 0x69, 0, 0x20, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, uint32(100))
	f.Fuzz(func(t *testing.T, b []byte, disk uint32) {
		if len(b) < dfs.MinInode {
			return
		}
		if again, err := dfs.ParseInode(b, disk); err == nil {
			require.Equal(t, b[:len(b)/4*4], again)
		}
	})
}
