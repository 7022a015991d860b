package patterns

import (
	"encoding/binary"

	"github.com/sigview/sigview/sim"
)

// letter identifies a message and so determines all its bytes.
type letter struct {
	seed     uint64
	from, to int
	number   uint32
}

// fill writes the first bytes of l.
func (l letter) fill(b []byte) { l.Read(0, b) }

// everybody stands for the receiver of a broadcast.
const everybody = -1

func (l letter) key() uint64 {
	return sim.Mix(sim.Mix(l.seed^uint64(uint32(l.from))<<32^uint64(uint32(l.to))) + uint64(l.number)*step)
}

// step is the difference of the keys of words that follow one another.
const step = 0x9e3779b97f4a7c15

// Read implements content.Source: a letter describes its bytes.
func (l letter) Read(from int, b []byte) {
	key := l.key() + uint64(from/8)*step
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

// differs returns the index of the first byte of b that is wrong, or -1, and the right byte.
func (l letter) differs(b []byte) (at int, want byte) {
	var word [8]byte
	key := l.key()
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
