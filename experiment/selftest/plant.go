package selftest

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/trace"
)

// layer is the layer in whose control program delays are planted.
const layer = "vmmc"

// Plant is a delay of known place and size that the gate should find.
type Plant struct {
	Name     string
	Quantity string // that is to be found; "": nothing is
	// field of the profile with the cycles of the control program at the place of the delay
	field string
	share float64 // by which its mean rises in the size class that takes most of its time; 0: one cycle
}

// plants has a delay at one place in each stage: before a packet's data is fetched, between
// that and its insertion, between its arrival and its recognition, and before its transfer
// to the host. Computing makes a program slower as a whole. One cycle changes nothing but the
// order of events.
var plants = []Plant{
	{Name: "one cycle more", field: "vmmc.firmware.build_header"},
	{Name: "Source +10%", Quantity: trace.Source.String(), field: "vmmc.firmware.build_header", share: 0.1},
	{Name: "LANai +10%", Quantity: trace.LANai.String(), field: "monitor.cycles.note_fetched", share: 0.1},
	{Name: "Net +10%", Quantity: trace.Net.String(), field: "vmmc.firmware.demultiplex", share: 0.1},
	{Name: "Dest +10%", Quantity: trace.Dest.String(), field: "monitor.cycles.strip_header", share: 0.1},
	{Name: "run time +5%", Quantity: compare.RunTime, share: 0.05},
}

// change returns the change of a profile that plants a delay of a size, in words too: ns
// in each packet, or by how much of itself the work of a program takes longer.
func (t *trial) change(x Plant, size float64) (platform.Overlay, string) {
	text := "[x]\n"
	if x.Quantity == compare.RunTime {
		for _, field := range t.work {
			sign := "*"
			if strings.HasSuffix(field, "hz") {
				sign = "/"
			}
			text += fmt.Sprintf("%s = \"%s%.4f\"\n", field, sign, 1+size)
		}
		name, _, _ := strings.Cut(t.work[0], ".")
		return overlay(text), fmt.Sprintf("%s × %.3f", map[string]string{"host": "computing", "ni": "interface"}[name], 1+size)
	}
	hz := float64(t.profile.NI.ClockHz)
	cycles := max(1, math.Round(size*hz/1e9))
	return overlay(text + fmt.Sprintf("%s = \"+%.0f\"\n", x.field, cycles)), fmt.Sprintf("%.2f µs", cycles/hz*1e6)
}

// sizing is the number of runs from which the size of a plant is found, at most four times.
const sizing = 5

// sized returns the size of a plant with which its quantity rises by the share that is
// wanted, within a tenth of it. Queues make the rise more or less than the delay. The
// first guess is kept where the rise does not follow the size.
func (t *trial) sized(ctx context.Context, x Plant) (float64, error) {
	if x.share == 0 {
		return 0, nil // one cycle
	}
	size := x.share * meanOf(t.base, x.key(t.base))
	if x.Quantity == compare.RunTime {
		size = x.share
	}
	first := size
	few := t.base[:min(sizing, len(t.base))]
	for range 4 {
		change, _ := t.change(x, size)
		planted, err := t.runs(ctx, change, x.Name, len(few))
		if err != nil {
			return 0, err
		}
		rise := x.effect(few, planted)
		switch {
		case math.Abs(rise-x.share) <= x.share/10:
			return size, nil
		case rise <= 0:
			return first, nil
		}
		size *= min(max(x.share/rise, 0.1), 10)
	}
	return size, nil
}

func overlay(text string) platform.Overlay {
	return platform.MustOverlays("planted delay", []byte(text)).Of("x")
}

// key returns the figure that the plant raises: the run time, or the stage's latency in the
// size class in which packets spend most of its time.
func (x Plant) key(runs []compare.Run) compare.Key {
	k := compare.Key{Quantity: x.Quantity}
	most := 0.0
	for _, class := range trace.Classes() {
		total := 0.0
		for _, r := range runs {
			for _, f := range r.Figures {
				if f.Quantity == x.Quantity && f.Where == class && f.Kind == "" {
					total += float64(f.Value * float64(f.Packets))
				}
			}
		}
		if total > most {
			most, k.Where = total, class
		}
	}
	return k
}

// meanOf returns the mean of a figure over the runs that have it.
func meanOf(runs []compare.Run, k compare.Key) float64 {
	sum, n := 0.0, 0
	for _, r := range runs {
		for _, f := range r.Figures {
			if f.Key == k {
				sum += f.Value
				n++
			}
		}
	}
	return sum / float64(max(n, 1))
}

// effect returns by which share the plant's figure is larger in the planted runs.
func (x Plant) effect(base, planted []compare.Run) float64 {
	if x.Quantity == "" {
		return 0
	}
	k := x.key(base)
	return meanOf(planted, k)/meanOf(base, k) - 1
}
