package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/cmd/sigview/internal/folder"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/page"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) serveCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "serve [FOLDER]",
		Short: "Serve the runs of a folder as pages, to browsers of this host",
		Long: `Serves the runs, sets of runs, sweeps and measurements of a folder (default:
sigview-runs) as the pages of sigview report --format page, and what changed between a run
and the one before it that did the same work on the same platform. Runs that have not ended
are shown as they grow. Nothing can be changed there.

The address that it prints has a token in it: who has it can read all of the folder.
It listens on this host alone unless --listen says otherwise, and serves until it is interrupted.`,
		Example: `  sigview serve
  sigview serve results --listen 127.0.0.1:8080`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := runsFolder
			if len(args) > 0 {
				dir = args[0]
			}
			if _, err := folder.Read(dir); err != nil {
				return err
			}
			l, err := (&net.ListenConfig{}).Listen(cmd.Context(), "tcp", address)
			if err != nil {
				return usagef("--listen is %q, want HOST:PORT where nothing else listens: %v", address, err)
			}
			s := server{app: a, dir: dir, token: rand.Text()}
			fmt.Fprintf(a.stdout, "http://%s/%s/\n", l.Addr(), s.token)
			return s.serve(cmd.Context(), l)
		},
	}
	cmd.Flags().StringVar(&address, "listen", "127.0.0.1:0", "HOST:PORT; port 0 is a free one")
	return cmd
}

// server serves a folder.
type server struct {
	app        *app
	dir, token string
}

// patience is how long a client may take to ask. A page of a long run takes a while to be made.
const patience = 10 * time.Second

// serve answers until the context ends.
func (s server) serve(ctx context.Context, l net.Listener) error {
	h := http.Server{Handler: s, ReadTimeout: patience, MaxHeaderBytes: 1 << 14}
	stop := context.AfterFunc(ctx, func() { _ = h.Close() })
	defer stop()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP implements http.Handler. Without the token nothing is there.
func (s server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	token, path, ok := strings.Cut(strings.TrimPrefix(q.URL.Path, "/"), "/")
	if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		http.NotFound(w, q)
		return
	}
	if q.Method != http.MethodGet && q.Method != http.MethodHead {
		http.Error(w, "only read", http.StatusMethodNotAllowed)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer") // the token is in the address
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	var b answer
	err := s.page(&b, path)
	switch {
	case errors.Is(err, errNoPage):
		http.NotFound(w, q)
	case err != nil:
		header.Set("Content-Type", "text/plain; charset=utf-8")
		http.Error(w, message(err), http.StatusInternalServerError)
	case b.elsewhere != "":
		header.Set("Location", b.elsewhere)
		w.WriteHeader(http.StatusSeeOther)
	default:
		_, _ = w.Write([]byte(b.String())) // a client that is gone needs none
	}
}

// answer is a page.
type answer struct {
	strings.Builder
	elsewhere string // where it is now, in place of a page
}

// How often browsers ask again for what is still being made, in seconds.
const listEvery, runEvery = 2, 10

var errNoPage = errors.New("no such page")

// page writes the page at a path: the list, "run/NAME", "run/NAME/MEMBER" of a set or a sweep, "diff/A/B", or "so-far/TEMP"
// of a run that is being made. Names are those of lists, so that no path leads out of the folder.
func (s server) page(b *answer, path string) error {
	all, err := folder.Read(s.dir)
	if err != nil {
		return err
	}
	unfinished, err := rundir.ReadUnfinished(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := func(name string) bool {
		return slices.ContainsFunc(all, func(x folder.Entry) bool { return x.Name == name })
	}
	parts := strings.Split(path, "/")
	switch {
	case path == "":
		return page.WriteList(b, s.list(all, unfinished))
	case len(parts) == 2 && parts[0] == "so-far":
		return s.soFar(b, parts[1], unfinished, known)
	case len(parts) < 2 || !known(parts[1]):
		return errNoPage
	case parts[0] == "run":
		dir, ok := filepath.Join(s.dir, parts[1]), true
		for _, name := range parts[2:] {
			if dir, ok = inside(dir, name); !ok {
				return errNoPage
			}
		}
		return s.run(b, dir)
	case parts[0] == "diff" && len(parts) == 3 && known(parts[2]):
		return s.diff(b, parts[1], parts[2])
	}
	return errNoPage
}

// list is the table of a folder: what is being made, then the newest first. A run leads to what changed since the one before it that did
// the same work on the same platform.
func (s server) list(all []folder.Entry, unfinished []rundir.Unfinished) page.List {
	l := page.List{Title: "Runs in " + s.dir, Heads: append(slices.Clone(folder.Headings), "what changed"), Note: "sigview serve " + s.dir}
	for _, u := range unfinished {
		if u.Running {
			l.Again = listEvery
		}
		x := folder.Entry{Name: u.Name, Verdict: state(u)}
		if u.SoFar != "" {
			x.Manifest, _ = rundir.ReadManifest(u.SoFar) // it may just have been replaced
		}
		row := cells(x)
		if x.Manifest.Workload != "" {
			row[0].To = at("so-far", u.Temp)
			row[slices.Index(folder.Headings, "run time")] = page.Link{} // not known yet
		}
		l.Rows = append(l.Rows, append(row, page.Link{}))
	}
	for i, x := range all {
		row := cells(x)
		row[0].To = at("run", x.Name)
		before := slices.IndexFunc(all[i+1:], func(y folder.Entry) bool {
			return x.Manifest.Workload != "" && y.Manifest.Platform.Name == x.Manifest.Platform.Name &&
				len(compare.Unlike(analysis.Differs(x.Manifest, y.Manifest), experiment.Work())) == 0
		})
		var change page.Link
		if before >= 0 {
			a := all[i+1+before].Name
			change = page.Link{Text: "since " + a, To: at("diff", a, x.Name)}
		}
		l.Rows = append(l.Rows, append(row, change))
		members, err := rundir.Members(x.Dir)
		if err != nil {
			continue
		}
		for _, m := range members {
			name := filepath.Base(m)
			row := make([]page.Link, len(l.Heads))
			row[0] = page.Link{Text: x.Name + "/" + name, To: at("run", x.Name, name)}
			l.Rows = append(l.Rows, row)
		}
	}
	return l
}

// at is the address of a page, relative to that of the list.
func at(parts ...string) string {
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// cells are the columns of a directory as texts that lead nowhere.
func cells(x folder.Entry) (row []page.Link) {
	for _, text := range x.Cells() {
		row = append(row, page.Link{Text: text})
	}
	return row
}

// state says how far a directory is.
func state(u rundir.Unfinished) string {
	text := "running"
	if !u.Running {
		text = "unfinished, its process is gone"
	}
	if u.Share != nil {
		text += fmt.Sprintf(", %.0f %%", 100**u.Share)
	}
	text += ": " + u.Text
	if u.Running && u.Left != "" {
		text += ", about " + u.Left + " left"
	}
	return text
}

// soFar writes the page of a run as it stands, which browsers ask for again. When the run has ended they get its own page.
func (s server) soFar(b *answer, temp string, unfinished []rundir.Unfinished, known func(string) bool) error {
	i := slices.IndexFunc(unfinished, func(u rundir.Unfinished) bool { return u.Temp == temp })
	if name := rundir.NameOf(temp); i < 0 && known(name) {
		b.elsewhere = at("..", "run", name)
		return nil
	}
	if i < 0 || unfinished[i].SoFar == "" {
		return errNoPage
	}
	run, err := explain.ReadSummary(unfinished[i].SoFar)
	switch {
	case err != nil:
		return err
	case unfinished[i].Running:
		return page.WriteUnfinished(b, &run, runEvery)
	}
	return page.Write(b, &run)
}

// inside returns the directory of that name in a set or a sweep.
func inside(dir, name string) (string, bool) {
	if !rundir.IsSweep(dir) {
		members, err := rundir.Members(dir)
		member := filepath.Join(dir, name)
		return member, err == nil && slices.Contains(members, member)
	}
	all, err := os.ReadDir(sweep.RunsOf(dir, ""))
	return sweep.RunsOf(dir, name), err == nil && slices.ContainsFunc(all, func(e fs.DirEntry) bool { return e.Name() == name })
}

// run writes the page of a directory. That of a sweep leads to those of its runs.
func (s server) run(b *answer, dir string) error {
	if rundir.IsSweep(dir) {
		x, err := readSweep(dir, func(runs string) report.Lead {
			return report.Lead{Text: "their page", To: at(filepath.Base(dir), runs)}
		})
		if err != nil {
			return err
		}
		return page.WriteDocument(b, x)
	}
	x, err := s.app.readReport(dir, "")
	if err != nil {
		return err
	}
	return x.print(b, formatPage, report.Style{})
}

// diff writes the page of what sigview diff says.
func (s server) diff(b *answer, first, second string) error {
	d, err := newDiffFlags().compared(filepath.Join(s.dir, first), filepath.Join(s.dir, second))
	if err != nil {
		return err
	}
	d.Link = s.link
	return page.WriteDocument(b, d)
}

// link is the address, from the page of a comparison, of the page that shows what the timeline selects in a run.
func (s server) link(dir, selection string) string {
	name, err := filepath.Rel(s.dir, dir)
	if err != nil {
		return ""
	}
	to := url.URL{Path: "../../run/" + filepath.ToSlash(name)}
	return to.String() + "#select=" + url.QueryEscape(selection)
}
