package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart/cell"
)

// app is one invocation of the program.
type app struct {
	stdout, stderr io.Writer
	screen         screen
	quiet          bool
	follow         experiment.Watch // gets the progress in place of standard error
	checkOnly      bool             // commands end with errReady where they would begin to work
	checked        any              // what a command that was checked would do
	unprinted      error            // why standard output takes no more
	giveUp         func(bool) error // gives up the rights of the process; nil: they are needed again
	color          names.Word[colours]
	full           bool // answers are not cut
}

// colours are the values of --color.
type colours struct{}

func (colours) Words() names.Words { return names.NewWords("colour", "auto", "always", "never") }

func newApp(stdout, stderr io.Writer) *app {
	return &app{
		stdout: stdout, stderr: stderr,
		screen: terminalScreen(stdout, stderr),
		color:  "auto",
	}
}

func (a *app) run(ctx context.Context, args []string) int {
	cmd, err := a.execute(ctx, args)
	if err == nil {
		err = a.unprinted
	}
	if err == nil {
		return exitPass
	}
	code := exitCode(err)
	fmt.Fprintf(a.stderr, "%s: %s\n", cmd.CommandPath(), cell.Visible(message(err)))
	if code == exitUsage {
		fmt.Fprintf(a.stderr, "See '%s --help'.\n", cmd.CommandPath())
	}
	return code
}

// execute does a command line and returns the command. An error names the flag that is
// wrong.
func (a *app) execute(ctx context.Context, args []string) (*cobra.Command, error) {
	root := a.root()
	root.SetArgs(args)
	cmd, err := root, checkCommand(root, args)
	if err == nil {
		cmd, err = root.ExecuteContextC(ctx)
	}
	if err == nil {
		return cmd, nil
	}
	return cmd, flagged(cmd, err, experiment.Names(experiment.Known().Workloads))
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "sigview",
		Short: "See where a message's time goes, from inside the network interface",
		Long: `sigview builds a cluster of nodes with modelled network interfaces, runs real
programs on it, lets a monitor inside the interface firmware record where every
packet spends its time, and shows the result as a performance signature beside
the unloaded baseline.

  sigview run fft                 run a program, print its signature, keep the run
  sigview view DIR                view the run in the terminal
  sigview report DIR              show a run again, as text, Markdown, HTML or JSON
  sigview why PROGRAM|DIR         what a program waits for: run it with each resource free
  sigview trace DIR               who waited for whom in a traced run, and its critical path
  sigview diff DIR_A DIR_B        what moved between two runs
  sigview export DIR              write a run in the forms of other tools
  sigview logp, bandwidth         what messages cost on each communication layer
  sigview validate                compare the model with every published figure`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version.Read().String(),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetOut(printer{a})
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "print only errors, no messages or progress")
	root.PersistentFlags().BoolVar(&a.full, "full", false, "print everything, not only what answers first")
	root.PersistentFlags().Var(flags.OneOf(&a.color), "color", "colour: auto, always or never; NO_COLOR is obeyed")
	mustComplete(root, "color", cobra.FixedCompletions(a.color.Words().Names(), cobra.ShellCompDirectiveNoFileComp))
	root.AddCommand(memoryLimited(
		a.runCommand(), a.baselineCommand(), a.viewCommand(), a.whyCommand(), a.sweepCommand(),
		a.perturbCommand(), a.clocktestCommand(), a.tpilCommand(), a.validateCommand(), a.selftestCommand(),
		a.logpCommand(), a.bandwidthCommand(), a.verbsCommand(), a.messagesCommand())...,
	)
	root.AddCommand(
		a.liveCommand(), a.watchCommand(), a.calibrateCommand(), a.importCommand(), a.reportCommand(), a.diffCommand(), a.referenceCommand(), a.traceCommand(), a.exportCommand(), a.serveCommand(),
		a.agentCommand(), a.versionCommand(), a.manCommand(), resourcesTopic(),
	)
	root.AddCommand(a.listCommands()...)
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = cobra.ArbitraryArgs, unknownShell
	}
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	return root
}

// say writes a message to standard error, unless quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.stderr, cell.Visible(fmt.Sprintf(format, args...)))
	}
}

// style returns the layout of text on standard output.
func (a *app) style() report.Style {
	color := a.screen.outColor && os.Getenv("NO_COLOR") == ""
	switch a.color {
	case "always":
		color = true
	case "never":
		color = false
	}
	s := report.Style{Colour: color, Width: a.screen.width, ASCII: a.screen.ascii}
	if !a.full {
		s.Lines = report.AnswerLines
	}
	return s
}

// message returns the text of an error for the user: "interrupted" for a cancelled
// context. What is longer than any two paths quotes an input, and is cut.
func message(err error) string {
	text := err.Error()
	if errors.Is(err, context.Canceled) {
		text = strings.ReplaceAll(text, context.Canceled.Error(), "interrupted")
	}
	if n := len(text); n > 10_000 {
		text = text[:400] + " … " + text[n-400:]
	}
	return text
}
