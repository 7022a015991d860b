package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report/chart/cell"
)

type (
	viewNames struct{}
	themes    struct{}
	glyphs    struct{}
)

func (viewNames) Words() names.Words { return names.NewWords("view", views.Views()...) }
func (themes) Words() names.Words    { return names.NewWords("theme", cell.Themes()...) }
func (glyphs) Words() names.Words    { return names.NewWords("glyphs", cell.GlyphNames()...) }

// viewFlags are the flags of view that are not options of the views.
type viewFlags struct {
	export        string
	made          string // the command, which a picture holds
	width, height int
	size          paper
}

func (a *app) viewCommand() *cobra.Command {
	var o tui.Options
	var f viewFlags
	geometry := ""
	cmd := &cobra.Command{
		Use:   "view [DIR ...]",
		Short: "View runs in the terminal, or start new ones there",
		Long: `Shows run directories in the terminal: an overview with the findings, the worst
first, the signature beside its baseline, the histograms, the pairs of nodes, the percentiles, operations and packets over
time, the clock, and what moved between two runs. Press ? for the keys. With two
directories every view shows the second one over the first.

Directories of logp, bandwidth, tpil, verbs and sweep are shown by the view LogP: message
cost with its regimes and parameters, and figures by size. Several directories are
drawn over one another.

--export writes one picture, or the data shown as CSV, and needs no terminal; the
extension of the file selects the format. --size is that of an SVG or PNG on paper. --select takes a selection as it can be
typed after a slash.

A file ` + tui.ConfigFile + ` in the user's folder for configuration sets the theme and keys.`,
		Example: `  sigview view sigview-runs/fft-001
  sigview view before after --view compare
  sigview view gam vmmc --export layers.svg
  sigview view after --view histogram --select 'stage=source size=4096' --geometry 120x40 --export source.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dirs, o.Environ = args, os.Environ()
			f.made = commandLine(cmd, args)
			o.NoColour = a.color == "never"
			if cmd.Flags().Changed("size") {
				if f.export == "" || geometry != "" {
					return usagef("--size is given, want it with --export and without --geometry")
				}
				var err error
				if f.width, f.height, err = f.size.cells(); err != nil {
					return err
				}
			}
			if geometry != "" {
				var rest string
				if n, _ := fmt.Sscanf(geometry+" ", "%dx%d%s", &f.width, &f.height, &rest); n != 2 || f.width < 1 || f.height < 1 || f.width > 1000 || f.height > 1000 {
					return usagef("--geometry is %q, want COLUMNSxLINES, as 120x40", geometry)
				}
			}
			return a.view(cmd.Context(), o, f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&o.Baseline, "baseline", "", "directory of a baseline to compare the runs with")
	word(cmd, (*names.Word[viewNames])(&o.View), "view", "first view")
	fs.StringVar(&o.Select, "select", "", "first selection, for example 'kind=page-reply stage=net size=4096'")
	word(cmd, (*names.Word[themes])(&o.Theme), "theme", "colours", "by the terminal's background")
	word(cmd, (*names.Word[glyphs])(&o.Glyphs), "glyphs", "characters", "by the environment")
	fs.BoolVar(&o.Findings, "findings", false, "show all findings and warnings first")
	fs.StringVar(&f.export, "export", "", "write the view to a file: "+strings.Join(tui.Formats(), ", "))
	fs.StringVar(&geometry, "geometry", "", "size of an exported picture in characters (default 120x40)")
	fs.Var(flags.Own(&f.size, "WxHmm", "a size as 85x60mm", parsePaper, paper.String), "size", "size of an exported picture on paper, with letters of 7 pt")
	return cmd
}

// cells returns the columns and lines of a picture of a size, which has to have room for the views.
func (p paper) cells() (width, height int, err error) {
	if width, height = cell.Paper(p).Cells(); width < tui.MinWidth || height < tui.MinHeight {
		return 0, 0, usagef("--size is %v, want %v or more, for letters of 7 pt", p, paper(cell.PaperOf(tui.MinWidth, tui.MinHeight)))
	}
	return width, height, nil
}

func (a *app) view(ctx context.Context, o tui.Options, f viewFlags) error {
	// Most of what is read of a long trace stays: garbage is collected earlier than usual.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	state, err := o.State(a.stdout)
	if err != nil {
		return usage(err)
	}
	width, height := f.width, f.height
	if width == 0 {
		width, height = 120, 40
	}
	if f.export != "" {
		if err := tui.CheckFormat(f.export); err != nil {
			return usage(err)
		}
		if err := tui.Load(o, state); err != nil {
			return err
		}
		state = tui.Still(state)
		state.Paper = cell.Paper(f.size)
		return a.data(f.export, func(w io.Writer) error {
			return tui.Write(w, state, width, height, f.export, f.made)
		})
	}
	return a.onTerminal(ctx, o, state)
}

// onTerminal runs the views on the terminal.
func (a *app) onTerminal(ctx context.Context, o tui.Options, state *tui.State) (err error) {
	if o.Config, err = tui.ReadConfig(); err != nil {
		return usage(err)
	}
	if err := a.begin(o); err != nil {
		return err
	}
	out, isFile := a.stdout.(*os.File)
	if !isFile || !term.IsTerminal(int(out.Fd())) || !term.IsTerminal(int(os.Stdin.Fd())) {
		return usagef("view needs a terminal; report shows a run as text, --export writes a picture")
	}
	if os.Getenv("TERM") == "dumb" {
		return a.viewOnce(o, state, out)
	}
	return tui.Run(ctx, shell{a}, o, os.Stdin, out)
}

// viewOnce prints the view once, for terminals that cannot move their cursor.
func (a *app) viewOnce(o tui.Options, s *tui.State, out *os.File) error {
	width, height, err := term.GetSize(int(out.Fd()))
	if err != nil || width < tui.MinWidth {
		width, height = 80, 24
	}
	if err := tui.Load(o, s); err != nil {
		return err
	}
	a.say("this terminal cannot move its cursor, so the view is printed once; choose its content by --view and --select")
	return tui.Write(out, tui.Still(s), width, max(height-1, tui.MinHeight), ".txt", "")
}
