package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/internal/bounds"
)

// flagOf holds the flags of those fields of specifications whose names differ from their
// flags'.
var flagOf = map[string]string{
	"platforms": "platform", "layers": "layer",
	"policies":               "policy",
	"workloads":              "workload",
	"sizes":                  "size",
	"bytes":                  "size",
	"bins_ps":                "bins",
	"for_ps":                 "for",
	"trace_ring.bytes":       "trace-ring",
	"trace_ring.batch_bytes": "trace-batch",
	"trace_ring.high_bytes":  "trace-high",
	"clock.estimator":        "clock-estimator",
	"clock.oscillators":      "clock-oscillators",
	"clock.round_ps":         "clock-round",
	"sizes_bytes":            "message-sizes",
	"stamped_every":          "stamp-every",
	"rate_per_second":        "rate",
	"replayed":               "replay",
	"clock.no_priority":      "no-clock-priority",
	"clock.no_inline_checks": "no-inline-checks",
	"memory.homes":           "homes",
	"memory.service":         "service",
	"svm.service":            "service",
	"memory.check":           "check-slices",
	"pattern.message_bytes":  "message-size",
	"pattern.count":          "count",
	"pattern.gap_us":         "gap",
	"pattern.skew":           "skew",
	"pattern.senders":        "senders",
	"pattern.burst":          "burst",
	"schedule.file":          "schedule",
	"job.algorithm":          "algorithm",
	"job.steps":              "steps",
	"job.servers":            "servers",
	"job.items":              "items",
	"job.reads":              "reads",
	"job.writes":             "writes",
	"job.atomics":            "atomics",
	"job.zipf":               "zipf",
	"job.access":             "access",
	"job.depth":              "depth",
	"job.chunk_bytes":        "chunk",
	"job.compute_us":         "compute",
	"job.item_bytes":         "item-size",
	"job.device_us":          "device-latency",
	"job.device_mbps":        "device-rate",
	"faults.bit_error":       "fault-bit-error",
	"faults.burst_bytes":     "fault-burst",
	"faults.drop_ack":        "fault-drop-ack",
	"faults.stalls":          "fault-stall",
	"faults.outages":         "fault-outage",
	"faults.storms":          "fault-storm",
	"network.Faults.storms":  "fault-storm", // what the network has to say
}

var index = regexp.MustCompile(`\[\d+\]`)

// flagFor returns the flag of cmd that sets a field of a specification, or "", and which
// part of the flag's value the field is. A field may begin with a program, as "fft.size".
func flagFor(cmd *cobra.Command, field string, programs []string) (flag, part string) {
	field = index.ReplaceAllString(field, "")
	if program, rest, ok := strings.Cut(field, "."); ok && slices.Contains(programs, program) {
		field = rest
	}
	for at := len(field); at > 0; at = strings.LastIndexByte(field[:at], '.') { // "faults.stalls.node"
		name := flagOf[field[:at]]
		if name == "" {
			name = strings.ReplaceAll(field[:at], "_", "-")
		}
		if cmd.Flags().Lookup(name) != nil {
			return name, strings.TrimPrefix(field[at:], ".")
		}
	}
	return "", ""
}

// flagged names in an error about a field of a specification the flag that sets it, with
// the value as a user writes it.
func flagged(cmd *cobra.Command, err error, programs []string) error {
	var wrong *bounds.Error
	if !errors.As(err, &wrong) {
		return err
	}
	name, part := flagFor(cmd, wrong.Field, programs)
	if name == "" {
		return err
	}
	told := *wrong
	told.Field = "--" + name
	if part != "" {
		told.Field += ": " + part
	}
	if strings.HasSuffix(wrong.Field, "_ps") || strings.HasSuffix(wrong.Field, "_us") {
		told.Value = cmd.Flags().Lookup(name).Value.String()
		if _, words, ok := strings.Cut(told.Want, "("); ok { // the range in other words
			told.Want = strings.TrimSuffix(words, ")")
		}
	}
	return &usageError{strings.Replace(err.Error(), wrong.Error(), told.Error(), 1)}
}
