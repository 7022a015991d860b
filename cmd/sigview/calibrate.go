package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment/calibrate"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
)

// calibrateSchema is the version of calibrate's JSON document.
const calibrateSchema = 1

func (a *app) calibrateCommand() *cobra.Command {
	var spec calibrate.Spec
	var card calibrate.CardSpec
	var out string
	var json bool
	cmd := &cobra.Command{
		Use:   "calibrate RUN|LISTING... -o FILE.toml",
		Short: "Fit a platform of the model to a run of real hosts, or to listings of perftest",
		Long: `Fits a platform to the stages of a run of sigview live, and to LogP parameters of
the same hosts if --logp names them. It writes the platform as a file, which run,
baseline, logp and all others with --platform take, and shows by how much the model
misses each stage: of the sizes that the fit has used, of those that were held out,
and of other runs (--check), which it predicts.

In this platform the interface stands for the kernel of a host, layer datagram.
Medians are fitted, because the model has no tails. LogP parameters are needed to
tell the wake of a receiver from the rest of Dest.

With --platform, a card with RDMA verbs, it fits the card and its host to each LISTING
of a latency (ib_write_lat, ib_read_lat, ib_send_lat, ib_atomic_lat) of one pair of
hosts, up to 1 KB: verbs.card.pipeline_ns, host.pcie.read_ns and host.pcie.write_ns,
with intervals. It says which of them the listings do not tell. All longer messages,
and listings that --check names, are predicted.`,
		Example: `  sigview live -o measured
  sigview live --logp sweep -o parameters
  sigview calibrate measured --logp parameters -o host.toml
  sigview run pingpong --platform host.toml --message-size 1K -o modelled
  sigview diff measured modelled --unlike
  sigview calibrate ib_write_lat.txt --platform cx5-roce -o card.toml
  sigview calibrate ib_write_lat.txt ib_read_lat.txt --check ib_send_lat.txt --platform cx6-hdr -o card.toml`,
		Args: atLeastOne("RUN|LISTING"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !strings.HasSuffix(out, ".toml") {
				return usagef("--output is %q, want a file FILE.toml for the platform", out)
			}
			name := strings.TrimSuffix(filepath.Base(out), ".toml")
			if card.Platform == "" {
				if len(args) > 1 {
					return usagef("there are %d arguments, want one RUN, or --platform with LISTINGs", len(args))
				}
				if f, _, err := inputfile.Open(args[0]); err == nil {
					f.Close()
					return usagef("--platform is \"\", want the card to start from, because %s is a file", args[0])
				}
				spec.Run, spec.Name = args[0], name
				return a.calibrate(cmd.Context(), spec, out, json)
			}
			if spec.LogP != "" {
				return usagef("--platform is given with --logp, want it with LISTINGs alone")
			}
			card.Listings, card.Checks, card.Name = args, spec.Other, name
			return a.calibrateCard(cmd.Context(), card, out, json)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&spec.LogP, "logp", "", "directory with LogP parameters that sigview live --logp sweep has measured")
	fs.StringArrayVar(&spec.Other, "check", nil, "another run, or with --platform another listing, to predict; may be repeated")
	fs.StringVar(&card.Platform, "platform", "", "card to start from, a name or a .toml file, to fit LISTINGs of perftest")
	fs.StringVarP(&out, "output", "o", "", "file of the platform, FILE.toml")
	fs.BoolVar(&json, "json", false, "print one JSON document instead of text")
	a.completePlaces(cmd)
	return cmd
}

func (a *app) calibrate(ctx context.Context, spec calibrate.Spec, out string, json bool) error {
	err := checkFile(out)
	if err == nil {
		err = a.begin(spec)
	}
	if err != nil {
		return err
	}
	watch, done := a.watch()
	r, err := calibrate.Run(ctx, spec, watch)
	done()
	if err != nil {
		return err
	}
	if err := a.data(out, func(w io.Writer) error { return text(w, r.Profile) }); err != nil {
		return err
	}
	return a.print(json, struct {
		SchemaVersion int    `json:"schema_version"`
		ToolVersion   string `json:"tool_version"`
		*bench.Calibration
	}{calibrateSchema, version.Tool(), r.Fit}, report.Calibration{Calibration: r.Fit})
}

func (a *app) calibrateCard(ctx context.Context, spec calibrate.CardSpec, out string, json bool) error {
	err := checkFile(out)
	if err == nil {
		err = a.begin(spec)
	}
	if err != nil {
		return err
	}
	watch, done := a.watch()
	r, err := calibrate.Card(ctx, spec, watch)
	done()
	if err != nil {
		return err
	}
	if err := a.data(out, func(w io.Writer) error { return text(w, r.Profile) }); err != nil {
		return err
	}
	return a.print(json, struct {
		SchemaVersion int    `json:"schema_version"`
		ToolVersion   string `json:"tool_version"`
		*bench.Card
	}{calibrateSchema, version.Tool(), r.Fit}, report.Card{Card: r.Fit})
}
