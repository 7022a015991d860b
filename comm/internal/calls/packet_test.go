package calls

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestHeaderHoldsPacket: what Words writes, Decode and To read.
func TestHeaderHoldsPacket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var args [4]uint32
		for i := range args {
			args[i] = rapid.Uint32().Draw(t, "word")
		}
		p := Packet{
			Peer: rapid.IntRange(0, 1023).Draw(t, "peer"), Op: Op(rapid.IntRange(0, int(numOps)-1).Draw(t, "op")),
			Handler: rapid.Uint8().Draw(t, "handler"), Epoch: rapid.Uint16().Draw(t, "epoch"), Seq: rapid.Uint32().Draw(t, "seq"),
			Args: args, At: host.Addr(rapid.Uint64().Draw(t, "at")), Bytes: rapid.IntRange(0, 1<<20).Draw(t, "bytes"),
			Meta: trace.Meta{Tag: 3, Kind: trace.Request},
		}
		to := Address{Endpoint: rapid.Uint16().Draw(t, "endpoint"), Key: rapid.Uint32().Draw(t, "key")}
		h := fabric.Header{Meta: p.Meta, Op: uint8(p.Op), Seq: p.Seq}
		w := p.Words(to)
		copy(h.Words[:], w[:])
		require.Equal(t, to, To(&h))
		got, err := Decode(&h, p.Peer, p.Carries())
		require.NoError(t, err)
		require.Equal(t, p, got)
		_, err = Decode(&h, p.Peer, p.Carries()+1)
		require.ErrorContains(t, err, "B")
	})
}

// FuzzDecode: a header that damage has made is an error or a packet whose data
// are as long as it says.
func FuzzDecode(f *testing.F) {
	f.Add(uint8(Message), uint64(100), 100)
	f.Add(uint8(Get), uint64(100), 0)
	f.Add(uint8(numOps), uint64(0), 0)
	f.Add(uint8(Answer), uint64(1)<<63, 0)
	f.Fuzz(func(t *testing.T, op uint8, bytes uint64, data int) {
		h := fabric.Header{Op: op}
		h.Words[4] = bytes
		p, err := Decode(&h, 1, data)
		if err == nil && (p.Op >= numOps || p.Carries() != data || p.Bytes < 0) {
			t.Fatalf("%+v with %d B of data", p, data)
		}
	})
}
