package host

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCacheKeepsAShare: a program that goes through memory again and again
// finds all of it while it fits, less and less beyond that.
func TestCacheKeepsAShare(t *testing.T) {
	share := func(footprint int) float64 {
		_, h := newHost(t, testSpec(), Uncontended{}) // 256 KB
		s := NewSpace("s", &Frames{})
		a := s.Alloc(int64(footprint))
		hit := 0
		for i := range 30 {
			n := h.Touch(s, a, footprint)
			if i >= 10 {
				hit += n
			}
		}
		return float64(hit) / float64(20*footprint)
	}
	require.EqualValues(t, 1, share(128<<10))
	require.EqualValues(t, 1, share(256<<10))
	near, half, twice := share(288<<10), share(384<<10), share(512<<10)
	require.InDelta(t, 0.8, near, 0.1)
	require.InDelta(t, 0.4, half, 0.1)
	require.Less(t, twice, 0.25)
	require.Less(t, share(4<<20), 0.01)
}

// TestCacheKnowsWhatADeviceWrote: bytes that a DMA has written are read from memory.
func TestCacheKnowsWhatADeviceWrote(t *testing.T) {
	_, h := newHost(t, testSpec(), Uncontended{})
	s := NewSpace("s", &Frames{})
	a := s.Alloc(8192)
	require.Zero(t, h.Touch(s, a+100, 1000))
	require.Equal(t, 1000, h.Touch(s, a+100, 1000))
	h.Evict(s, a+100, 512) // touches three blocks of 256 B
	require.Equal(t, 1000-(768-100), h.Touch(s, a+100, 1000))
	other := NewSpace("other", &Frames{})
	other.Alloc(8192)
	require.Zero(t, h.Touch(other, a+100, 1000), "another program's memory")
	small := testSpec()
	small.L2KB = 0
	_, h = newHost(t, small, Uncontended{})
	h.Touch(s, a, 4096)
	require.Zero(t, h.Touch(s, a, 4096), "no cache")
}

// TestCopyWithin: the time of a copy follows from what is in the cache.
func TestCopyWithin(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	s := NewSpace("s", &Frames{})
	from, to := s.Alloc(4096), s.Alloc(4096)
	s.WriteAt(from, []byte("some bytes"))
	var cold, warm, half int64
	h.Go("p", Application, func(c *Context) {
		took := func() int64 {
			begin := c.Now()
			c.CopyWithin(s, from, to, 4096)
			return int64(c.Now().Sub(begin))
		}
		cold, warm = took(), took()
		h.Evict(s, from, 4096)
		half = took()
	})
	run(t, e)
	spec := h.Spec()
	require.InDelta(t, int64(spec.CopyMiss.Time(4096)), cold, 1e3)
	require.EqualValues(t, spec.CopyHit.Time(4096), warm)
	require.InDelta(t, (cold+warm)/2, half, 1e4)
	b := make([]byte, 10)
	s.ReadAt(to, b)
	require.Equal(t, "some bytes", string(b))
}
