package host

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
)

func TestSpace(t *testing.T) {
	var f Frames
	s := NewSpace("app", &f)
	a := s.Alloc(5000)
	b := s.Alloc(1)
	require.Equal(t, Addr(PageBytes), a)
	require.Equal(t, a+2*PageBytes, b)
	require.True(t, s.Valid(a, 3*PageBytes))
	require.False(t, s.Valid(a, 3*PageBytes+1))
	require.False(t, s.Valid(0, 1))
	require.False(t, s.Valid(b+PageBytes, 1))
	require.True(t, s.Valid(b+PageBytes, 0))
	require.False(t, s.Valid(^Addr(0)-3, 8))

	got := make([]byte, 6000)
	got[5] = 1
	s.ReadAt(a+100, got)
	require.Equal(t, make([]byte, 6000), got)
	now, peak := f.used, f.peak
	require.Zero(t, now+peak, "reading binds nothing")

	want := bytes.Repeat([]byte("0123456789"), 600)
	s.WriteAt(a+100, want)
	s.ReadAt(a+100, got)
	require.Equal(t, want, got)
	require.Equal(t, want[:8], s.Bytes(a+100, 8))
	now = f.used
	require.Equal(t, 1, now, "less than half a page needs no frame")

	// Rebinding: what is gone reads as zeros, a frame from the pool is clean.
	x := s.Unbind(a.Page())
	require.Nil(t, s.Bound(a.Page()))
	require.Nil(t, s.Unbind(a.Page()))
	s.ReadAt(a+100, got[:4])
	require.Equal(t, []byte{0, 0, 0, 0}, got[:4])
	f.Put(x)
	require.Same(t, x, s.Frame(a.Page()))
	require.Equal(t, Frame{}, *x)
	s.Unbind(a.Page())
	x[7] = 9
	s.Bind(a.Page(), x)
	require.EqualValues(t, 9, s.Bytes(a+7, 1)[0])
	now, peak = f.used, f.peak
	require.Equal(t, []int{1, 1}, []int{now, peak})

	s.Store32(b-2, 0x04030201)
	require.Equal(t, []byte{1, 2}, s.Bytes(b-2, 2))
	require.EqualValues(t, 0x04030201, s.Load32(b-2))
}

// TestCopyFrom: a copy is a read and a write, whatever overlaps and whatever has
// no frame.
func TestCopyFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 4 * PageBytes
		var spaces [2]*Space
		var model [2][]byte
		var a Addr
		for i := range spaces {
			spaces[i] = NewSpace("s", &Frames{})
			a = spaces[i].Alloc(size)
			model[i] = make([]byte, size)
			for p := range 4 {
				if rapid.Bool().Draw(t, "bound") {
					at := rapid.IntRange(0, PageBytes).Draw(t, "from")
					fill := model[i][p*PageBytes+at:][:rapid.IntRange(0, PageBytes-at).Draw(t, "bytes")]
					for k := range fill {
						fill[k] = byte(i + 7*k + 31*p)
					}
					spaces[i].WriteAt(a+Addr(p*PageBytes+at), fill)
				}
			}
		}
		from, to := rapid.IntRange(0, 1).Draw(t, "from"), rapid.IntRange(0, 1).Draw(t, "to")
		n := rapid.IntRange(0, 3*PageBytes).Draw(t, "n")
		at, into := rapid.IntRange(0, size-n).Draw(t, "at"), rapid.IntRange(0, size-n).Draw(t, "into")
		spaces[to].CopyFrom(spaces[from], a+Addr(at), a+Addr(into), n)
		copy(model[to][into:][:n], bytes.Clone(model[from][at:][:n]))
		for i, want := range model {
			got := make([]byte, size)
			spaces[i].ReadAt(a, got)
			require.True(t, bytes.Equal(want, got), "space %d", i)
		}
	})
}

func TestSpaceMisuse(t *testing.T) {
	s := NewSpace("app", &Frames{})
	a := s.Alloc(2 * PageBytes)
	s.Frame(a.Page())
	w := &Watchpoint{}
	s.Watch(w, a, 4)
	for name, fn := range map[string]func(){
		"nothing":     func() { s.Alloc(0) },
		"huge":        func() { s.Alloc(1 << 60) },
		"null":        func() { s.ReadAt(8, make([]byte, 1)) },
		"beyond":      func() { s.WriteAt(a+2*PageBytes-1, make([]byte, 2)) },
		"far beyond":  func() { s.WriteAt(1<<50, make([]byte, 2)) },
		"crossing":    func() { s.Bytes(a+PageBytes-1, 2) },
		"bound":       func() { s.Bind(a.Page(), new(Frame)) },
		"watch twice": func() { s.Watch(w, a, 4) },
		"watch wide":  func() { s.Watch(new(Watchpoint), a+PageBytes-1, 2) },
		"unwatch":     func() { s.Unwatch(&Watchpoint{from: a, to: a + 4}) },
	} {
		require.Panics(t, fn, name)
	}
}

func TestWatchpoints(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	s := NewSpace("app", &Frames{})
	a := s.Alloc(3 * PageBytes)
	var log []float64
	for i := range 2 {
		h.Go("app", Handler, func(c *Context) {
			var w Watchpoint
			s.Watch(&w, a+PageBytes+8*Addr(i), 4)
			for s.Load32(a+PageBytes+8*Addr(i)) != 3 {
				c.Block(&w.Watch, "a flag")
				log = append(log, c.Now().Us()*10+float64(i))
			}
			s.Unwatch(&w)
			c.Block(&w.Watch, "nothing: it is removed")
			t.Error("a removed watchpoint fired")
		})
	}
	at(e, 1*us, func() { s.Store32(a+PageBytes+4, 1) })             // between them
	at(e, 2*us, func() { s.Store32(a+PageBytes+8, 3) })             // the second
	at(e, 3*us, func() { s.Store32(a+PageBytes-1, 1) })             // the first, across a page
	at(e, 4*us, func() { s.WriteAt(a, make([]byte, 3*PageBytes)) }) // the first, as part of much
	at(e, 4500*sim.Nanosecond, func() { s.Describe(a, content.Part{Source: ramp(1), Bytes: 3 * PageBytes}) })
	at(e, 5*us, func() { s.Store32(a, 3) })                             // another page
	at(e, 6*us, func() { s.Store32(a+PageBytes, 3) })                   // the first
	at(e, 7*us, func() { s.WriteAt(a+PageBytes, make([]byte, 4+4+4)) }) // removed both
	run(t, e)
	require.Equal(t, []float64{21, 30, 40, 45, 60}, log)
}

// ramp is a source for tests: its bytes depend on their offset and on it.
type ramp int

func (r ramp) Read(from int, b []byte) {
	for i := range b {
		x := (from + i + 1) * (2*int(r) + 3)
		b[i] = byte(x ^ x>>8)
	}
}

// made returns n bytes of a part from an offset on.
func made(p content.Part, from, n int) []byte {
	b := make([]byte, n)
	p.Slice(from, from+n).Read(b)
	return b
}

// TestDescribed: described bytes keep their description on their way through memory, however many pages and pieces they
// are in, until other bytes come among them.
func TestDescribed(t *testing.T) {
	var f Frames
	s := NewSpace("app", &f)
	a := s.Alloc(4 * PageBytes)
	whole := content.Part{Source: ramp(1), From: 50, Bytes: 3*PageBytes - 200}
	for at := 0; at < whole.Bytes; at += 1000 {
		s.Describe(a+Addr(100+at), whole.Slice(at, min(at+1000, whole.Bytes)))
	}
	got, ok := s.Described(a+100, whole.Bytes)
	require.True(t, ok)
	require.Equal(t, whole, got)
	got, ok = s.Described(a+5000, 10)
	require.True(t, ok)
	require.Equal(t, whole.Slice(4900, 4910), got)
	require.Zero(t, f.used, "no frame")
	for _, out := range [][2]int{{99, 2}, {100, whole.Bytes + 1}, {0, 10}, {4*PageBytes - 8, 8}} {
		_, ok = s.Described(a+Addr(out[0]), out[1])
		require.False(t, ok, out)
	}

	other := NewSpace("other", &f)
	b := other.Alloc(4 * PageBytes)
	other.CopyFrom(s, a+100, b+7, whole.Bytes)
	got, ok = other.Described(b+7, whole.Bytes)
	require.True(t, ok)
	require.Equal(t, whole, got)

	// Another source goes on where the first ends.
	s.Describe(a+2000, content.Part{Source: ramp(2), From: whole.Slice(1900, 0).From, Bytes: 50})
	_, ok = s.Described(a+1900, 110)
	require.False(t, ok)
	bytes := make([]byte, 2)
	s.ReadAt(a+1999, bytes)
	require.NotEqual(t, made(whole, 1899, 2), bytes)
	s.Describe(a+2000, whole.Slice(1900, 1950))

	s.WriteAt(a+4000, []byte{1})
	_, ok = s.Described(a+100, whole.Bytes)
	require.False(t, ok, "one byte is another")
	s.Describe(a+4000, whole.Slice(3900, 3901))
	got, ok = s.Described(a+100, whole.Bytes)
	require.True(t, ok, "which is put right")
	require.Equal(t, whole, got)
}

// A sparse space behaves like one large slice.
func TestSpaceProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var f Frames
		s := NewSpace("app", &f)
		pages := rapid.IntRange(1, 8).Draw(rt, "pages")
		a := s.Alloc(int64(pages) * PageBytes)
		flat := make([]byte, pages*PageBytes)
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			from := rapid.IntRange(0, len(flat)-1).Draw(rt, "from")
			n := rapid.IntRange(0, len(flat)-from).Draw(rt, "n")
			switch rapid.IntRange(0, 6).Draw(rt, "op") {
			case 0:
				for i := range n {
					flat[from+i]++
				}
				s.WriteAt(a+Addr(from), flat[from:from+n])
			case 1:
				got := make([]byte, n)
				s.ReadAt(a+Addr(from), got)
				require.True(rt, bytes.Equal(flat[from:from+n], got))
			case 2:
				p := from / PageBytes
				if x := s.Unbind((a + Addr(from)).Page()); x != nil {
					f.Put(x)
				}
				clear(flat[p*PageBytes : (p+1)*PageBytes])
			case 3:
				n = min(n, PageBytes-from%PageBytes)
				for i, b := range s.Bytes(a+Addr(from), n) {
					require.Equal(rt, flat[from+i], b)
				}
				for i := range n {
					flat[from+i] ^= 0x5a
				}
				copy(s.Bytes(a+Addr(from), n), flat[from:])
			case 4:
				part := content.Part{Source: ramp(rapid.IntRange(0, 2).Draw(rt, "source")), From: from + rapid.IntRange(0, 1).Draw(rt, "shift"), Bytes: n}
				s.Describe(a+Addr(from), part)
				part.Read(flat[from : from+n])
			case 5:
				part, ok := s.Described(a+Addr(from), n)
				if got := make([]byte, n); ok {
					require.Equal(rt, n, part.Bytes)
					part.Read(got)
					require.True(rt, bytes.Equal(flat[from:from+n], got))
				}
			case 6:
				into := rapid.IntRange(0, len(flat)-n).Draw(rt, "into")
				s.CopyFrom(s, a+Addr(from), a+Addr(into), n)
				copy(flat[into:], flat[from:from+n])
			}
		}
		got := make([]byte, len(flat))
		s.ReadAt(a, got)
		require.True(rt, bytes.Equal(flat, got))
	})
}

func TestSpecValidate(t *testing.T) {
	good := testSpec()
	require.Equal(t, 25, boundstest.Refuses(t, "host", &good, good.Validate))
	for _, tc := range []struct {
		want string
		edit func(*Spec)
	}{
		{"host.cpus is 0, want 1 to 64", func(s *Spec) { s.CPUs = 0 }},
		{"host.clock_mhz is 0, want 1 to 1e4", func(s *Spec) { s.Clock = sim.Freq{Den: 1} }},
		{"host.clock_mhz is NaN, want 1 to 1e4", func(s *Spec) { s.Clock = sim.Freq{} }},
		{"host.cache_line_bytes is 33, want a power of two from 8 to 512", func(s *Spec) { s.CacheLine = 33 }},
		{"host.l2_kb is -1, want 0 to 1048576", func(s *Spec) { s.L2KB = -1 }},
		{"host.io_burst_bytes is 1, want 0 or 4 to 1048576", func(s *Spec) { s.IOBurst = 1 }},
		{"host.mem_bus_mbps is 0.000133, want 1 to 1e7", func(s *Spec) { s.MemBus = 133 }},
		{"host.copy_uncached_mbps is 0, want 1 to 1e7", func(s *Spec) { s.CopyMiss = 0 }},
		{"host.flop_ns is -0.001, want 0 to 1e4", func(s *Spec) { s.Ops.Flop = -1 }},
		{"host.pio_read_ns is 0, want 0.001 to 1e5", func(s *Spec) { s.PIORead = 0 }},
		{"host.interrupt_entry_us is 1.1e+07, want 0 to 1e4", func(s *Spec) { s.Interrupt.Entry = 11 * sim.Second }},
		{"host.quantum_ms is -0.01, want 0 to 1e4", func(s *Spec) { s.Quantum = -10 * us }},
	} {
		s := testSpec()
		tc.edit(&s)
		require.EqualError(t, s.Validate(), tc.want)
	}
}

// TestForget: what is forgotten takes no memory, whatever is not keeps its bytes, and
// memory that is used again is clean.
func TestForget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 3 * PageBytes
		var f Frames
		s := NewSpace("s", &f)
		a := s.Alloc(size)
		model := make([]byte, size)
		known := bytes.Repeat([]byte{1}, size)
		piece := func(name string) (at, n int) {
			at = rapid.IntRange(0, size-1).Draw(t, name)
			return at, rapid.IntRange(1, size-at).Draw(t, "bytes")
		}
		for i := range rapid.IntRange(1, 20).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "describe") {
				at, n := piece("at")
				part := content.Part{Source: ramp(i), From: at, Bytes: n}
				s.Describe(a+Addr(at), part)
				part.Read(model[at : at+n])
				copy(known[at:], bytes.Repeat([]byte{1}, n))
			} else if rapid.Bool().Draw(t, "write") {
				at, n := piece("at")
				fill := bytes.Repeat([]byte{byte(i + 1)}, n)
				s.WriteAt(a+Addr(at), fill)
				copy(model[at:], fill)
				copy(known[at:], bytes.Repeat([]byte{1}, n))
			} else {
				at, n := piece("forget")
				s.Forget(a+Addr(at), n)
				clear(known[at : at+n])
			}
			got := make([]byte, size)
			s.ReadAt(a, got)
			for k := range got {
				require.True(t, known[k] == 0 || got[k] == model[k], "byte %d", k)
			}
		}
		s.Forget(a, size)
		got := make([]byte, size)
		s.ReadAt(a, got)
		require.Equal(t, make([]byte, size), got)
		for p := range 3 {
			require.False(t, s.page(a.Page()+uint64(p), true).bound())
		}
		s.WriteAt(a+1, []byte{1})
		s.ReadAt(a, got)
		require.Equal(t, append([]byte{0, 1}, make([]byte, size-2)...), got, "memory used again is clean")
	})
}

// TestMakeAndHolds: bytes that a part makes are held as it says, whether they are described or not, and every changed
// byte is noticed.
func TestMakeAndHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace("test", &Frames{})
		a := s.Alloc(4*PageBytes) + Addr(rapid.IntRange(0, PageBytes).Draw(t, "at"))
		part := content.Part{
			Source: content.Words(1), From: rapid.IntRange(0, 5000).Draw(t, "from"),
			Bytes: rapid.IntRange(1, 2*PageBytes).Draw(t, "bytes"),
		}
		s.Make(a, part)
		_, described := s.Described(a, part.Bytes)
		require.Equal(t, part.Bytes >= DescribedBytes, described)
		require.True(t, s.Holds(a, part))

		var b [1]byte
		at := a + Addr(rapid.IntRange(0, part.Bytes-1).Draw(t, "changed"))
		s.ReadAt(at, b[:])
		s.WriteAt(at, b[:])
		require.True(t, s.Holds(a, part), "the same byte is written again")
		b[0] ^= 1
		s.WriteAt(at, b[:])
		require.False(t, s.Holds(a, part))
	})
}
