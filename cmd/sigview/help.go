package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// helpCommand shows the help of a command or a topic.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND or TOPIC]",
		Short: "Explain a command, or a topic: " + topicResources,
		Args:  atMostOne("COMMAND or TOPIC"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			if err := names.Check("command or topic", args[0], commandNames(root)); err != nil {
				return err
			}
			cmd, _, err := root.Find(args)
			if err != nil {
				return err
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

const topicResources = "resources"

// resourcesTopic explains the resources that a run can have uncontended.
func resourcesTopic() *cobra.Command {
	var text strings.Builder
	text.WriteString(`Packets and programs wait for these resources. With --uncontended a run has some
of them free: of infinite capacity, so that nothing waits for them. Order and
protocol remain, and a transfer takes as long as it does alone. If a latency then
falls to its baseline, waiting for that resource had raised it. sigview why frees
each in turn, and sigview trace DIR --faster NAME predicts it from a trace.

`)
	for _, r := range trace.Resources() {
		var stages []string
		for _, s := range trace.RecordedStages() {
			if slices.Contains(trace.InPath(s, nil), r) {
				stages = append(stages, analysis.StageName(s, analysis.Modelled))
			}
		}
		where := "before T1 and after T6"
		if len(stages) > 0 {
			where = "in " + strings.Join(stages, ", ")
		}
		fmt.Fprintf(&text, "  %-7s %s, %s; a trace names it %s\n          free: %s\n", r, trace.Noun(r), where, causal.Traced(r), trace.WhenFree(r))
	}
	return &cobra.Command{Use: topicResources, Short: "What the resources are that --uncontended frees", Long: strings.TrimSpace(text.String())}
}

// checkCommand refuses a command that is not known before its flags are looked at.
func checkCommand(root *cobra.Command, args []string) error {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--color":
			i++ // its value
		case args[i] == "--" || strings.HasPrefix(args[i], cobra.ShellCompRequestCmd):
			return nil
		case !strings.HasPrefix(args[i], "-"):
			return names.Check("command", args[i], commandNames(root))
		}
	}
	return nil
}

func commandNames(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			out = append(out, c.Name())
		}
	}
	return out
}
