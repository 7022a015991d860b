package trace

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rowsOf joins halves that come in pieces.
func rowsOf(halves ...[]Half) (rows []PacketRow, single int) { return rowsBy(NewJoiner(), halves...) }

func rowsBy(j *Joiner, halves ...[]Half) (rows []PacketRow, single int) {
	for _, h := range halves {
		j.Add(h)
	}
	packets, single := j.Rows()
	return slices.Collect(packets), single
}

func TestJoin(t *testing.T) {
	s := Half{Sender: 2, Receiver: 0, Number: 7, Tag: 1, Kind: PageReply, Span: 9, Bytes: 4096, First: true, Sent: true, TakenNs: 40, At: [4]int64{100, 200, 210, 300}}
	r := Half{Sender: 2, Receiver: 0, Number: 7, Tag: 1, Kind: PageReply, Span: 9, Bytes: 4096, First: true, At: [4]int64{215, 330, 400, 50}}
	rows, single := rowsOf([]Half{s}, []Half{r})
	require.Zero(t, single)
	want := PacketRow{
		Tag: 1, Kind: "page-reply", Span: 9, Sender: 2, Receiver: 0, Number: 7, SizeBytes: 4096, First: true,
		Inline: Some(false), T1Ns: Some[int64](105), TakenNs: Some[int64](145), T2Ns: Some[int64](205), T3Ns: Some[int64](215), T4Ns: Some[int64](305), T5Ns: Some[int64](330), T6Ns: Some[int64](400),
		SourceNs: Some[int64](100), LANaiNs: Some[int64](100), NetNs: Some[int64](115), DestNs: Some[int64](70), BoundNs: Some[int64](50),
	}
	require.Equal(t, []PacketRow{want}, rows)
	require.NoError(t, CheckRow(&want))
	again, _ := rowsOf([]Half{r, s})
	require.Equal(t, rows, again)

	rows, single = rowsOf([]Half{s})
	require.Equal(t, 1, single)
	require.NoError(t, CheckRow(&rows[0]))
	require.Equal(t, Some[int64](210), rows[0].T3Ns)
	require.False(t, rows[0].NetNs.OK)
	require.Equal(t, Some[int64](100), rows[0].SourceNs)

	rows, single = rowsOf([]Half{r})
	require.Equal(t, 1, single)
	require.NoError(t, CheckRow(&rows[0]))
	require.False(t, rows[0].T1Ns.OK)
	require.Equal(t, Some[int64](115), rows[0].NetNs)

	s.Wire, r.Wire = true, true
	rows, single = rowsOf([]Half{s}, []Half{r})
	require.Zero(t, single)
	require.Equal(t, []PacketRow{{
		Tag: 1, Kind: "page-reply", Span: 9, Sender: 2, Receiver: 0, Number: 7, SizeBytes: 4096, First: true,
		T3Ns: Some[int64](215), T5Ns: Some[int64](330), NetNs: Some[int64](115), BoundNs: Some[int64](50),
	}}, rows, "of stamps on the wire, Source, LANai and Dest are not known")
	require.NoError(t, CheckRow(&rows[0]))

	none, single := NewJoiner().Rows()
	require.NotNil(t, none, "a run that sent nothing still has its table")
	require.Empty(t, slices.Collect(none))
	require.Zero(t, single)
}

// TestRecordsAreSmall: a long run writes millions of them to temporary files.
func TestRecordsAreSmall(t *testing.T) {
	require.EqualValues(t, 64, unsafe.Sizeof(Half{}))
	if size := unsafe.Sizeof(joined{}); math.MaxUint == math.MaxUint64 {
		require.EqualValues(t, 104, size)
	} else {
		require.LessOrEqual(t, size, uintptr(104)) // words are shorter
	}
}

// TestJoinFindsEveryPair: halves in any order and pieces, some missing, with any room in
// memory; the largest numbers of nodes and packets.
func TestJoinFindsEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var halves []Half
		n := rapid.IntRange(0, 40).Draw(t, "packets")
		first := rapid.SampledFrom([]uint32{0, math.MaxUint32 - 20}).Draw(t, "first number")
		wantSingle := 0
		for i := range n {
			at := int64(rapid.IntRange(0, 5).Draw(t, "at"))
			h := Half{Sender: math.MaxInt32 - int32(i%3), Receiver: 3 + int32(i%2), Number: first + uint32(i/3), Kind: Data, Bytes: 4}
			s, r := h, h
			s.Sent, s.At = true, [4]int64{at, at + 1, at + 2, at + 3}
			r.At = [4]int64{at + 2, at + 4, at + 5, 1}
			which := rapid.IntRange(0, 3).Draw(t, "which")
			if which != 1 {
				halves = append(halves, s)
			}
			if which != 2 {
				halves = append(halves, r)
			}
			if which == 1 || which == 2 {
				wantSingle++
			}
		}
		halves = rapid.Permutation(halves).Draw(t, "halves")
		cut := rapid.IntRange(0, len(halves)).Draw(t, "cut")
		room := rapid.IntRange(1, 30)
		j := newJoiner(room.Draw(t, "waiting"), room.Draw(t, "apart"), room.Draw(t, "packets"))
		rows, single := rowsBy(j, halves[:cut], halves[cut:])
		if j.Err() != nil {
			t.Fatal(j.Err())
		}
		if len(rows) != n || single != wantSingle {
			t.Fatalf("%d rows, %d single, want %d, %d", len(rows), single, n, wantSingle)
		}
		if err := CheckRows(rows); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSortedFunc(rows, func(a, b PacketRow) int {
			return cmp.Or(cmp.Compare(a.T3Ns.Value, b.T3Ns.Value), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
		}) {
			t.Fatal("rows are not in the order of T3, sender and number")
		}
	})
}

func TestPacketRowRefuses(t *testing.T) {
	rows, _ := rowsOf([]Half{{Receiver: 1, Kind: Data, Bytes: 4, Sent: true}, {Receiver: 1, Kind: Data, Bytes: 4}})
	require.NoError(t, CheckRow(&rows[0]))
	for want, damage := range map[string]func(*PacketRow){
		"kind":             func(r *PacketRow) { r.Kind = "post" },
		"carries no":       func(r *PacketRow) { r.Kind = "ack" },
		"sender, receiver": func(r *PacketRow) { r.Receiver = 0 },
		"size_bytes":       func(r *PacketRow) { r.SizeBytes = -1 },
		"bound_ns":         func(r *PacketRow) { r.BoundNs = Some[int64](-1) },
		"t3_ns":            func(r *PacketRow) { r.T3Ns = Opt[int64]{} },
		"some null":        func(r *PacketRow) { r.T2Ns = Opt[int64]{} },
		"net_ns":           func(r *PacketRow) { r.NetNs = Some[int64](1) },
		"t5_ns, t6_ns":     func(r *PacketRow) { r.T6Ns = Opt[int64]{} },
		"dest_ns":          func(r *PacketRow) { r.DestNs = Opt[int64]{} },
	} {
		r := rows[0]
		damage(&r)
		require.ErrorContains(t, CheckRow(&r), want)
	}
}
