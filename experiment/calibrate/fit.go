package calibrate

import (
	"math"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/portable"
)

// line is a time for each message, µs, and one for each byte, ns.
type line struct{ start, slope float64 }

// through returns the line with the least squares of relative errors, neither of its parts below 0.
// Products are rounded, so that every processor gives the same numbers.
func through(sizes []int64, us []float64) line {
	var x, weights []float64
	for i, n := range sizes {
		x, weights = append(x, float64(n)), append(weights, 1/float64(us[i]*us[i]))
	}
	meanX, meanY := portable.Mean(x, weights), portable.Mean(us, weights)
	slope := steepness(x, us, weights, meanX, meanY)
	start := meanY - float64(slope*meanX)
	switch {
	case start < 0:
		return line{0, 1000 * steepness(x, us, weights, 0, 0)}
	case slope > 0:
		return line{start, 1000 * slope}
	}
	return line{meanY, 0}
}

// steepness is that of the best line through a point; 0 if all are above it.
func steepness(x, y, weights []float64, x0, y0 float64) float64 {
	var products, squares float64
	for i := range x {
		dx := x[i] - x0
		products += float64(float64(weights[i]*dx) * (y[i] - y0))
		squares += float64(float64(weights[i]*dx) * dx)
	}
	if squares == 0 {
		return 0
	}
	return products / squares
}

// numbers are what the fit chooses: the lines of the stages, and how a receiver and a sender pass their
// time.
type numbers struct {
	stages [stages]line
	wake   float64 // µs of Dest in which a blocked receiver begins to run
	back   float64 // µs for which a call goes on when its message has left
	spin   bool

	wakeFrom, backFrom string // what these two follow from
}

// fastest is the rate of a copy that takes no time worth mentioning, MB/s. It is also that of the
// buses of the platform.
const fastest = 1e6

// rate is that of copies which take so many ns a byte, MB/s.
func rate(nsPerByte float64) float64 { return min(fastest, 1000/max(nsPerByte, 1e-9)) }

// Limits of fields of a profile.
const (
	mostCycles     = 1e5
	mostHandCycles = 1e4
	mostClock      = 1e9
	leastClock     = 1e6
	mostBuffer     = 1 << 20
)

// clock returns the fastest clock of the interface with which its steps can be as long as they are.
func (n *numbers) clock() float64 {
	hz := float64(mostClock)
	for hz > leastClock && (hz*n.longest() > 1e6*mostCycles || hz*n.stages[1].start > 1e6*mostHandCycles) {
		hz /= 10
	}
	return hz
}

func (n *numbers) longest() float64 { return max(n.stages[0].start, n.stages[3].start-n.wake) }

// fields returns the fields of the profile.
func (n *numbers) fields() []bench.Fitted {
	hz := n.clock()
	cycles := func(us float64) float64 { return math.Round(max(0, us) * hz / 1e6) }
	source, lanai, net, dest := n.stages[0], n.stages[1], n.stages[2], n.stages[3]
	wire := max(0.001, 1000*net.start/3)
	link := rate(net.slope)
	link = min(link, mostBuffer/5*1000/(3*wire)) // a link's buffers hold two round trips, also of one that is twice as fast
	out := []bench.Fitted{
		{Field: "ni.clock_hz", Value: hz, From: "the longest step"},
		{Field: "datagram.firmware.cycles.take_request", Value: cycles(source.start), From: "Source, each message"},
		{Field: "ni.host_dma_to_ni_mbps", Value: rate(source.slope), From: "Source, each byte"},
		{Field: "ni.loop.net_start_cycles", Value: cycles(lanai.start), From: "NI, each message"},
		{Field: "network.wire_ns", Value: wire, From: "Net, each message: a third"},
		{Field: "network.switch_ns", Value: wire, From: "Net, each message: a third"},
		{Field: "network.link_mbps", Value: link, From: "Net, each byte"},
		{Field: "datagram.receive_cycles", Value: cycles(dest.start - n.wake), From: "Dest, each message, without the wake"},
		{Field: "ni.host_dma_to_host_mbps", Value: rate(dest.slope), From: "Dest, each byte"},
		{Field: "datagram.host.wake_us", Value: n.wake, From: n.wakeFrom},
		{Field: "datagram.host.return_us", Value: n.back, From: n.backFrom},
	}
	for i := range out {
		out[i].Value = short(out[i].Value)
	}
	return out
}

// short rounds to as many digits as a measurement deserves, so that the same measurements give the same file on
// every processor.
func short(v float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	if err != nil {
		panic("calibrate: " + err.Error()) // it has been formatted
	}
	return v
}

// profile returns the platform with the numbers.
func (n *numbers) profile(name, title string) (*platform.Profile, error) {
	base, err := platform.Load(basePlatform)
	if err != nil {
		return nil, err
	}
	tree := map[string]any{"name": name, "title": title}
	put := func(field string, value any) {
		at := tree
		parts := strings.Split(field, ".")
		for _, p := range parts[:len(parts)-1] {
			if at[p] == nil {
				at[p] = map[string]any{}
			}
			at = at[p].(map[string]any)
		}
		at[parts[len(parts)-1]] = value
	}
	put("datagram.spin", n.spin)
	var roundTrip float64 // bytes of a link's round trip
	for _, f := range n.fields() {
		if whole[f.Field] {
			put(f.Field, int64(f.Value))
			continue
		}
		put(f.Field, f.Value)
		if f.Field == "network.link_mbps" {
			roundTrip = f.Value * max(0.003, n.stages[2].start)
		}
	}
	resume := int64(1.01*roundTrip) + 64 // rounded times make it somewhat longer
	put("network.go_bytes", resume)
	put("network.stop_bytes", resume+leastBuffer)
	put("network.slack_bytes", 2*resume+leastBuffer)
	return base.With(platform.OverlayOf("calibrated", tree))
}

// basePlatform has what is not fitted.
const basePlatform = "linux-udp"

// leastBuffer is the room of a link's buffer besides a round trip, bytes.
const leastBuffer = 65536

// whole are fields with whole numbers.
var whole = map[string]bool{
	"ni.clock_hz": true, "datagram.firmware.cycles.take_request": true, "ni.loop.net_start_cycles": true, "datagram.receive_cycles": true,
}
