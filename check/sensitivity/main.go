package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/papers/judge"
)

// Files that a study of all platforms writes.
const (
	keptDir    = "build/sensitivity"
	allFile    = "build/sensitivity.csv"
	hingesFile = "testdata/sensitivity.csv"
	pageFile   = "docs/validation/sensitivity.md"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if slices.Contains(os.Args[1:], childArgument) {
		err = child(ctx)
	} else {
		err = command(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sensitivity:", err)
		os.Exit(1)
	}
}

// command studies the platforms that the flags name.
func command(ctx context.Context) error {
	everyPlatform := strings.Join(published(), ",")
	names := flag.String("platform", everyPlatform, "platforms, separated by commas")
	only := flag.String("only", "", "only numbers whose path starts with this")
	part := flag.String("rows", "", "only rows whose id starts with this")
	without := flag.String("without", "", "tables of profiles that are not studied, such as ppro.fm, separated by commas; the page names them")
	flag.Parse()
	processes, err := newProcesses(keptDir)
	if err != nil {
		return err
	}
	rows, err := watched(*part)
	if err != nil {
		return err
	}
	out := strings.FieldsFunc(*without, func(r rune) bool { return r == ',' })
	wanted := func(name string, n platform.Number) bool {
		return strings.HasPrefix(n.Path, *only) && !slices.Contains(out, name+"."+topTable(n))
	}
	var reports []report
	for _, name := range strings.Split(*names, ",") {
		begin := time.Now()
		r, err := studied(ctx, processes.measure, name, wanted, rows)
		if err != nil {
			return err
		}
		reports = append(reports, r)
		fmt.Fprintf(os.Stderr, "%s: %d of %d numbers change something; %.0f s, in all %d measurements and %d kept ones\n",
			name, len(r.findings), r.numbers, time.Since(begin).Seconds(), processes.measured.Load(), processes.kept.Load())
	}
	var page bytes.Buffer
	writePage(&page, rows, reports, out)
	if *part+*only != "" || *names != everyPlatform {
		_, err := os.Stdout.Write(page.Bytes())
		return err
	}
	for file, text := range map[string][]byte{pageFile: page.Bytes(), allFile: everything(reports), hingesFile: hinges(rows, reports)} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// studied studies the wanted assumed numbers of a platform, without those that a
// sister before it in the alphabet has too.
func studied(ctx context.Context, measure meter, name string, wanted func(name string, n platform.Number) bool, rows []judge.Row) (report, error) {
	all, err := machines(name)
	if err != nil {
		return report{}, err
	}
	numbers := slices.DeleteFunc(slices.Clone(all[0].assumed), func(n platform.Number) bool {
		return slices.Min(sharing(all, n)) < name || !wanted(name, n)
	})
	s, err := run(ctx, measure, all, numbers, on(name, rows))
	return report{platform: name, numbers: len(numbers), study: s}, err
}
