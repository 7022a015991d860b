package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// facts returns the lines below the title of a run.
func facts(m trace.Manifest) []string {
	verdict := "Result verified"
	if !m.Verified {
		verdict = "RESULT NOT VERIFIED"
	}
	if m.Verification != "" {
		verdict += ": " + m.Verification
	}
	return []string{
		verdict + ".",
		fmt.Sprintf("Simulated time %s s, %s packets that carry a host request; %s.",
			strconv.FormatFloat(float64(m.SimulatedNs)/1e9, 'f', 6, 64), analysis.Digits(m.Packets), lost(m.Lost)),
		"Packets of the firmware itself, in no table below: " + counts(m.FirmwarePackets) + ".",
		clockLine(m.Clock),
		fmt.Sprintf("sigview %s, platform digest %s.", m.ToolVersion, m.Platform.Digest),
	}
}

func clockLine(c trace.ClockQuality) string {
	if c.Estimator == "" {
		return "No global clock."
	}
	return "Global clock: " + Clock(c, false) + "."
}

// Clock describes the quality of a global clock; whole adds how often bounds held, and
// the rate of messages.
func Clock(c trace.ClockQuality, whole bool) string {
	text := fmt.Sprintf("%s, %d rounds, %d messages", c.Estimator, c.Rounds, c.Messages)
	for i, v := range []struct {
		format string
		value  *float64
		scale  float64
	}{
		{"typical error bound %.2f µs", c.MedianBoundNs, 1000}, {"99th percentile of the error %.2f µs", c.P99ErrorNs, 1000}, {"largest error %.2f µs", c.MaxErrorNs, 1000},
		{"bounds that held %.4g%%", c.BoundCoverage, 0.01}, {"messages an hour %.4g", c.MessagesPerHour, 1},
	} {
		if v.value != nil && (whole || i < 3) {
			text += fmt.Sprintf(", "+v.format, *v.value/v.scale)
		}
	}
	return text
}

// lost lists the losses of a run, or says that there are none.
func lost(l trace.Lost) string {
	var parts []string
	for _, c := range []struct {
		n    int64
		text string
	}{
		{l.Dropped, "dropped"}, {l.Corrupted, "rejected by the checksum"}, {l.Undetected, "corrupted and not detected"},
		{l.Retransmitted, "retransmitted"}, {l.Resets, "forward resets"}, {l.Saturated, "counts lost to full counters"},
		{l.TopBin, "latencies in the top bin"}, {l.Negative, "negative latencies"}, {l.Oversize, "beyond the largest size bin"},
		{l.Unconverted, "without a global time"}, {l.NotRecorded, "not recorded"}, {l.TraceRecords, "trace records lost"},
		{l.Spans, "operations cut off at the start or end of the recording"},
	} {
		if c.n != 0 {
			parts = append(parts, fmt.Sprintf("%s %s", analysis.Digits(c.n), c.text))
		}
	}
	if len(parts) == 0 {
		return "nothing lost, retransmitted or saturated"
	}
	return strings.Join(parts, ", ")
}

func counts(m map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" "+analysis.Digits(m[name]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
