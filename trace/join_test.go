package trace

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestJoin(t *testing.T) {
	meta := Meta{Tag: 1, Kind: PageReply, Span: 9}
	s := Half{Sender: 2, Receiver: 0, Number: 7, Meta: meta, Bytes: 4096, First: true, T1: 100, T2: 200, T3: 210, T4: 300}
	r := Half{Sender: 2, Receiver: 0, Number: 7, Meta: meta, Bytes: 4096, First: true, T3: 215, T5: 330, T6: 400, BoundNs: 50}
	rows, single := Join([]Half{s}, []Half{r})
	require.Zero(t, single)
	want := PacketRow{
		Tag: 1, Kind: "page-reply", Span: 9, Sender: 2, Receiver: 0, Number: 7, SizeBytes: 4096, First: true,
		T1Ns: Some[int64](105), T2Ns: Some[int64](205), T3Ns: Some[int64](215), T4Ns: Some[int64](305), T5Ns: Some[int64](330), T6Ns: Some[int64](400),
		SourceNs: Some[int64](100), LANaiNs: Some[int64](100), NetNs: Some[int64](115), DestNs: Some[int64](70), BoundNs: Some[int64](50),
	}
	require.Equal(t, []PacketRow{want}, rows)
	require.NoError(t, want.Check())

	rows, single = Join([]Half{s}, nil)
	require.Equal(t, 1, single)
	require.NoError(t, rows[0].Check())
	require.Equal(t, Some[int64](210), rows[0].T3Ns)
	require.False(t, rows[0].NetNs.OK)
	require.Equal(t, Some[int64](100), rows[0].SourceNs)

	rows, single = Join(nil, []Half{r})
	require.Equal(t, 1, single)
	require.NoError(t, rows[0].Check())
	require.False(t, rows[0].T1Ns.OK)
	require.Equal(t, Some[int64](115), rows[0].NetNs)
}

// TestJoinFindsEveryPair: halves in any order, some missing.
func TestJoinFindsEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sent, received []Half
		n := rapid.IntRange(0, 40).Draw(t, "packets")
		wantSingle := 0
		for i := range n {
			h := Half{
				Sender: i % 3, Receiver: 3 + i%2, Number: uint32(i / 2), Meta: Meta{Kind: Data}, Bytes: 4,
				T1: int64(i), T2: int64(i + 1), T3: int64(i + 2), T4: int64(i + 3), T5: int64(i + 4), T6: int64(i + 5),
			}
			which := rapid.IntRange(0, 3).Draw(t, "which")
			if which != 1 {
				sent = append(sent, h)
			}
			if which != 2 {
				received = append(received, h)
			}
			if which == 1 || which == 2 {
				wantSingle++
			}
		}
		rows, single := Join(rapid.Permutation(sent).Draw(t, "sent"), rapid.Permutation(received).Draw(t, "received"))
		if len(rows) != n || single != wantSingle {
			t.Fatalf("%d rows, %d single, want %d, %d", len(rows), single, n, wantSingle)
		}
		if err := CheckRows(rows); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSortedFunc(rows, func(a, b PacketRow) int { return int(a.T3Ns.Value - b.T3Ns.Value) }) {
			t.Fatal("rows are not in the order of T3")
		}
	})
}

func TestPacketRowRefuses(t *testing.T) {
	rows, _ := Join([]Half{{Sender: 0, Receiver: 1, Meta: Meta{Kind: Data}, Bytes: 4}}, []Half{{Sender: 0, Receiver: 1, Meta: Meta{Kind: Data}, Bytes: 4}})
	require.NoError(t, rows[0].Check())
	for want, damage := range map[string]func(*PacketRow){
		"kind":             func(r *PacketRow) { r.Kind = "post" },
		"carries no":       func(r *PacketRow) { r.Kind = "ack" },
		"sender, receiver": func(r *PacketRow) { r.Receiver = 0 },
		"size_bytes":       func(r *PacketRow) { r.SizeBytes = 0 },
		"bound_ns":         func(r *PacketRow) { r.BoundNs = Some[int64](-1) },
		"t3_ns":            func(r *PacketRow) { r.T3Ns = Opt[int64]{} },
		"some null":        func(r *PacketRow) { r.T2Ns = Opt[int64]{} },
		"net_ns":           func(r *PacketRow) { r.NetNs = Some[int64](1) },
		"dest_ns":          func(r *PacketRow) { r.DestNs = Opt[int64]{} },
	} {
		r := rows[0]
		damage(&r)
		require.ErrorContains(t, r.Check(), want)
	}
}
