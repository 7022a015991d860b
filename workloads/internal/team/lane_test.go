package team

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/comm/deposit"
)

// TestPartsInAnyOrder: a message has come when all its bytes have, and after those before it, also if its last packet
// has overtaken others.
func TestPartsInAnyOrder(t *testing.T) {
	come := 0
	l := &Lane{to: &Member{}, stride: 8192, slots: make([]slot, 2), Arrived: func() { come++ }}
	for _, c := range []struct {
		part deposit.Arrival
		come int
	}{
		{deposit.Arrival{Offset: 8192, Bytes: 64, First: true, Last: true}, 0}, // the second message
		{deposit.Arrival{Offset: 4096, Bytes: 100, Last: true}, 0},
		{deposit.Arrival{Offset: 0, Bytes: 4096, First: true}, 2},
	} {
		l.arrived(c.part)
		require.Equal(t, c.come, come)
		require.Equal(t, c.come > 0, l.Ready())
	}
	for _, bytes := range []int{4196, 64} {
		_, n := l.Front()
		require.Equal(t, bytes, n)
		l.Free()
	}
	require.False(t, l.Ready())
}
