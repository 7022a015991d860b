package svm

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// slowDiff compares word by word and returns the changed words.
func slowDiff(twin, dirty []byte) map[int]uint32 {
	changed := map[int]uint32{}
	for w := range pageWords {
		if word32(twin, w) != word32(dirty, w) {
			changed[w] = word32(dirty, w)
		}
	}
	return changed
}

func pagePair(t *rapid.T) (twin, dirty []byte) {
	twin = make([]byte, PageSize)
	seed := rapid.Uint64().Draw(t, "seed")
	for i := 0; i < PageSize; i += 8 {
		seed = seed*6364136223846793005 + 1442695040888963407
		binary.LittleEndian.PutUint64(twin[i:], seed)
	}
	dirty = append([]byte(nil), twin...)
	for range rapid.IntRange(0, 40).Draw(t, "changes") {
		first := rapid.IntRange(0, pageWords-1).Draw(t, "first")
		n := rapid.IntRange(1, 70).Draw(t, "words")
		for w := first; w < min(first+n, pageWords); w++ {
			dirty[w*WordSize+rapid.IntRange(0, 3).Draw(t, "byte")]++
		}
	}
	return twin, dirty
}

func TestDiffCarriesExactlyTheChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		twin, dirty := pagePair(t)
		want := slowDiff(twin, dirty)
		diff, words := appendDiff([]byte("kept"), twin, dirty)
		require.Equal(t, "kept", string(diff[:4]))
		diff = diff[4:]
		require.Equal(t, len(want), words)
		checked, _, err := checkDiff(diff)
		require.NoError(t, err)
		require.Equal(t, words, checked)

		// Applied to some other content, only the changed words move.
		home := make([]byte, PageSize)
		writeDiff(home, diff)
		for w := range pageWords {
			require.Equal(t, want[w], word32(home, w), "word %d", w)
		}
		copyOf := append([]byte(nil), twin...)
		writeDiff(copyOf, diff)
		require.Equal(t, dirty, copyOf)
	})
}

func TestDiffOfWholeAndOfEqualPages(t *testing.T) {
	zero, ones := make([]byte, PageSize), make([]byte, PageSize)
	for i := range ones {
		ones[i] = 1
	}
	diff, words := appendDiff(nil, zero, zero)
	require.Empty(t, diff)
	require.Zero(t, words)
	diff, words = appendDiff(nil, zero, ones)
	require.Len(t, diff, runHeader+PageSize)
	require.Equal(t, pageWords, words)
	_, _, err := checkDiff(diff)
	require.NoError(t, err)
}

func TestDamagedDiffsAreRefused(t *testing.T) {
	run := func(first, n uint16, data int) []byte {
		b := binary.LittleEndian.AppendUint16(nil, first)
		b = binary.LittleEndian.AppendUint16(b, n)
		return append(b, make([]byte, data)...)
	}
	for name, c := range map[string]struct {
		diff []byte
		want string
	}{
		"short header": {[]byte{1, 0, 1}, "want a run header of 4"},
		"empty run":    {run(1, 0, 0), "length 0"},
		"short data":   {run(1, 2, 7), "7 bytes of data, want 8"},
		"past the end": {run(1020, 5, 20), "at most 1024"},
		"descending":   {append(run(5, 1, 4), run(4, 1, 4)...), "starts at word 4, want more than 6"},
		"touching":     {append(run(5, 1, 4), run(6, 1, 4)...), "starts at word 6, want more than 6"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := checkDiff(c.diff)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 1, 0, 1, 2, 3, 4, 9, 0, 1, 0, 5, 6, 7, 8})
	f.Add([]byte{255, 3, 1, 0, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, diff []byte) {
		words, _, err := checkDiff(diff)
		if err != nil {
			return
		}
		page := make([]byte, PageSize)
		writeDiff(page, diff) // must not run past the page
		require.LessOrEqual(t, words, pageWords)
		// What is encoded again is never longer: equal words fall out.
		again, n := appendDiff(nil, make([]byte, PageSize), page)
		require.LessOrEqual(t, n, words)
		other := make([]byte, PageSize)
		writeDiff(other, again)
		require.Equal(t, page, other)
	})
}

func BenchmarkDiff(b *testing.B) {
	twin, dirty := make([]byte, PageSize), make([]byte, PageSize)
	for w := 0; w < pageWords; w += 16 {
		dirty[w*WordSize] = 1
	}
	var out []byte
	b.SetBytes(PageSize)
	for b.Loop() {
		out, _ = appendDiff(out[:0], twin, dirty)
	}
}
