package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/live/capture"
)

func (a *app) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Make a run of what other tools have recorded",
		Long:  `Makes a run directory of what other tools have recorded of real hosts.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return names.Check("command of import", args[0], commandNames(cmd))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.importPcapCommand())
	return cmd
}

func (a *app) importPcapCommand() *cobra.Command {
	var spec capture.Spec
	var out string
	var json bool
	cmd := &cobra.Command{
		Use:   "pcap SENDER RECEIVER",
		Short: "Make a run of two captures of the same traffic, taken at both ends",
		Long: `Reads two captures, pcap or pcapng files, and joins what they have of the same
packets, in both directions. The result is a run directory with the Net of every
packet. Node 0 is at the end of the first capture, whose clock is that of the run.

  tcpdump --time-stamp-precision=nano -B 65536 -i eth0 -w sender.pcap    on one host
  tcpdump --time-stamp-precision=nano -B 65536 -i eth0 -w receiver.pcap  on the other

Captures have no stamps of programs: there is no Source, NI or Dest. The clocks of
two hosts are compared by the packets themselves, which takes packets in both
directions; half of what the ways there and back differ by stays in every Net, within
the bound that the run has. --same-clock says that there is nothing to compare.
TCP is joined by its data, however it is cut; others by what packets look like.`,
		Example: `  sigview import pcap sender.pcap receiver.pcap -o traffic
  sigview import pcap a.pcapng b.pcapng --same-clock`,
		Args: exactly("SENDER", "RECEIVER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec.Files = [2]string(args)
			return a.importPcap(cmd.Context(), spec, out, json)
		},
	}
	cmd.Flags().BoolVar(&spec.SameClock, "same-clock", false, "the stamps of both captures are of one clock: they were taken on one host")
	runOutputFlags(cmd.Flags(), &out, &json)
	return cmd
}

func (a *app) importPcap(ctx context.Context, spec capture.Spec, out string, json bool) error {
	if err := a.begin(spec); err != nil {
		return err
	}
	t, err := a.newTarget(out, "pcap")
	if err != nil {
		return err
	}
	watch, done := a.watch()
	spec.Read = func(read, total int64) {
		watch.Report(experiment.Progress{Stage: "reading", Done: read, Total: total})
	}
	run, err := capture.Import(ctx, spec)
	done()
	if err != nil {
		return t.unwritten(err)
	}
	return a.keep(ctx, t, run, json)
}
