package shrimp

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/monitor"
)

// TestLossIsSmooth changes one handler by 5 cycles (0.15 µs) at a time and looks
// at the largest change that a step makes to a stream's loss under the full
// monitor. A stream that falls into step with its acknowledgements has jumps. With
// 65 cycles more to convert times the receiver is the slower side, and the loss grows
// by a whole step's time.
func TestLossIsSmooth(t *testing.T) {
	const most = 0.3 // percentage points per step
	var locked float64
	for _, handler := range []string{"monitor.cycles.convert", "vmmc.firmware.injected"} {
		for _, n := range []int{132, 256} {
			varied := largestStep(t, handler, n, `"+0"`)
			require.Less(t, varied, most, "%s, %d B", handler, n)
			locked = max(locked, largestStep(t, handler, n, "0.0"))
		}
	}
	require.Greater(t, locked, 1.5*most, "set-ups of host DMAs that all take the same time")
}

// TestLossIsSmoothOverSizes looks at the sizes around the one at which inserting a packet
// takes as long as the work on it that goes on meanwhile: from there on the main loop is
// idle when the insertion ends.
func TestLossIsSmoothOverSizes(t *testing.T) {
	largest := func(text string) (step, most float64) {
		place, err := platform.MustOverlays("test", []byte("[x]\n"+text)).Place(experiment.DefaultPlatform, "", "x")
		require.NoError(t, err)
		edge := 4 * place.VMMC.Firmware.Keep // a word per cycle
		last := meanLoss(t, place, edge-64)
		for n := edge - 60; n <= edge+64; n += 4 {
			loss := meanLoss(t, place, n)
			step, most = max(step, math.Abs(loss-last)), max(most, loss)
			last = loss
		}
		return step, most
	}
	step, most := largest("ni.loop.brief_bytes = 256\n")
	require.Less(t, step, 0.5, "percentage points per word")
	require.Less(t, most, float64(largeLossPct))
	step, _ = largest("ni.loop.brief_bytes = 0\n")
	require.Greater(t, step, 2.0, "acknowledgements are handled although the insertion ends soon")
}

// largestStep returns the largest change of the loss, in percentage points, between
// neighbouring costs of a handler.
func largestStep(t *testing.T, handler string, n int, jitterUs string) (most float64) {
	var losses []float64
	for cycles := -40; cycles <= 60; cycles += 5 {
		text := fmt.Sprintf("[x]\n%s = \"%+d\"\nni.host_dma_jitter_us = %s\n", handler, cycles, jitterUs)
		place, err := platform.MustOverlays("test", []byte(text)).Place(experiment.DefaultPlatform, "", "x")
		require.NoError(t, err)
		losses = append(losses, meanLoss(t, place, n))
	}
	for i := range losses[1:] {
		most = max(most, math.Abs(losses[i+1]-losses[i]))
	}
	return most
}

// meanLoss returns the loss of a stream under the full monitor, in per cent: the
// mean of several seeds.
func meanLoss(t *testing.T, p platform.Place, n int) (mean float64) {
	const seeds = 3
	for seed := range uint64(seeds) {
		rate := func(build monitor.Build) float64 {
			got, err := measure.Transfer(cluster.Of(p, 2, seed+1, build), measure.Stream, n)
			require.NoError(t, err)
			return got.MBps
		}
		mean += 100 * (1 - rate(monitor.Full)/rate(monitor.Off)) / seeds
	}
	return mean
}

// TestSimultaneousDoesNotFall: longer messages both ways are not slower than shorter
// ones. They are if a handler for later packets, or for the end of an insertion, takes
// so long that the host engine waits for its end.
func TestSimultaneousDoesNotFall(t *testing.T) {
	fall := func(text string) (most float64) {
		place, err := platform.MustOverlays("test", []byte("[x]\n"+text)).Place(experiment.DefaultPlatform, "", "x")
		require.NoError(t, err)
		best := 0.0
		for _, n := range []int{1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10} {
			got, err := measure.Transfer(cluster.Of(place, 2, 1, monitor.Off), measure.Simultaneous, n)
			require.NoError(t, err)
			best = max(best, got.MBps)
			most = max(most, 100*(1-got.MBps/best))
		}
		return most
	}
	require.Less(t, fall("vmmc.firmware.keep = \"+0\"\n"), 1.0)
	require.Greater(t, fall("vmmc.firmware.keep = 0\nvmmc.firmware.next_packet = 180\nvmmc.firmware.injected = 200\n"), 5.0)
}
