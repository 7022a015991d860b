package capture

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// talk is a short conversation in both directions.
func talk(w *world, messages int) {
	for i := range int64(messages) {
		w.send(int(i%2), second+i*1_000_000, uint16(i), false, w.noise(100+int(i)))
	}
}

// TestCapturesThatCannotBeJoined: bad input names the file and what is wanted.
func TestCapturesThatCannotBeJoined(t *testing.T) {
	w := newWorld(t, 1)
	talk(w, 20)
	good := w.files()
	oneWay := newWorld(t, 1)
	for i := range int64(9) {
		oneWay.send(0, second+i, 0, false, oneWay.noise(64))
	}
	single := oneWay.files()
	elsewhere := newWorld(t, 2)
	talk(elsewhere, 20)
	radio := newWorld(t, 3)
	radio.link = layers.LinkTypeIEEE802_11
	later := newWorld(t, 1)
	talk(later, 1)
	later.startNs, later.aheadNs = second, 120*24*3600*second
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	for name, c := range map[string]struct {
		files     [2]string
		sameClock bool
		want      string
	}{
		"missing":   {[2]string{good[0], filepath.Join(dir, "none")}, false, "no such file"},
		"directory": {[2]string{dir, good[1]}, false, "is a directory, wanted a regular file"},
		"text":      {[2]string{write("text", strings.Repeat("no capture", 100)), good[1]}, false, "is no capture, wanted pcap or pcapng"},
		"empty":     {[2]string{write("empty", ""), good[1]}, false, "is no capture"},
		"radio":     {radio.files(), false, "link type 105, wanted Ethernet"},
		"other":     {[2]string{good[0], elsewhere.files()[1]}, false, "has no packet that"},
		"same":      {[2]string{good[0], good[0]}, true, "do not tell at which end packets are sent"},
		"one way":   {single, false, "in one direction only"},
		"damaged":   {[2]string{write("damaged", damaged(w)), good[1]}, false, "packet 4: "},
		"years":     {later.files(), true, "wanted captures of the same time"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Import(context.Background(), Spec{Files: c.files, SameClock: c.sameClock})
			require.ErrorContains(t, err, c.want)
			var usage interface{ Usage() bool }
			require.ErrorAs(t, err, &usage)
		})
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	long := newWorld(t, 1)
	talk(long, 1<<13)
	_, err := Import(stopped, Spec{Files: long.files()})
	require.ErrorIs(t, err, context.Canceled)
}

// damaged is a capture of which the third packet says that it is longer than any.
func damaged(w *world) string {
	at := 24
	text := w.capture(0)
	for range 3 {
		at += 16 + int(text[at+8]) + int(text[at+9])<<8
	}
	text[at+11] = 0x7f
	return string(text)
}

// TestOneClock: captures on one host need no packets in both directions.
func TestOneClock(t *testing.T) {
	w := newWorld(t, 1)
	for i := range int64(50) {
		w.send(1, second+i*1_000_000, 0, i%10 == 4, w.noise(64+int(i)))
	}
	run, rows := imported(t, w, true)
	require.Empty(t, run.Clock)
	require.EqualValues(t, 1, rows[0].Sender)
	require.EqualValues(t, 1, rows[0].BoundNs.Value)
	require.Contains(t, strings.Join(run.Manifest.Warnings, "\n"), "5 packets are in the sender's capture only")
}

// TestACutFileIsUsedUpToThere: the end of a capture that was killed is no error.
func TestACutFileIsUsedUpToThere(t *testing.T) {
	for _, ng := range []bool{false, true} {
		for _, less := range []int{1, 100, 400} {
			w := newWorld(t, 1)
			w.ng = ng
			talk(w, 20)
			files := w.files()
			info, err := os.Stat(files[1])
			require.NoError(t, err)
			require.NoError(t, os.Truncate(files[1], info.Size()-int64(less)))
			run, err := Import(context.Background(), Spec{Files: files})
			require.NoError(t, err)
			require.Contains(t, strings.Join(run.Manifest.Warnings, "\n"), "second.pcap ends within a packet")
			require.Less(t, run.Manifest.Packets, int64(21))
			require.Greater(t, run.Manifest.Packets, int64(15))
		}
	}
}

// TestCompressedCaptures are read as they are.
func TestCompressedCaptures(t *testing.T) {
	for _, ng := range []bool{false, true} {
		w := newWorld(t, 1)
		w.ng = ng
		talk(w, 20)
		files := w.files()
		text, err := os.ReadFile(files[0])
		require.NoError(t, err)
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err = z.Write(text)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		require.NoError(t, os.WriteFile(files[0], b.Bytes(), 0o644))
		run, err := Import(context.Background(), Spec{Files: files})
		require.NoError(t, err)
		require.EqualValues(t, 20, run.Manifest.Packets)
	}
}

// TestPacketsThatLookTheSame are joined in their order, unless one capture has fewer.
func TestPacketsThatLookTheSame(t *testing.T) {
	for _, lose := range []bool{false, true} {
		w := newWorld(t, 5)
		talk(w, 20)
		same := w.noise(64)
		for i := range int64(10) {
			w.send(0, 2*second+i*9_000_000, 0, lose && i == 4, same)
		}
		if !lose {
			imported(t, w, false)
			continue
		}
		run, err := Import(context.Background(), Spec{Files: w.files()})
		require.NoError(t, err)
		require.EqualValues(t, 10, run.Manifest.Lost.NotRecorded)
		require.EqualValues(t, 30, run.Manifest.Packets)
		require.Contains(t, strings.Join(run.Manifest.Warnings, "\n"), "10 packets look like others")
	}
}

// TestShortenedPackets: captures that keep the beginning of packets, one of them less, are joined as well.
func TestShortenedPackets(t *testing.T) {
	w := newWorld(t, 7)
	talk(w, 20)
	w.bulk(0, 2*second, 7, 20, true)
	w.snap = 96
	first := w.files()[0]
	w.snap, w.seen[0], w.seen[1] = 0, w.seen[0][:len(w.seen[0])-1], w.seen[1][:len(w.seen[1])-1]
	second := w.files()[1]
	run, err := Import(context.Background(), Spec{Files: [2]string{first, second}})
	require.NoError(t, err)
	require.Zero(t, run.Manifest.Lost.Dropped)
	require.EqualValues(t, 40, run.Manifest.Packets)
}

// TestOneCaptureBeginsLater: what only the other one can have is not lost, and streams go on.
func TestOneCaptureBeginsLater(t *testing.T) {
	w := newWorld(t, 9)
	talk(w, 10)
	w.bulk(0, 2*second, 1<<32-30_000, 40, false)
	w.seen[1] = w.seen[1][20:]
	run, err := Import(context.Background(), Spec{Files: w.files()})
	require.NoError(t, err)
	require.Zero(t, run.Manifest.Lost.Dropped)
	require.Less(t, run.Manifest.Packets, int64(50))
	require.Greater(t, run.Manifest.Packets, int64(35))
	require.Contains(t, strings.Join(run.Manifest.Warnings, "\n"), "are of a time in which only one of the captures ran")
}

// TestAClockThatIsSet is noticed, and what is not near holds.
func TestAClockThatIsSet(t *testing.T) {
	w := newWorld(t, 11)
	for i := range int64(200) {
		w.send(int(i%2), second+i*100_000_000, uint16(i), false, w.noise(100+int(i)))
	}
	w.setAt, w.setNs = 11*second, 3_000_000
	run, err := Import(context.Background(), Spec{Files: w.files()})
	require.NoError(t, err)
	require.Contains(t, strings.Join(run.Manifest.Warnings, "\n"), "a clock was set")
	for r := range run.Packets {
		if away := r.T3Ns.Value - w.setAt; max(away, -away) > 5*second {
			require.InDelta(t, w.truth[r.Sender][r.Number].arrived-w.truth[r.Sender][r.Number].sent, r.NetNs.Value, float64(r.BoundNs.Value), "sent at %d", r.T3Ns.Value)
			require.Less(t, r.BoundNs.Value, int64(50_000))
		}
	}
}

// TestTimesBefore1970: a clock that was never set shows what it likes.
func TestTimesBefore1970(t *testing.T) {
	for _, startNs := range []int64{-3600 * second, -2 * second, 5 * second} {
		w := newWorld(t, 12)
		w.ng, w.startNs, w.aheadNs, w.earlier = true, startNs, -100*second, 1<<20
		for i := range int64(200) {
			w.send(int(i%2), second+i*100_000_000, uint16(1+i), i%9 == 4, w.noise(100+int(i)))
		}
		imported(t, w, false)
	}
}

// TestTrafficWithOthers: packets of hosts that have no capture are left out.
func TestTrafficWithOthers(t *testing.T) {
	w := newWorld(t, 13)
	talk(w, 30)
	c := w.frame(0, 9, layers.IPProtocolICMPv4, w.noise(40))
	copy(c[30:34], []byte{192, 168, 1, 1})
	w.shoot(0, second+500_000, c)
	run, _ := imported(t, w, false)
	require.Contains(t, strings.Join(run.Manifest.Warnings, "\n"), "1 packets do not go from one capture's end to the other's")
}

// TestGroups: an address that never sends is at the end where its packets arrive.
func TestGroups(t *testing.T) {
	w := newWorld(t, 15)
	talk(w, 30)
	w.cross(0, 2*second, false, toGroup(w.frame(0, 9, layers.IPProtocolUDP, w.udp(0, 40), w.noise(40))))
	run, err := Import(context.Background(), Spec{Files: w.files()})
	require.NoError(t, err)
	require.EqualValues(t, 31, run.Manifest.Packets)
	require.Zero(t, run.Manifest.Lost)
	require.Contains(t, string(run.Manifest.Spec), `"addresses":["10.0.0.9","10.0.0.1","239.1.1.1"]`)
}

// TestRoutersThatAnswerByAGroup: packets of both ends to one address tell ends and clocks as those to each other do.
func TestRoutersThatAnswerByAGroup(t *testing.T) {
	for _, sameClock := range []bool{false, true} {
		w := newWorld(t, 17)
		if !sameClock {
			w.aheadNs, w.rate = -3600*second, 20e-6
		}
		for i := range int64(40) {
			from := int(i % 2)
			frame := toGroup(w.frame(from, uint16(1+i/2), layers.IPProtocolOSPF, w.noise(44)))
			at := second + i*5_100_000_000
			w.truth[from] = append(w.truth[from], event{at, w.cross(from, at, false, frame), 44})
		}
		run, rows := imported(t, w, sameClock)
		require.Len(t, rows, 40)
		require.Contains(t, string(run.Manifest.Spec), `"addresses":["10.0.0.9","10.0.0.1","239.1.1.1"]`)
		for _, r := range rows {
			require.EqualValues(t, 2, r.Receiver)
			require.Less(t, r.BoundNs.Value, int64(100_000))
		}
	}
}

func toGroup(frame []byte) []byte {
	copy(frame[30:34], []byte{239, 1, 1, 1})
	return frame
}

// TestRealTraffic: what tcpdump has captured on both sides of a pair of virtual devices of one host,
// which have one clock.
func TestRealTraffic(t *testing.T) {
	run, err := Import(context.Background(), Spec{Files: [2]string{"testdata/a.pcap", "testdata/b.pcap"}})
	require.NoError(t, err)
	checkOneHost(t, run)
	require.EqualValues(t, 111, run.Manifest.Packets)
	require.Zero(t, run.Manifest.Lost)
}

// checkOneHost checks a run of captures on one host, whose clocks do not differ.
func checkOneHost(t *testing.T, run *trace.Run) {
	require.NotEmpty(t, run.Clock)
	for _, r := range run.Clock {
		require.LessOrEqual(t, max(r.OffsetNs, -r.OffsetNs), r.BoundNs.Value)
	}
	for r := range run.Packets {
		require.NoError(t, trace.CheckRow(&r))
		require.True(t, r.NetNs.OK)
		require.Positive(t, r.NetNs.Value+r.BoundNs.Value)
	}
}

// TestReadingIsTold: how much of both captures has been read grows up to all of it.
func TestReadingIsTold(t *testing.T) {
	w := newWorld(t, 1)
	talk(w, 9000)
	var told []int64
	var all int64
	_, err := Import(context.Background(), Spec{Files: w.files(), Read: func(done, total int64) { told, all = append(told, done), total }})
	require.NoError(t, err)
	require.True(t, slices.IsSorted(told), "%v", told)
	require.GreaterOrEqual(t, len(told), 4)
	require.Less(t, told[0], all/2)
	require.Greater(t, told[len(told)-1], all*8/10)
	require.LessOrEqual(t, told[len(told)-1], all)
}
