package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/trace"
)

// flood sends messages of 64 B by several connections of TCP, and as many threads of UDP, as fast as they go, until it is
// told to stop. It returns how many were sent by each protocol.
func flood(t *testing.T, flows int) (ports []int, run func(context.Context) (tcp, udp int64)) {
	from, to, at := streams(t, flows)
	source, sink := datagrams(t)
	return []int{at, udpPort(sink)}, func(ctx context.Context) (int64, int64) {
		var sent [2]atomic.Int64
		var senders, readers sync.WaitGroup
		for i := range flows {
			senders.Go(func() {
				for message := make([]byte, 64); ctx.Err() == nil; {
					for range 64 {
						if _, err := from[i].Write(message); err == nil {
							sent[0].Add(1)
						}
					}
				}
				_ = from[i].CloseWrite()
			})
			readers.Go(func() {
				for buffer, err := make([]byte, 256<<10), error(nil); err == nil; {
					_, err = to[i].Read(buffer)
				}
			})
		}
		readers.Go(func() {
			for buffer, err := make([]byte, 64), error(nil); err == nil; {
				_, err = sink.Read(buffer)
			}
		})
		senders.Go(func() {
			for message := make([]byte, 64); ctx.Err() == nil; runtime.Gosched() {
				for range 64 {
					if _, err := source.Write(message); err == nil {
						sent[1].Add(1)
					}
				}
			}
		})
		senders.Wait()
		time.Sleep(time.Second) // what is on its way is read
		_ = sink.Close()
		readers.Wait()
		return sent[0].Load(), sent[1].Load()
	}
}

// memory returns how many bytes this process has at most had, and how many its maps in the kernel have.
func memory(t *testing.T) (resident, maps int64) {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	resident = number(string(status), "VmHWM:") << 10
	fds, err := filepath.Glob("/proc/self/fdinfo/*")
	require.NoError(t, err)
	for _, fd := range fds {
		text, err := os.ReadFile(fd)
		if err == nil && strings.Contains(string(text), "map_type:") {
			maps += number(string(text), "memlock:")
		}
	}
	return resident, maps
}

// number returns that after a word in a text, or 0.
func number(text, word string) int64 {
	_, after, _ := strings.Cut(text, word)
	if words := strings.Fields(after); len(words) > 0 {
		n, _ := strconv.ParseInt(words[0], 10, 64)
		return n
	}
	return 0
}

// TestMillions: of as many messages as two processors can send each one has its instants or a reason, and the watch does
// not grow.
func TestMillions(t *testing.T) {
	able(t)
	took := time.Second
	if testlong.On() {
		took = time.Minute
	}
	for _, budget := range []int{0, Default().Budget} {
		ports, run := flood(t, 4)
		spec := Default()
		spec.Ports, spec.Budget = ports, budget
		var tcp, udp, before, maps int64
		var used [2]unix.Rusage
		seen := watched(t, spec, func() error {
			before, maps = memory(t)
			ctx, cancel := context.WithTimeout(t.Context(), took)
			defer cancel()
			failed := unix.Getrusage(unix.RUSAGE_SELF, &used[0])
			tcp, udp = run(ctx)
			return errors.Join(failed, unix.Getrusage(unix.RUSAGE_SELF, &used[1]))
		})
		after, _ := memory(t)
		m := seen.Manifest
		all := tcp + udp
		cpu := time.Duration(used[1].Utime.Nano() + used[1].Stime.Nano() - used[0].Utime.Nano() - used[0].Stime.Nano())
		t.Logf("budget %d: %d messages by TCP and %d by UDP, %.0f a second, %.2f µs of processors for each; %s; %q; resident %.0f MB, %.0f MB at the begin; maps %.0f MB",
			budget, tcp, udp, float64(all)/took.Seconds(), cpu.Seconds()*1e6/float64(all), m.Verification, m.Warnings, float64(after)/1e6, float64(before)/1e6, float64(maps)/1e6)
		require.Less(t, maps, int64(64e6))
		require.EqualValues(t, m.Packets-m.Lost.NotRecorded, count(seen, trace.Dest))
		if budget == 0 {
			require.EqualValues(t, all, m.Packets)
		}
	}
}
