// Program fuzz runs the fuzz targets of the source tree one after the other, each for a number
// of executions, and writes testdata/reliability/fuzz.toml. It runs in the root of the tree.
//
//	go run ./check/reliability/fuzz --execs 1000000
//	go run ./check/reliability/fuzz --execs 1000 --only comm/ --to /tmp/fuzz.toml
//
// A target that fails leaves its input in its package's testdata/fuzz and is a finding. The
// file is written after every target. Targets that it has with so many executions and without
// a finding are not run again, so that a run that was stopped goes on. Those that were not run
// have no commit.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sigview/sigview/check/reliability"
)

// target is a fuzz function and what its run gave.
type target struct {
	dir, name string
	execs     int64
	took      time.Duration
	inputs    int    // in the corpus, those found included
	commit    string // that was run
	failure   string // last line of a finding
}

func main() {
	execs := flag.Int64("execs", 1_000_000, "executions of each target")
	only := flag.String("only", "", "targets whose FOLDER:NAME contains this")
	parallel := flag.Int("parallel", 2, "processes of a target")
	to := flag.String("to", filepath.Join("testdata", "reliability", "fuzz.toml"), "file of results")
	flag.Parse()
	if err := run(*execs, *only, *parallel, *to); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(execs int64, only string, parallel int, to string) error {
	all, err := targets(".")
	if err != nil {
		return err
	}
	had, err := results(to)
	if err != nil {
		return err
	}
	var chosen []*target
	for i := range all {
		t := &all[i]
		if old, ok := had[t.title()]; ok {
			*t = old
		}
		if strings.Contains(t.dir+":"+t.name, only) {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("no fuzz target has %q in FOLDER:NAME", only)
	}
	for _, t := range chosen {
		if t.execs >= execs && t.failure == "" {
			continue
		}
		*t = target{dir: t.dir, name: t.name}
		t.run(execs, parallel)
		fmt.Printf("%s:%s %d executions in %v %s\n", t.dir, t.name, t.execs, t.took.Round(time.Second), t.failure)
		if err := part(all, execs).Write(to); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(chosen, func(t *target) bool { return t.failure != "" }) {
		return errors.New("there are findings")
	}
	return nil
}

// results returns the targets of a file, by title. There are none without the file.
func results(file string) (map[string]target, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	p, err := reliability.Parse(file, text)
	if err != nil {
		return nil, err
	}
	all := make(map[string]target)
	for _, row := range p.Tables[0].Rows {
		var t target
		var seconds float64
		if _, err := fmt.Sscan(strings.Join(row[:5], " "), &t.dir, &t.name, &t.execs, &seconds, &t.inputs, &t.commit); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, row, err)
		}
		t.took, t.failure = time.Duration(seconds*float64(time.Second)), row[5]
		all[t.title()] = t
	}
	return all, nil
}

func (t *target) title() string { return t.dir + " " + t.name }

// row is the target in the table of results.
func (t *target) row() []string {
	return []string{t.title(), fmt.Sprint(t.execs), fmt.Sprintf("%.0f", t.took.Seconds()), fmt.Sprint(t.inputs), cmp.Or(t.commit, "-"), t.failure}
}

var function = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// targets returns the fuzz functions of a tree, by folder and name.
func targets(root string) (all []target, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "build"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			all = append(all, target{dir: filepath.ToSlash(filepath.Dir(path)), name: m[1]})
		}
		return err
	})
	return all, err
}

// run executes a target. Inputs that reach new code are hardly shortened: that takes most of
// the time of targets with long inputs.
func (t *target) run(execs int64, parallel int) {
	begin := time.Now()
	out, err := exec.Command("go", "test", "-pgo=off", "-vet=off", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", fmt.Sprintf("%dx", execs),
		"-fuzzminimizetime", "10x", "-parallel", strconv.Itoa(parallel), "-timeout", "0", "./"+t.dir).CombinedOutput()
	t.took, t.commit = time.Since(begin), reliability.Here("", "").Commit
	t.read(string(out), err)
}

var progress = regexp.MustCompile(`fuzz: elapsed: (\w+), execs: (\d+) .*\(total: (\d+)\)`)

// read takes the figures from the output of go test.
func (t *target) read(out string, err error) {
	if all := progress.FindAllStringSubmatch(out, -1); len(all) > 0 {
		last := all[len(all)-1]
		t.took, _ = time.ParseDuration(last[1])
		t.execs, _ = strconv.ParseInt(last[2], 10, 64)
		t.inputs, _ = strconv.Atoi(last[3])
	}
	if err != nil {
		t.failure = "failed: " + err.Error()
		if _, after, ok := strings.Cut(out, "Failing input written to "); ok {
			t.failure, _, _ = strings.Cut(after, "\n")
		}
	}
}

// part returns the results of targets of which each was to be executed a number of times.
func part(all []target, execs int64) reliability.Part {
	p := reliability.Here("Fuzzing", "make fuzz-long")
	p.Says = "Every decoder of packets, files and words that users write gets inputs that Go's fuzzer makes of those that reached new code. " +
		"A target of a layer lets three nodes exchange messages and changes the headers of packets on the way as an error would that the CRC does not show. " +
		"A finding is a panic, a hang, or a result that breaks what the target checks."
	least, findings, seconds := all[0].execs, 0, 0.0
	rows := reliability.Table{Title: "Targets", Columns: []string{"target", "executions", "seconds", "corpus", "commit", "finding"}}
	for _, t := range all {
		least = min(least, t.execs)
		seconds += t.took.Seconds()
		if t.failure != "" {
			findings++
		}
		rows.Rows = append(rows.Rows, t.row())
	}
	p.Figures = []reliability.Figure{
		{Name: "targets", Value: float64(len(all))},
		{Name: "executions of the target with fewest", Value: float64(least), AtLeast: reliability.Bound(1e6), Note: fmt.Sprintf("asked for %d", execs)},
		{Name: "targets with a finding", Value: float64(findings), AtMost: reliability.Bound(0)},
		{Name: "time", Value: seconds, Unit: "s"},
	}
	p.Tables = []reliability.Table{rows}
	return p
}
