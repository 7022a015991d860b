package grim_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// areaBytes is the memory of a process that the other one writes and reads.
const areaBytes = 64 << 10

// operation is a write or a read of the area.
type operation struct {
	at, bytes     int
	read, virtual bool
	locked        bool // a read with a lock
}

func drawOperation(t *rapid.T) operation {
	at := rapid.IntRange(0, areaBytes-1).Draw(t, "at")
	n := min(rapid.OneOf(rapid.IntRange(1, 100), rapid.IntRange(1, 30000)).Draw(t, "bytes"), areaBytes-at)
	return operation{at, n, rapid.IntRange(0, 3).Draw(t, "read") == 0, rapid.Bool().Draw(t, "virtual"), rapid.Bool().Draw(t, "locked")}
}

// TestRemoteMemory: writes by physical and by virtual address, reads and locks in any order
// do what a model of the memory says, with every valid set of options, over a network that
// loses and damages packets, with a cache that the pages thrash.
func TestRemoteMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		errors, drops := faulty(t)
		r := testbed.New(t, on, "grim", 2, 100, options(t), errors)
		drops(r)
		here, there := r.Procs[0].Endpoint.(*grim.Endpoint), r.Procs[1].Endpoint.(*grim.Endpoint)
		area := there.Space().Alloc(areaBytes)
		locks := there.Space().Alloc(host.PageBytes)
		operations := rapid.SliceOfN(rapid.Custom(drawOperation), 1, 12).Draw(t, "operations")
		out := here.Space().Alloc(areaBytes)
		into := here.Space().Alloc(int64(areaBytes * len(operations)))
		flags := here.Space().Alloc(int64(host.PageBytes * len(operations)))
		want := make([]byte, areaBytes)
		blocks := map[host.Addr]func(){} // of reads whose locks are to be written
		here.OnLock(func(at host.Addr) {
			require.Contains(t, blocks, at, "one lock for each read that has one")
			blocks[at]()
			delete(blocks, at)
		})
		there.OnLock(func(at host.Addr) {
			b := make([]byte, areaBytes)
			there.Space().ReadAt(area, b)
			require.Equal(t, want, b, "the lock at %#x tells that all before it is in memory", at)
			want = nil
		})
		r.Go(func(c *host.Context, p *testbed.Process) {
			to := here.Remote(there)
			for i, o := range operations {
				if o.read {
					at, lock := into+host.Addr(i*areaBytes), host.Addr(0)
					block := bytes.Clone(want[o.at : o.at+o.bytes])
					came := func() {
						got := make([]byte, o.bytes)
						here.Space().ReadAt(at, got)
						require.Equal(t, block, got, "operation %d", i)
					}
					if o.locked {
						lock = flags + host.Addr(i*host.PageBytes)
						blocks[lock] = came
					}
					require.NoError(t, here.Read(c, to, area+host.Addr(o.at), at, o.bytes, lock, trace.Meta{}))
					came()
					continue
				}
				data := testbed.Pattern(uint64(i), o.bytes)
				here.Space().WriteAt(out, data)
				copy(want[o.at:], data)
				require.NoError(t, here.Write(c, to, out, area+host.Addr(o.at), o.bytes, o.virtual, 0, trace.Meta{}))
			}
			require.NoError(t, here.Write(c, to, out, area, 0, true, locks+8, trace.Meta{}))
		})
		require.Nil(t, want, "the lock has been written")
		require.Empty(t, blocks, "so are those of reads")
		b := make([]byte, 12)
		there.Space().ReadAt(locks, b)
		require.Equal(t, []byte{8: 1, 11: 0}, b)
		require.Zero(t, r.Lost())
	})
}

// TestTranslation: a page that the cache has costs the search only. Another one costs the
// host an interrupt, and those of one message cost one together.
func TestTranslation(t *testing.T) {
	r := testbed.New(t, on, "grim", 2, 100)
	here, there := r.Procs[0].Endpoint.(*grim.Endpoint), r.Procs[1].Endpoint.(*grim.Endpoint)
	area, out := there.Space().Alloc(areaBytes), here.Space().Alloc(areaBytes)
	node := r.Nodes[1].Layer.(*grim.Node)
	write := func(at, n int) grim.Stats {
		before := node.Stats()
		r.Go(func(c *host.Context, _ *testbed.Process) {
			require.NoError(t, here.Write(c, here.Remote(there), out, area+host.Addr(at), n, true, 0, trace.Meta{}))
		})
		now := node.Stats()
		return grim.Stats{Hits: now.Hits - before.Hits, Misses: now.Misses - before.Misses, Interrupts: now.Interrupts - before.Interrupts}
	}
	require.Equal(t, grim.Stats{Misses: 1, Interrupts: 1}, write(0, 4))
	require.Equal(t, grim.Stats{Hits: 1}, write(100, 4))
	require.Equal(t, grim.Stats{Hits: 1, Misses: 3, Interrupts: 1}, write(0, 4*host.PageBytes))
	require.Equal(t, grim.Stats{Hits: 2}, write(host.PageBytes-2, 4))
}

// TestReadLock: the reader's interface writes one lock behind a block of several fragments, and
// translates its address for itself.
func TestReadLock(t *testing.T) {
	r := testbed.New(t, on, "grim", 2, 100, set(func(s *grim.Spec) { s.FragmentBytes, s.SegmentBytes = 1024, 512 }))
	here, there := r.Procs[0].Endpoint.(*grim.Endpoint), r.Procs[1].Endpoint.(*grim.Endpoint)
	area, into := there.Space().Alloc(areaBytes), here.Space().Alloc(2*host.PageBytes)
	read := func(n int, lock host.Addr) grim.Stats {
		layer := func(i int) grim.Stats { return r.Nodes[i].Layer.(*grim.Node).Stats() }
		before := layer(0)
		r.Go(func(c *host.Context, _ *testbed.Process) {
			require.NoError(t, here.Read(c, here.Remote(there), area, into, n, lock, trace.Meta{}))
		})
		now := layer(0)
		require.Zero(t, layer(1).Locks)
		return grim.Stats{Hits: now.Hits - before.Hits, Misses: now.Misses - before.Misses, Interrupts: now.Interrupts - before.Interrupts, Locks: now.Locks - before.Locks}
	}
	lock := into + host.PageBytes
	require.Equal(t, grim.Stats{Hits: 2, Misses: 1, Interrupts: 1}, read(3000, 0))
	require.Equal(t, grim.Stats{Hits: 3, Misses: 1, Interrupts: 1, Locks: 1}, read(3000, lock))
	require.Equal(t, grim.Stats{Hits: 4, Locks: 1}, read(3000, lock))
	word := make([]byte, 5)
	here.Space().ReadAt(lock, word)
	require.Equal(t, []byte{1, 0, 0, 0, 0}, word)
	r.Go(func(c *host.Context, _ *testbed.Process) {
		err := here.Read(c, here.Remote(there), area, into, 8, 1<<40, trace.Meta{})
		require.ErrorContains(t, err, "lock at 0x10000000000, which is not all allocated")
	})
}

// TestProtection: memory that does not exist is not written, and what follows arrives.
func TestProtection(t *testing.T) {
	r := testbed.New(t, on, "grim", 2, 100)
	here, there := r.Procs[0].Endpoint.(*grim.Endpoint), r.Procs[1].Endpoint.(*grim.Endpoint)
	at, out := there.Space().Alloc(8), here.Space().Alloc(8)
	here.Space().WriteAt(out, []byte("12345678"))
	r.Go(func(c *host.Context, _ *testbed.Process) {
		to := here.Remote(there)
		for _, virtual := range []bool{false, true} {
			require.NoError(t, here.Write(c, to, out, 1<<40, 8, virtual, 0, trace.Meta{}))
			require.NoError(t, here.Write(c, to, out, at, 8, virtual, 1<<40, trace.Meta{}))
		}
		require.NoError(t, here.Write(c, to, out, at, 4, true, 0, trace.Meta{}))
		c.Sleep(sim.Millisecond)
	})
	require.EqualValues(t, 4, r.Count(1, "refused"))
	b := make([]byte, 8)
	there.Space().ReadAt(at, b)
	require.Equal(t, "1234\x00\x00\x00\x00", string(b))
}
