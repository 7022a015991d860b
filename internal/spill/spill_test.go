package spill

import (
	"cmp"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

type record struct {
	key   int32
	value int64
}

func byKey(a, b *record) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.value, b.value)) }

// TestSorter: the same as sorting in memory, with any number of runs, twice.
func TestSorter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Int32Range(0, 20), 0, 200).Draw(t, "keys")
		s := New(rapid.IntRange(1, 50).Draw(t, "room"), byKey)
		var want []record
		for i, k := range keys {
			r := record{k, int64(i)}
			want = append(want, r)
			s.Add(r)
		}
		slices.SortFunc(want, func(a, b record) int { return byKey(&a, &b) })
		for range 2 {
			if got := slices.Collect(s.All()); !slices.Equal(got, want) {
				t.Fatalf("%v, want %v", got, want)
			}
		}
		if s.Err() != nil || s.Len() != int64(len(want)) {
			t.Fatalf("%v, %d records, want %d", s.Err(), s.Len(), len(want))
		}
		for range s.All() {
			break
		}
	})
}

// TestLongRuns: runs longer than what is read of them at once.
func TestLongRuns(t *testing.T) {
	const room, n = 10_000, 35_000
	s := New(room, byKey)
	for i := range n {
		s.Add(record{int32(i * 7919 % n), 0})
	}
	next := int32(0)
	for r := range s.All() {
		require.Equal(t, next, r.key)
		next++
	}
	require.EqualValues(t, n, next)
	require.NoError(t, s.Err())
}

// TestFileErrors: what cannot be written or read is an error, and ends the sequence.
func TestFileErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	s := New(1, byKey)
	for range 3 {
		s.Add(record{})
	}
	require.EqualError(t, s.Err(), "temporary file for a long trace in "+os.Getenv("TMPDIR")+": no such file or directory")
	require.Empty(t, slices.Collect(s.All()))

	t.Setenv("TMPDIR", t.TempDir())
	s = New(1, byKey)
	file, err := os.Open(os.DevNull) // takes nothing
	require.NoError(t, err)
	defer file.Close()
	s.file = file
	s.Add(record{})
	s.Add(record{})
	require.EqualError(t, s.Err(), "temporary file for a long trace in /dev: bad file descriptor")

	s = New(1, byKey)
	for range 3 {
		s.Add(record{})
	}
	require.NoError(t, s.Err())
	require.NoError(t, s.file.Close())
	require.Empty(t, slices.Collect(s.All()))
	require.EqualError(t, s.Err(), "temporary file for a long trace: file already closed")
	entries, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, entries, "the file has no name")
}
