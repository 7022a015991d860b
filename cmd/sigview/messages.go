package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
)

// messagesSchema is the version of the JSON document of messages.
const messagesSchema = 1

func (a *app) messagesCommand() *cobra.Command {
	spec := experiment.DefaultMessages("")
	var json bool
	cmd := &cobra.Command{
		Use:   "messages PROGRAM",
		Short: "Run only the messages of a pattern or a schedule, a billion of them if need be",
		Long: `Runs a program of messages on ranks that have no hosts, at the costs by size (LogGP)
that run --detail fast uses too: one event a message. Memory grows only with the
messages that wait for a receive. Nothing is checked, and nothing is written.

  pingpong   ranks 0 and 1, 2 and 3, ... send a message back and forth
  alltoall   every rank sends to all others and then receives from all
  barrier    dissemination: in step k to the rank 2^k on
  tree       broadcast from rank 0 along a binomial tree
  goal       a GOAL schedule, with tags and wildcards; it determines ranks and sizes

The two directions of an interface are independent here: a rank sends ahead of time.`,
		Example: `  sigview messages pingpong --ranks 2 --rounds 500M
  sigview messages alltoall --ranks 1024 --rounds 1 --platform ppro --layer gam
  sigview messages goal --schedule fft.goal`,
		Args:              exactly("PROGRAM"),
		ValidArgsFunction: cobra.FixedCompletions(spec.Program.Words().Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec.Program = experiment.MessageProgram(args[0])
			if err := a.ready(spec); err != nil {
				return err
			}
			watch, done := a.watch()
			m, err := experiment.RunMessages(cmd.Context(), spec, watch)
			done()
			if err != nil {
				return err
			}
			document := struct {
				SchemaVersion int    `json:"schema_version"`
				ToolVersion   string `json:"tool_version"`
				*experiment.Messages
			}{messagesSchema, version.Tool(), m}
			return a.print(json, document, messagesTable(m))
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&spec.Platform, "platform", spec.Platform, "hardware profile: a name or a .toml file")
	layerFlag(fs, &spec.Layer)
	fs.IntVar(&spec.Ranks, "ranks", spec.Ranks, "ranks, 2 to 65536")
	fs.Var(flags.Count(&spec.Rounds), "rounds", "how often the program is repeated, K, M and G allowed (default: 1000)")
	fs.Var(flags.Count(&spec.Bytes), "message-size", "bytes of a message, K and M allowed (default: 64)")
	fs.StringVar(&spec.Schedule, "schedule", "", "for goal: file with the schedule")
	jsonFlag(fs, &json)
	a.completePlaces(cmd)
	return cmd
}

func messagesTable(m *experiment.Messages) report.Tables {
	type row = experiment.Messages
	origin := "measured for this run"
	if m.Cached {
		origin = "measured by an earlier run"
	}
	return report.Tables{
		Title: fmt.Sprintf("Messages of %s with %s on %s", m.Program, m.Layer, m.Platform),
		Views: []analysis.View{analysis.Tabulate([]row{*m},
			analysis.Text("ranks", func(m row) string { return strconv.Itoa(m.Ranks) }),
			analysis.Text("messages", func(m row) string { return strconv.FormatUint(m.Messages, 10) }),
			analysis.Text("run time, ms", func(m row) string { return strconv.FormatFloat(m.RunTimeUs/1000, 'f', 3, 64) }),
			analysis.Text("digest", func(m row) string { return m.Digest }))},
		Remarks: append([]string{fmt.Sprintf("Costs of messages by size: %s, digest %s. There are no packets, no stages and no results to check.", origin, m.Costs)}, m.Warnings...),
	}
}
