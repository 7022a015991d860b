package gam

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// What a header says, true or not, never leads outside the memory of the process.
func FuzzHeader(f *testing.F) {
	var r firmware.Request
	m := message{op: opStore, handler: 3, slot: 5, bytes: 4000, args: [4]uint32{1, 2, 3, 4}, at: 8192, into: 1 << 40}
	m.encode(&r)
	f.Add(r.Op, r.Words[0], r.Words[1], r.Words[2], r.Words[3], r.Words[4], uint32(1024), 1024, false, true)
	f.Add(uint8(255), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint32(0), 4096, true, false)
	f.Fuzz(func(t *testing.T, o uint8, w0, w1, w2, w3, w4 uint64, offset uint32, n int, inline, copied bool) {
		if n < 0 || n > maxMessage {
			return // longer ones are not on the wire
		}
		h := fabric.Header{Op: o, Words: [8]uint64{w0, w1, w2, w3, w4}}
		m := decode(&h)
		var back firmware.Request
		m.encode(&back)
		require.Equal(t, o, back.Op)
		require.Equal(t, h.Words[:5], back.Words[:])
		space := host.NewSpace("fuzz", &host.Frames{})
		e := newEndpoint(&Layer{spec: Spec{CopyIn: copied}, Base: firmware.Base{Nodes: 3}, window: 7}, library.NewProcess(nil, space, 0, 1, 3))
		if at, ok := e.place(&m, 2, int(offset), n, inline); ok {
			require.True(t, space.Valid(at, n), "%d bytes at %#x", n, at)
		}
	})
}
