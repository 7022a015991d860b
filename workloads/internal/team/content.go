package team

import (
	"encoding/binary"
	"iter"

	"github.com/sigview/sigview/sim"
)

// words yields the places and words of bytes that a key determines.
func words(key uint64, bytes int) iter.Seq2[int, uint64] {
	return func(yield func(at int, word uint64) bool) {
		for at := 0; at < bytes; at += 8 {
			key += 0x9e3779b97f4a7c15
			if !yield(at, sim.Mix(key)) {
				return
			}
		}
	}
}

// Fill writes the bytes that a key determines, a multiple of eight.
func Fill(b []byte, key uint64) {
	for at, word := range words(key, len(b)) {
		binary.LittleEndian.PutUint64(b[at:], word)
	}
}

// Holds reports whether all bytes are those that a key determines.
func Holds(b []byte, key uint64) bool {
	for at, word := range words(key, len(b)) {
		if binary.LittleEndian.Uint64(b[at:]) != word {
			return false
		}
	}
	return true
}
