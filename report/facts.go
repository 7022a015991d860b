package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// outcome says in a sentence how a run ended.
func outcome(m trace.Manifest) string {
	if m.Captured() {
		return fmt.Sprintf("%s packets with data in %s s.", analysis.Digits(m.Packets), seconds(m.SimulatedNs))
	}
	if m.Detail == trace.DetailWatch {
		return fmt.Sprintf("%s messages seen in %s s.", analysis.Digits(m.Packets), seconds(m.SimulatedNs))
	}
	verdict := "result verified"
	if !m.Verified {
		verdict = "RESULT NOT VERIFIED"
		if m.Verification != "" {
			verdict += ": " + m.Verification
		}
	}
	how, what := "simulated", "packets that carry a host request"
	switch m.Detail {
	case trace.DetailFast:
		what = "messages"
	case trace.DetailSampled:
		how, what = "by estimate", "packets in full that carry a host request"
	}
	if m.Real() {
		how, what = "on real hosts", "messages"
	}
	return fmt.Sprintf("%s, %s s %s, %s %s.", verdict, seconds(m.SimulatedNs), how, analysis.Digits(m.Packets), what)
}

func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', 6, 64) }

// facts returns how a run was made: what was asked for, freed and faulted, what was lost,
// and how its result and its clock were checked.
func facts(m trace.Manifest) []string {
	out := []string{"Specification: " + cmp.Or(specified(m.Spec), "none") + "."}
	if free := m.Uncontended(); len(free) > 0 {
		var nouns []string
		for _, r := range free {
			nouns = append(nouns, trace.Noun(r))
		}
		out = append(out, "Nothing waited for the "+strings.Join(nouns, ", ")+": "+map[bool]string{true: "they were", false: "it was"}[len(free) > 1]+" free.")
	}
	lost := lost(m.Lost)
	out = append(out, strings.ToUpper(lost[:1])+lost[1:]+".")
	if m.Verification != "" && !m.Captured() {
		out = append(out, "Check of the result: "+m.Verification+".")
	}
	switch {
	case m.Captured():
		out = append(out, "Packets of the kernels themselves, in no table: "+counts(m.FirmwarePackets)+".", clockLine(m.Clock))
	case m.Real():
		out = append(out, stamped(m)...)
		out = append(out, clockLine(m.Clock))
	case m.Detail != trace.DetailFast:
		out = append(out, "Packets of the firmware itself, in no table: "+counts(m.FirmwarePackets)+".", clockLine(m.Clock))
	}
	return append(out, fmt.Sprintf("sigview %s, platform digest %s.", m.ToolVersion, m.Platform.Digest))
}

// stamped says which stamps the messages of real hosts had, what the stages therefore are, and what
// stamping costs.
func stamped(m trace.Manifest) []string {
	out := []string{"Stamps: " + strings.Join(m.Stamps, ", ") + ". " + analysis.StagesOf(m.Stamps)}
	if m.Cost == nil {
		return out
	}
	var uses []string
	for _, u := range m.Cost.Modes {
		use := fmt.Sprintf("%s %.2f µs", u.Mode, u.RoundNs/1000)
		if u.PerCent != 0 {
			use += fmt.Sprintf(" (%+.1f %%, %+.1f to %+.1f)", u.PerCent, u.LowPerCent, u.HighPerCent)
		}
		uses = append(uses, use)
	}
	return append(out, fmt.Sprintf("What stamps cost, as round trips of %d B in %d alternating blocks: %s.", m.Cost.Bytes, m.Cost.Blocks, strings.Join(uses, ", ")))
}

// warned marks warnings among facts.
func warned(list []string) (out []string) {
	for _, w := range list {
		out = append(out, "Warning: "+w)
	}
	return out
}

// specified lists the fields of a specification that are not zero.
func specified(spec json.RawMessage) string {
	var fields any
	if json.Unmarshal(spec, &fields) != nil {
		return ""
	}
	var out []string
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(strings.TrimPrefix(path+"."+key, "."), v[key])
			}
		case []any:
			if text := strings.Join(words(v), " "); text != "" { // such as a command with its arguments
				out = append(out, path+" "+text)
				return
			}
			for _, x := range v {
				walk(path, x)
			}
		case nil:
		default:
			if text := fmt.Sprint(v); text != "" && text != "0" && text != "false" {
				if n, ok := v.(float64); ok {
					text = strconv.FormatFloat(n, 'f', -1, 64)
				}
				out = append(out, path+" "+text)
			}
		}
	}
	walk("", fields)
	return strings.Join(out, ", ")
}

// words returns a list that has nothing but texts, nil of others.
func words(list []any) (out []string) {
	for _, x := range list {
		text, ok := x.(string)
		if !ok {
			return nil
		}
		out = append(out, text)
	}
	return out
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
		{l.Overflowed, "of the packets dropped for want of room in a switch"}, {l.Unreceived, "of them for want of room in a receiver"},
		{l.NotReady, "messages without a receive buffer"}, {l.Marked, "marks of packets (ECN)"}, {l.Pauses, "pause frames"},
	} {
		if c.n != 0 {
			parts = append(parts, fmt.Sprintf("%s %s", analysis.Digits(c.n), c.text))
		}
	}
	if l.PausedNs != 0 {
		parts = append(parts, "ports halted for "+analysis.Time(float64(l.PausedNs))+" in all")
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
