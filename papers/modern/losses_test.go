package modern

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
)

var update = flag.Bool("update", false, "write the table of docs/losses.md")

// lossCells are the incasts of docs/losses.md.
func lossCells() (all []crowd) {
	for _, buffer := range []int{256, 1024, 4096, 16384} {
		for _, depth := range []int{1, 16, 128} {
			for _, senders := range []int{2, 8, 32} {
				all = append(all, crowd{senders: senders, depth: depth, buffer: buffer * kb, until: 10 * sim.Millisecond})
			}
		}
	}
	return
}

// limits returns goodputs of a wire's rate, Gb/s: of a card that goes back over all that is under way for each packet that
// is lost, by the closed form of docs/losses.md, and of one that repeats only what is lost.
func (x crowd) limits(p pressed) (goesBack, selective float64) {
	const packet, packets = 4096, 16 // of a write of 64 KB
	data := p.wire * packet / (packet + 82 + 16/packets)
	loss, window := p.loss/100, float64(packets*x.depth)
	return data / (1 - loss + float64(loss*window)), data
}

// row is a line of the table.
func (x crowd) row(p pressed) string {
	low, high := x.limits(p)
	return fmt.Sprintf("| %d | %d | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f–%.1f | %d |\n",
		x.buffer/kb, x.depth, x.senders, p.wire, p.goodput, low, high, p.loss, p.repeated, p.least, p.most, p.timeouts)
}

// TestLosses: a port without pause frames that is overloaded is busy while senders have data, and its goodput lies between that
// of go-back-N and that of selective repeat. Each cell has the figures of docs/losses.md.
func TestLosses(t *testing.T) {
	const page = "../../docs/losses.md"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	begin := bytes.Index(text, []byte("| --- |"))
	begin += bytes.IndexByte(text[begin:], '\n') + 1
	end := begin + bytes.Index(text[begin:], []byte("\n\n")) + 1
	lines := strings.SplitAfter(string(text[begin:end]), "\n")
	var written strings.Builder
	busy := 0
	for i, x := range lossCells() {
		if x.senders*x.depth > 256 && !*update && !testlong.On() { // seconds each
			continue
		}
		p, err := x.press(context.Background(), 1)
		require.NoError(t, err)
		row := x.row(p)
		if *update {
			written.WriteString(row)
		} else {
			require.Equal(t, lines[i], row, "go test ./papers/modern -run TestLosses -update")
		}
		low, high := x.limits(p)
		require.GreaterOrEqual(t, p.goodput, 0.999*low, row)
		require.LessOrEqual(t, p.goodput, 1.001*high, row)
		if x.depth > 1 {
			require.Greater(t, p.wire, 90.0, row)
			busy++
		} else if x.senders == 2 {
			require.Zero(t, p.loss, "a write at a time of two senders fits: they lack data")
		}
	}
	require.GreaterOrEqual(t, busy, 12)
	if *update {
		require.NoError(t, os.WriteFile(page, append(append(text[:begin:begin], written.String()...), text[end:]...), 0o644))
	}
}

// TestLossesOfACardThatGoesBack: without selective repeat the port is as busy, and goodput is what go-back-N leaves, or more.
func TestLossesOfACardThatGoesBack(t *testing.T) {
	for _, buffer := range []int{256, 1024, 4096} {
		x := crowd{senders: 2, depth: 128, buffer: buffer * kb, until: 10 * sim.Millisecond}
		p, err := x.press(context.Background(), 1, func(p *platform.Profile) { p.Verbs.Selective = 0 })
		require.NoError(t, err)
		low, high := x.limits(p)
		t.Logf("%d KB: %+v, %.2f to %.2f", buffer, p, low, high)
		require.Greater(t, p.wire, 90.0)
		require.Greater(t, p.goodput, low)
		require.Less(t, p.goodput, high)
	}
}
