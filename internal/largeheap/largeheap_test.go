package largeheap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRegions(t *testing.T) {
	const maps = `00400000-02400000 rw-p 00000000 fe:00 1234                               /usr/bin/sigview
c000000000-c004000000 rw-p 00000000 00:00 0                              [anon: Go: heap]
c004000000-c008000000 ---p 00000000 00:00 0                              [anon: Go: heap reservation]
7f0000100000-7f0000700000 rw-p 00000000 00:00 0
7f0001000000-7f0001100000 rw-p 00000000 00:00 0
7f0002000000-7f0002400000 rw-s 00000000 00:01 77                         /dev/zero (deleted)
7ffc00000000-7ffc00400000 rw-p 00000000 00:00 0                          [stack]
no line of this file
`
	require.Equal(t, []region{{0xc000000000, 0xc004000000}, {0x7f0000200000, 0x7f0000600000}}, regions(maps))
}

// TestFollow: a program may ask at any time, and stop twice.
func TestFollow(t *testing.T) {
	stop := Follow()
	stop()
	stop()
}
