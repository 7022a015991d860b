package content

import (
	"encoding/binary"

	"github.com/sigview/sigview/sim"
)

// Words is a source of pseudo-random words of 8 B, little-endian: that of each key has words of its own.
type Words uint64

// step is the difference of the keys of words that follow one another.
const step = 0x9e3779b97f4a7c15

// Read implements Source.
func (w Words) Read(from int, b []byte) {
	key := uint64(w) + uint64(from/8)*step
	if skip := from % 8; skip > 0 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], sim.Mix(key))
		b = b[copy(b, word[skip:]):]
		key += step
	}
	for ; len(b) >= 8; b = b[8:] {
		binary.LittleEndian.PutUint64(b, sim.Mix(key))
		key += step
	}
	if len(b) > 0 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], sim.Mix(key))
		copy(b, word[:])
	}
}

// Differs compares b with the source's first bytes. It returns the index of the first byte that is wrong, or -1,
// and the right byte.
func (w Words) Differs(b []byte) (at int, want byte) {
	var word [8]byte
	key := uint64(w)
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(word[:], sim.Mix(key))
		key += step
		if len(b)-i >= 8 && binary.LittleEndian.Uint64(b[i:]) == binary.LittleEndian.Uint64(word[:]) {
			continue
		}
		for j := range min(8, len(b)-i) {
			if b[i+j] != word[j] {
				return i + j, word[j]
			}
		}
	}
	return -1, 0
}
