package svm

import (
	"encoding/binary"
	"fmt"
)

// A diff is a sequence of runs: a 16-bit offset and a 16-bit length, both in
// words, little-endian, then that many words in memory order. Runs ascend and
// do not touch.
const runHeader = 4

// appendDiff appends the words of dirty that differ from twin to out. It
// returns out and the number of those words. Dirty and twin are PageSize bytes
// long.
func appendDiff(out, twin, dirty []byte) ([]byte, int) {
	_, _ = twin[PageSize-1], dirty[PageSize-1]
	words := 0
	for w := 0; w < pageWords; {
		// Most words are equal, so pairs of them are compared first.
		if w%2 == 0 && word64(twin, w) == word64(dirty, w) {
			w += 2
			continue
		}
		if word32(twin, w) == word32(dirty, w) {
			w++
			continue
		}
		first := w
		for w < pageWords && word32(twin, w) != word32(dirty, w) {
			w++
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(first))
		out = binary.LittleEndian.AppendUint16(out, uint16(w-first))
		out = append(out, dirty[first*WordSize:w*WordSize]...)
		words += w - first
	}
	return out, words
}

func word32(b []byte, w int) uint32 { return binary.LittleEndian.Uint32(b[w*WordSize:]) }
func word64(b []byte, w int) uint64 { return binary.LittleEndian.Uint64(b[w*WordSize:]) }

// checkDiff counts the words and runs of an encoded diff. It returns an error for a run that is empty, touches
// the one before, goes beyond the page or has too few bytes.
func checkDiff(diff []byte) (words, runs int, err error) {
	end := 0
	for at := 0; at < len(diff); {
		if len(diff)-at < runHeader {
			return 0, 0, fmt.Errorf("diff: %d bytes at byte %d, want a run header of %d", len(diff)-at, at, runHeader)
		}
		first := int(binary.LittleEndian.Uint16(diff[at:]))
		n := int(binary.LittleEndian.Uint16(diff[at+2:]))
		switch {
		case n == 0:
			return 0, 0, fmt.Errorf("diff: run at byte %d has length 0, want at least one word", at)
		case first < end || (end > 0 && first == end):
			return 0, 0, fmt.Errorf("diff: run at byte %d starts at word %d, want more than %d", at, first, end)
		case first+n > pageWords:
			return 0, 0, fmt.Errorf("diff: run at byte %d covers words %d to %d, want at most %d", at, first, first+n, pageWords)
		case len(diff)-at-runHeader < n*WordSize:
			return 0, 0, fmt.Errorf("diff: run at byte %d has %d bytes of data, want %d", at, len(diff)-at-runHeader, n*WordSize)
		}
		end = first + n
		words += n
		runs++
		at += runHeader + n*WordSize
	}
	return words, runs, nil
}

// writeDiff writes the words of diff, which checkDiff must have accepted,
// into page.
func writeDiff(page, diff []byte) {
	for len(diff) > 0 {
		first := int(binary.LittleEndian.Uint16(diff)) * WordSize
		n := int(binary.LittleEndian.Uint16(diff[2:])) * WordSize
		copy(page[first:first+n], diff[runHeader:runHeader+n])
		diff = diff[runHeader+n:]
	}
}
