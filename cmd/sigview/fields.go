package main

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/bounds"
)

// flagOf holds the flags of fields that have no tag for it, where their names differ.
var flagOf = map[string]string{
	"platforms": "platform", "layers": "layer",
	"workloads":             "workload",
	"sizes":                 "size",
	"bytes":                 "size",
	"sizes_bytes":           "message-sizes",
	"stamped_every":         "stamp-every",
	"rate_per_second":       "rate",
	"replayed":              "replay",
	"svm.service":           "service",
	"schedule.file":         "schedule",
	"network.Faults.storms": "fault-storm", // what the network has to say
}

var index = regexp.MustCompile(`\[\d+\]`)

// flagFor returns the flag of cmd that sets a field of a specification, or "", and which
// part of the flag's value the field is. A field may begin with a program, as "fft.size".
func flagFor(cmd *cobra.Command, field string, programs []string) (flag, part string) {
	field = index.ReplaceAllString(field, "")
	if program, rest, ok := strings.Cut(field, "."); ok && slices.Contains(programs, program) {
		field = rest
	}
	tagged := map[string]string{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		for _, path := range f.Annotations[flags.Path] {
			tagged[path] = f.Name
		}
	})
	for at := len(field); at > 0; at = strings.LastIndexByte(field[:at], '.') { // "faults.stalls.node"
		name := cmp.Or(tagged[field[:at]], flagOf[field[:at]], strings.ReplaceAll(field[:at], "_", "-"))
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
	return &usageError{text: strings.Replace(err.Error(), wrong.Error(), told.Error(), 1)}
}
