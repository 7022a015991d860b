package tcp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// FuzzDecode: what decodes is what was encoded; changes of any bit are noticed.
func FuzzDecode(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(3), uint64(4), uint8(0), []byte("data"))
	f.Fuzz(func(t *testing.T, w0, w1, w2, w3 uint64, op uint8, data []byte) {
		k := fabric.Header{Op: op}
		k.Words[0], k.Words[1], k.Words[2], k.Words[3] = w0, w1, w2, w3
		h, err := decode(&k, data)
		if err == nil {
			w := h.words(data)
			require.Equal(t, k.Words[:4], w[:4])
		}
	})
}

// TestChecksum: one wrong bit anywhere is noticed.
func TestChecksum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "data")
		h := header{from: rapid.Uint16().Draw(t, "from"), to: 3, seq: rapid.Uint64().Draw(t, "seq"), ack: 17, window: 9}
		k := fabric.Header{}
		words := h.words(data)
		copy(k.Words[:], words[:])
		got, err := decode(&k, data)
		require.NoError(t, err)
		require.Equal(t, h, got)
		bit := rapid.IntRange(0, 64*3+8*len(data)-1).Draw(t, "bit")
		if bit < 64*3 {
			k.Words[bit/64] ^= 1 << (bit % 64)
		} else {
			data[(bit-64*3)/8] ^= 1 << (bit % 8)
		}
		_, err = decode(&k, data)
		require.ErrorIs(t, err, errChecksum)
	})
}

// TestEstimate: the mean follows the samples; the timeout is above it by four
// deviations, and never below the least; it doubles with each try, and never above the most.
func TestEstimate(t *testing.T) {
	s := &Spec{FirstTimeout: 3 * sim.Second, LeastTimeout: sim.Millisecond, MostTimeout: 60 * sim.Second}
	var e estimate
	require.Equal(t, 3*sim.Second, e.timeout(s, 0))
	for range 200 {
		e.add(10 * sim.Millisecond)
	}
	require.InDelta(t, 10e-3, e.mean.Seconds(), 1e-5)
	require.InDelta(t, 10e-3, e.timeout(s, 0).Seconds(), 1e-4)
	e.add(50 * sim.Millisecond)
	require.InDelta(t, 15e-3, e.mean.Seconds(), 1e-4)
	require.InDelta(t, 55e-3, e.timeout(s, 0).Seconds(), 1e-3)
	require.Equal(t, 8*e.timeout(s, 0), e.timeout(s, 3))
	require.Equal(t, s.MostTimeout, e.timeout(s, 15))
}
