package capture

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/trace"
)

// imported imports the captures of a world and compares Net of every packet with the truth.
func imported(t *testing.T, w *world, sameClock bool) (*trace.Run, []trace.PacketRow) {
	t.Helper()
	run, err := Import(context.Background(), Spec{Files: w.files(), SameClock: sameClock})
	require.NoError(t, err)
	rows := slices.Collect(run.Packets)
	require.NoError(t, run.Broken())
	require.NoError(t, run.Manifest.Check())
	var at [2]int
	for _, r := range rows {
		require.NoError(t, trace.CheckRow(&r))
		require.Less(t, at[r.Sender], len(w.truth[r.Sender]), "a packet that nobody sent")
		want := w.truth[r.Sender][at[r.Sender]]
		at[r.Sender]++
		require.EqualValues(t, want.bytes, r.SizeBytes)
		require.Equal(t, want.arrived > 0, r.NetNs.OK, "packet %d of node %d", r.Number, r.Sender)
		require.False(t, r.T1Ns.OK || r.T2Ns.OK || r.T4Ns.OK || r.T6Ns.OK || r.SourceNs.OK || r.LANaiNs.OK || r.DestNs.OK)
		if r.NetNs.OK {
			require.InDelta(t, want.arrived-want.sent, r.NetNs.Value, float64(r.BoundNs.Value), "packet %d of node %d, sent at %d", r.Number, r.Sender, want.sent)
		}
	}
	require.Equal(t, [2]int{len(w.truth[0]), len(w.truth[1])}, at, "packets by sender")
	require.EqualValues(t, w.lost, run.Manifest.Lost.Dropped)
	require.EqualValues(t, w.again, run.Manifest.Lost.Retransmitted)
	require.EqualValues(t, w.acks, run.Manifest.FirmwarePackets["ack"])
	require.EqualValues(t, len(rows), run.Manifest.Packets)
	return run, rows
}

// TestNetOfRandomTraffic: whatever is lost, sent again, cut and merged on the way, Net of every packet
// is the true one within its bound, although a clock is ahead by hours and drifts.
func TestNetOfRandomTraffic(t *testing.T) {
	for seed := range int64(testlong.Pick(24, 500)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, seed)
			w.v6, w.vlan, w.ng = seed%2 == 1, seed%3 == 1, seed%4 >= 2
			w.link = []layers.LinkType{layers.LinkTypeEthernet, layers.LinkTypeLinuxSLL, layers.LinkTypeLinuxSLL2, layers.LinkTypeRaw}[seed/2%4]
			w.aheadNs, w.rate = w.rng.Int63n(20*3600*second)-10*3600*second, 50e-6*(2*w.rng.Float64()-1)
			w.nano = seed%5 != 4
			w.seen = [2][]shot{}
			w.shoot(0, 0, w.arp())
			w.shoot(1, 0, w.arp())
			begin := int64(second)
			for i := range int64(200) {
				at := begin + i*100_000_000 + w.rng.Int63n(90_000_000)
				w.send(int(i%2), at, uint16(w.rng.Intn(2)*int(i)), w.rng.Intn(20) == 0, w.noise(16+w.rng.Intn(1200)))
				if i%10 == 3 {
					w.fragments(int(i/10%2), at+2_000_000, uint16(40_000+i))
				}
			}
			w.bulk(0, begin+3*second, 1<<32-20_000, 200, true) // sequence numbers begin anew
			w.merged(0, begin+19*second, 1<<28)
			run, rows := imported(t, w, false)
			slices.SortFunc(rows, func(a, b trace.PacketRow) int { return int(a.BoundNs.Value - b.BoundNs.Value) })
			require.Less(t, rows[len(rows)/2].BoundNs.Value, int64(18_000), "half of the least times there and back, and little more")
			require.Equal(t, 2, run.Manifest.Nodes)
		})
	}
}
