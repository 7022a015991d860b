package stamps

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// control makes a control message as the kernel does.
func control(level, kind uint32, data []byte) []byte {
	b := make([]byte, unix.CmsgSpace(len(data)))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&b[0]))
	h.Level, h.Type = int32(level), int32(kind)
	h.SetLen(unix.CmsgLen(len(data)))
	copy(b[controlHeader:], data)
	return b
}

// times makes the three times of a stamp: of the system, none, and of the card.
func times(system, card int64) (b []byte) {
	for _, t := range []int64{system, 0, card} {
		b = binary.NativeEndian.AppendUint64(b, uint64(t/1e9))
		b = binary.NativeEndian.AppendUint64(b, uint64(t%1e9))
	}
	return b
}

// about makes the part of a stamp of sending that says what it is of.
func about(kind, id uint32) []byte {
	b := make([]byte, 32)
	b[4] = unix.SO_EE_ORIGIN_TIMESTAMPING
	binary.NativeEndian.PutUint32(b[8:], kind)
	binary.NativeEndian.PutUint32(b[12:], id)
	return b
}

// TestCardStamps: a message that is sent has the stamp of the driver and, later, that of the card; one that
// arrives has both at once. A message waits for its card unless a later one has that stamp already.
func TestCardStamps(t *testing.T) {
	const system, card = 1_790_000_000_123_456_789, 77_000_000_001
	arrival := parse(control(unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, times(system, card)))
	require.Equal(t, stamp{system: system, card: card}, arrival)

	s := &Socket{card: true}
	for id := range uint32(5) {
		s.waiting = append(s.waiting, record{Sent{Seq: 100 + id}, id})
	}
	tell := func(kind, id uint32, system, card int64) {
		b := append(control(unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, times(system, card)), control(unix.SOL_IP, unix.IP_RECVERR, about(kind, id))...)
		got := parse(b)
		require.Equal(t, stamp{system, card, true, kind, id}, got)
		s.note(got)
	}
	now := int64(30)
	ready := func() (n int) {
		for n < len(s.waiting) && s.complete(&s.waiting[n], now) {
			n++
		}
		return n
	}
	for id := range uint32(4) {
		tell(unix.SCM_TSTAMP_SCHED, id, 10+int64(id), 0)
		tell(unix.SCM_TSTAMP_SND, id, 20+int64(id), 0)
	}
	require.Zero(t, ready())
	now = 22 + int64(cardDelay)
	require.Equal(t, 2, ready(), "the card has had time for two of them")
	now = 30
	tell(unix.SCM_TSTAMP_SND, 0, 0, 1000)
	require.Equal(t, 1, ready())
	tell(unix.SCM_TSTAMP_SND, 2, 0, 1002)
	require.Equal(t, 3, ready())
	tell(unix.SCM_TSTAMP_SND, 2, 0, 9999) // sent again
	tell(unix.SCM_TSTAMP_SND, 4, 0, 1004)
	require.Equal(t, 4, ready(), "the last one has no stamp of the driver")
	require.Equal(t, []record{
		{Sent{100, 10, 20, 1000}, 0}, {Sent{101, 11, 21, 0}, 1}, {Sent{102, 12, 22, 1002}, 2}, {Sent{103, 13, 23, 0}, 3}, {Sent{104, 0, 0, 1004}, 4},
	}, s.waiting)
}

// TestCardStates: a card is used if it can stamp all messages both ways and does.
func TestCardStates(t *testing.T) {
	can := unix.EthtoolTsInfo{
		So_timestamping: unix.SOF_TIMESTAMPING_TX_HARDWARE | unix.SOF_TIMESTAMPING_RX_HARDWARE | unix.SOF_TIMESTAMPING_RAW_HARDWARE,
		Tx_types:        1<<unix.HWTSTAMP_TX_OFF | 1<<unix.HWTSTAMP_TX_ON, Rx_filters: 1<<unix.HWTSTAMP_FILTER_NONE | 1<<unix.HWTSTAMP_FILTER_ALL,
	}
	does := unix.HwTstampConfig{Tx_type: unix.HWTSTAMP_TX_ON, Rx_filter: unix.HWTSTAMP_FILTER_ALL}
	require.Equal(t, CardOn, cardState(&can, &does))
	for _, change := range []func(*unix.EthtoolTsInfo){
		func(i *unix.EthtoolTsInfo) { i.So_timestamping = unix.SOF_TIMESTAMPING_TX_SOFTWARE },
		func(i *unix.EthtoolTsInfo) { i.So_timestamping &^= unix.SOF_TIMESTAMPING_RX_HARDWARE },
		func(i *unix.EthtoolTsInfo) { i.Tx_types = 1 << unix.HWTSTAMP_TX_OFF },
		func(i *unix.EthtoolTsInfo) { i.Rx_filters = 1 << unix.HWTSTAMP_FILTER_PTP_V2_EVENT },
	} {
		less := can
		change(&less)
		require.Equal(t, NoCard, cardState(&less, &does), "%+v", less)
	}
	for _, less := range []unix.HwTstampConfig{{}, {Tx_type: unix.HWTSTAMP_TX_ON}, {Tx_type: unix.HWTSTAMP_TX_ON, Rx_filter: unix.HWTSTAMP_FILTER_PTP_V2_EVENT}} {
		require.Equal(t, CardOff, cardState(&can, &less), "%+v", less)
	}
	require.Equal(t, NoCard, CardOf("lo"))
	require.Equal(t, NoCard, CardOf("no such interface"))
}

// FuzzControl: no control messages make their decoder panic, and those of the kernel are read whatever follows
// them.
func FuzzControl(f *testing.F) {
	f.Add([]byte(nil), int64(1), int64(2), uint32(3))
	f.Add(control(unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, times(1, 2)), int64(5), int64(0), uint32(0))
	f.Add(control(unix.SOL_IPV6, unix.IPV6_RECVERR, about(unix.SCM_TSTAMP_SND, 9))[:20], int64(0), int64(7), uint32(1))
	f.Fuzz(func(t *testing.T, b []byte, system, card int64, id uint32) {
		parse(b)
		system, card = max(system, 0), max(card, 0)
		whole := append(control(unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, times(system, card)), control(unix.SOL_IPV6, unix.IPV6_RECVERR, about(unix.SCM_TSTAMP_SCHED, id))...)
		require.Equal(t, stamp{system, card, true, unix.SCM_TSTAMP_SCHED, id}, parse(whole))
		for n := range whole {
			parse(whole[:n])
		}
	})
}
