package nx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
)

// FuzzParse: what is accepted is what put makes, and nothing else of an
// entry's size gets through.
func FuzzParse(f *testing.F) {
	for _, r := range []record{
		{op: opShort, typ: 7, bytes: 3}, {op: opSlot, typ: maxType, bytes: 16384, aux: 4095, origin: 7},
		{op: opGrant, aux: 9}, {op: opAsk, bytes: 1 << 30, aux: 1}, {op: opMark, after: 3}, {op: opShort, flags: flagTree | flagSystem},
	} {
		var b [entryBytes]byte
		r.put(b[:])
		n := headerBytes
		switch r.op {
		case opShort:
			n += int(r.bytes)
		case opGrant:
			n += 8
		}
		f.Add(b[:n])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, body, err := parse(b, 8, 16384)
		if err != nil {
			return
		}
		out := make([]byte, headerBytes, entryBytes)
		r.put(out)
		require.Equal(t, b, append(out, body...))
		require.Less(t, int(r.origin), 8)
		require.GreaterOrEqual(t, r.typ, int32(0))
		if r.op == opShort {
			require.Len(t, body, int(r.bytes))
		}
	})
}

func TestParseRefuses(t *testing.T) {
	good := record{op: opShort, typ: 1, bytes: 4}
	entry := func(r record, n int) []byte {
		b := make([]byte, entryBytes+10)
		r.put(b)
		return b[:n]
	}
	_, _, err := parse(entry(good, headerBytes+4), 2, 4096)
	require.NoError(t, err)
	for want, b := range map[string][]byte{
		"an entry of 23 B":                      entry(good, 23),
		"an entry of 65 B":                      entry(good, 65),
		"5 B after its header, want 4":          entry(good, headerBytes+5),
		"an entry of kind 0":                    entry(record{}, headerBytes),
		"an entry of kind 7":                    entry(record{op: opEnd}, headerBytes),
		"flags 0x4":                             entry(record{op: opMark, flags: flagEnd}, headerBytes),
		"a message of type -1":                  entry(record{op: opMark, typ: -1}, headerBytes),
		"a message of node 2, want less than 2": entry(record{op: opMark, origin: 2}, headerBytes),
		"an envelope of 4097 B at offset 0":     entry(record{op: opSlot, bytes: 4097}, headerBytes),
		"an envelope of 10 B at offset 4096":    entry(record{op: opSlot, bytes: 10, aux: 4096}, headerBytes),
		"0 B after its header, want 8":          entry(record{op: opGrant}, headerBytes),
	} {
		_, _, err := parse(b, 2, 4096)
		require.ErrorContains(t, err, want)
	}
}

// TestPlausible refuses entries that are well formed and make no sense here.
func TestPlausible(t *testing.T) {
	p := &Process{me: 1, peers: make([]*peer, 4)}
	q := &peer{p: p, node: 2, slots: make([]slot, 2)}
	require.NoError(t, p.plausible(q, record{op: opShort, origin: 2}))
	require.NoError(t, p.plausible(q, record{op: opSlot, origin: 3, flags: flagTree}))
	require.ErrorContains(t, p.plausible(q, record{op: opShort, origin: 3}), "of node 3")
	require.ErrorContains(t, p.plausible(q, record{op: opAsk, origin: 3, flags: flagTree}), "a broadcast of node 3")
	require.ErrorContains(t, p.plausible(q, record{op: opShort, origin: 1, flags: flagTree}), "a broadcast of node 1")
	q.announced = 2
	require.ErrorContains(t, p.plausible(q, record{op: opSlot, origin: 2}), "no slot in use")
}

// TestChildren: every node but the root has one parent, and is reached.
func TestChildren(t *testing.T) {
	for nodes := 2; nodes < 40; nodes++ {
		for _, root := range []int{0, nodes / 2, nodes - 1} {
			parents := map[int]int{}
			for me := range nodes {
				for _, c := range children(root, me, nodes) {
					_, again := parents[c]
					require.False(t, again)
					require.NotEqual(t, root, c)
					parents[c] = me
					if root == 0 {
						require.Equal(t, me, parent(c))
					}
				}
			}
			require.Len(t, parents, nodes-1)
		}
	}
}

// TestImpossibleCredit: credit for more than was sent, as damage makes it, ends the program with an
// error that says so; an older credit that a later one has overtaken does not.
func TestImpossibleCredit(t *testing.T) {
	space := host.NewSpace("p", &host.Frames{})
	for _, c := range []struct {
		entries, slots uint32
		want           string
	}{
		{7, 2, ""}, {4, 1, ""}, {10, 3, ""},
		{11, 3, "returns credit for 11 entries and 3 slots of 10 and 3"}, {10, 4, "returns credit for 10 entries and 4 slots"},
	} {
		s := &System{}
		q := &peer{p: &Process{sys: s, me: 1, space: space}, node: 2, creditWord: space.Alloc(8)}
		q.entriesSent, q.entriesRead, q.slotsSent, q.slotsFree = 10, 5, 3, 1
		space.Store32(q.creditWord, c.entries)
		space.Store32(q.creditWord+4, c.slots)
		q.credited(deposit.Arrival{})
		if c.want != "" {
			require.ErrorContains(t, s.err, c.want)
			require.EqualValues(t, 5, q.entriesRead)
			continue
		}
		require.NoError(t, s.err)
		require.Equal(t, max(5, c.entries), q.entriesRead)
	}
}

// TestEntryOverAnother: an entry where one waits to be read, or in part, ends the program with an error.
func TestEntryOverAnother(t *testing.T) {
	for want, d := range map[string]deposit.Arrival{
		"":                           {Offset: entryBytes, Bytes: 20, First: true, Last: true},
		"an entry of 20 B at":        {Offset: 0, Bytes: 20, First: true, Last: true},
		"an entry of 21 B at":        {Offset: entryBytes, Bytes: 21, Last: true},
		"an entry of 22 B at offset": {Offset: entryBytes + 1, Bytes: 22, First: true, Last: true},
	} {
		s := &System{}
		q := &peer{p: &Process{sys: s}, node: 2, present: []uint16{30, 0}}
		q.entered(d)
		if want == "" {
			require.NoError(t, s.err)
			require.Equal(t, []uint16{30, 20}, q.present)
			continue
		}
		require.ErrorContains(t, s.err, want)
		require.Equal(t, []uint16{30, 0}, q.present)
	}
}
