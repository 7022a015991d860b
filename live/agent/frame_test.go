package agent

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/live/watch"
)

// messages are one of each kind.
func messages() []message {
	return []message{
		hello{1, "x"}, failure{"why"}, alive{5},
		setup{live.Setup{Spec: live.Default(), Node: 1, Nodes: 3, Token: 1<<64 - 1, Mirror: true}, []netip.Addr{{}, {}, netip.MustParseAddr("fd00::1")}, 7, &watch.Asked{Ports: []int{7}, Every: 16, Boot: "x", Addresses: []netip.Addr{netip.MustParseAddr("10.0.0.1")}}},
		opened{live.Ports{Messages: []uint16{1}, Probes: []uint16{2}}, live.Host{Name: "h"}, []netip.Addr{netip.MustParseAddr("10.0.0.2")}, "y", netip.MustParseAddrPort("10.0.0.2:5"), netip.MustParseAddrPort("[fd00::1]:6")}, connect{[]live.Ports{{Messages: []uint16{1}, Probes: []uint16{0}}}},
		connected{}, start{}, driven{}, stop{},
		records{live.Batch{
			Sent:     []live.Sending{{To: 2, Bytes: 60000, Begun: -1, Sent: stamps.Sent{Seq: 1<<32 - 1, Sched: 1, Hand: 2, Card: 1<<63 - 1}}},
			Received: []live.Receipt{{From: 1, Bytes: 16, Seq: 3, Kernel: 4, Card: -6, User: 5}},
		}},
		ended{live.Counts{Sent: []uint64{1, 2}, Received: []uint64{3, 4}, Foreign: 5, Full: 7, WaitedNs: 6}},
		follow{watch.Rests}, followed{}, told{watch.Told{Names: map[int]string{3: "x"}, Counts: []uint64{1, 2}, UnsureNs: 50}},
		counted{watch.ToldHistogram{Key: 5, Bytes: 6, Stages: [2]watch.ToldStage{{Sum: 7, Bins: map[int]uint32{8: 9}}, {}}}},
		halves{[]watch.Half{
			{Flow: 1<<64 - 1, End: 1<<32 - 1, Bytes: 1 << 20, Kind: watch.HalfSent, Program: 63, Why: 31, ToServer: true, At: [3]int64{1 << 60, 1<<60 + 5, 1<<60 + 2}, Served: 8},
			{Flow: 1, End: 2, Bytes: 3, Kind: watch.HalfArrived, At: [3]int64{4}},
			{Flow: 5, End: 6, Bytes: 7, Kind: watch.HalfRead, At: [3]int64{1 << 50}, Woken: 1<<50 - 3, Waited: 9}, {Kind: watch.HalfRead, At: [3]int64{1}},
		}},
		schedule{[]live.Message{{At: 1<<63 - 1, To: 2, Bytes: 60000}, {At: -1, To: 65535, Bytes: 0}}},
	}
}

func TestFramesComeBack(t *testing.T) {
	var all []byte
	for _, m := range messages() {
		var err error
		all, err = appendFrame(all, m)
		require.NoError(t, err)
	}
	r := bytes.NewReader(all)
	for _, want := range messages() {
		got, err := readFrame(r)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Zero(t, r.Len())
	require.Len(t, messages(), int(kinds)-1)
}

func TestWrongFrames(t *testing.T) {
	frame := func(k kind, body string) []byte {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
		return append(append(b, byte(k)), body...)
	}
	for want, b := range map[string][]byte{
		"a frame of 65537 bytes, want at most 65536":   {0, 1, 0, 1, byte(isAlive)},
		"a frame of kind 0":                            frame(0, "{}"),
		fmt.Sprintf("a frame of kind %d", kinds):       frame(kinds, "{}"),
		"messages of a schedule in 13 bytes":           frame(isSchedule, string(make([]byte, 13))),
		`unknown field "run"`:                          frame(isStart, `{"run":"rm"}`),
		"a frame of kind 8 that goes on":               frame(isStart, "{}{}"),
		"records in 3 bytes":                           frame(isRecords, "\x00\x00\x00"),
		"1 and 0 records in 0 bytes":                   frame(isRecords, "\x00\x01\x00\x00"),
		`unknown pattern "ring"`:                       frame(isSetup, `{"spec":{"pattern":"ring"}}`),
		"EOF":                                          {0, 0},
		"unexpected EOF":                               frame(isStart, "{}")[:6],
		"unexpected end of JSON input":                 frame(isHello, ""),
		"cannot unmarshal string into Go struct field": frame(isAlive, `{"sent":"1"}`),
	} {
		_, err := readFrame(bytes.NewReader(b))
		require.ErrorContains(t, err, want)
	}
	_, err := appendFrame(nil, failure{string(make([]byte, mostFrame))})
	require.ErrorContains(t, err, "want at most 65536")
}

// TestRecordsOfTheRun: records that no node of the run can have made are refused.
func TestRecordsOfTheRun(t *testing.T) {
	for _, c := range []struct {
		peer, bytes int
		ok          bool
	}{{0, 16, true}, {2, 1000, true}, {1, 16, false}, {3, 16, false}, {0, 15, false}, {0, 1001, false}} {
		for _, b := range []live.Batch{{Sent: []live.Sending{{To: c.peer, Bytes: c.bytes}}}, {Received: []live.Receipt{{From: c.peer, Bytes: c.bytes}}}} {
			require.Equal(t, c.ok, check(b, 1, 3, 1000) == nil, "%+v", b)
		}
	}
}

// FuzzFrames: no bytes make the decoder of frames panic, and what it takes it writes so that it reads
// the same again.
func FuzzFrames(f *testing.F) {
	var all []byte
	for _, m := range messages() {
		b, _ := appendFrame(nil, m)
		f.Add(b)
		all = append(all, b...)
	}
	f.Add(all)
	f.Fuzz(func(t *testing.T, b []byte) {
		for r := bytes.NewReader(b); ; {
			m, err := readFrame(r)
			if err != nil {
				return
			}
			again, err := appendFrame(nil, m)
			if err != nil {
				continue // escapes make JSON longer
			}
			second, err := readFrame(bytes.NewReader(again))
			require.NoError(t, err)
			third, err := appendFrame(nil, second)
			require.NoError(t, err)
			require.Equal(t, again, third)
		}
	})
}
