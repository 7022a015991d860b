package watch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func sentDatagram(id uint16, t3 int64) Half {
	return Half{Flow: 1, End: uint32(id), UDP: true, Bytes: 100, At: [3]int64{t3 - 2, t3 - 1, t3}, ToServer: true}
}

func readDatagram(id uint16, t5 int64) Half {
	return Half{Flow: 1, End: uint32(id), UDP: true, Bytes: 100, Kind: HalfRead, At: [3]int64{t5 + 1020, t5 + 1000}}
}

// TestDatagramsAreJoined: a datagram is joined by its identification, in whatever order hosts tell and packets arrive, and whatever is lost. One
// that may be another one is not, and is counted.
func TestDatagramsAreJoined(t *testing.T) {
	const second = 1_000_000_000
	for name, c := range map[string]struct {
		halves               []Half
		sent, joined, unsure uint64
		net                  uint64
	}{
		"each":                       {[]Half{sentDatagram(7, 3), readDatagram(7, 13), sentDatagram(8, 30), readDatagram(8, 50)}, 2, 2, 0, 30},
		"told late":                  {[]Half{readDatagram(7, 13), readDatagram(8, 50), sentDatagram(7, 3), sentDatagram(8, 30)}, 2, 2, 0, 30},
		"overtaken":                  {[]Half{sentDatagram(7, 3), sentDatagram(8, 4), readDatagram(8, 14), readDatagram(7, 23)}, 2, 2, 0, 30},
		"lost":                       {[]Half{sentDatagram(7, 3), sentDatagram(8, 4), readDatagram(8, 14)}, 2, 1, 0, 10},
		"of nobody":                  {[]Half{readDatagram(7, 13), sentDatagram(8, 4), readDatagram(8, 14)}, 1, 1, 0, 10},
		"lost, and the number again": {[]Half{sentDatagram(7, 3), sentDatagram(7, 2*second), readDatagram(7, 2*second+10)}, 2, 1, 0, 10},
		"the same told early":        {[]Half{sentDatagram(7, 3), readDatagram(7, 2*second+10), sentDatagram(7, 2*second)}, 2, 0, 1, 0},
		"before it was sent":         {[]Half{readDatagram(7, 3), sentDatagram(7, second)}, 1, 0, 1, 0},
	} {
		j, _ := joinedBy(&other{bound: 5}, func(j *joining) {
			for _, h := range c.halves {
				j.add(h.Kind != HalfSent, h)
			}
		})
		net, n := of(j, trace.Net)
		require.Equal(t, []uint64{c.sent, c.joined, c.unsure, c.net, c.joined}, []uint64{j.sent[0], j.joined[0], j.unsure, net, n}, name)
	}
}

// TestIdentificationsComeRound: where all of them are given in 1 ms, a datagram that was on its way for longer may be another one.
func TestIdentificationsComeRound(t *testing.T) {
	const ns = 15 // between two of them
	for net, joined := range map[int64]uint64{400_000: 1, 600_000: 0} {
		j, _ := joinedBy(new(other), func(j *joining) {
			for i := range int64(3 << 16) {
				j.add(false, sentDatagram(uint16(i), ns*i))
			}
			j.add(true, readDatagram(5, ns*(2<<16+5)+net))
		})
		require.Equal(t, joined, j.joined[0], net)
		require.Equal(t, 1-joined, j.unsure, net)
		require.LessOrEqual(t, len(j.datagrams.young)+len(j.datagrams.old), 2*mostWaitingDatagrams)
	}
}
