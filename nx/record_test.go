package nx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse: what is accepted is what put makes, and nothing else of an
// entry's size gets through.
func FuzzParse(f *testing.F) {
	for _, r := range []record{
		{op: opShort, typ: 7, bytes: 3}, {op: opSlot, typ: MaxType, bytes: 16384, aux: 4095, origin: 7},
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
