package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/check/reliability"
	"github.com/sigview/sigview/internal/atomicfile"
)

// columns of the file of outcomes.
var columns = []string{"mutant", "file", "outcome", "killed_by"}

// outcomes reads a file of outcomes, by mutant; there may be none.
func outcomes(file string) (map[string][]string, error) {
	known := map[string][]string{}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, row := range rows {
		known[row[0]] = row
	}
	return known, nil
}

// write writes the outcomes in the order of the mutants.
func write(file string, all []Mutant, known map[string][]string) error {
	rows := [][]string{columns}
	for _, m := range all {
		if row := known[m.Name]; row != nil {
			rows = append(rows, row)
		}
	}
	return atomicfile.Write(file, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// goal is the share of the mutants that have to be killed, in percent; those that no test can
// notice do not count.
const goal = 95

// report writes the figures of all outcomes.
func report(file string, all []Mutant, known map[string][]string) error {
	p := reliability.Here("Planted defects", "make mutants")
	p.Says = "Each mutant is one small defect in one place: a guard that is left out, a count that is off by one, " +
		"a wrong statistic. The tests of the packages named with it run against the changed code until one fails. " +
		"Every mutant and the test that kills it are in [testdata/mutants](../testdata/mutants)."
	counts, folders, killers := map[string]int{}, map[string][2]int{}, map[string]bool{}
	rest := [][]string{}
	for _, m := range all {
		outcome, folder := "not tried", m.File[:strings.LastIndex(m.File, "/")]
		f := folders[folder]
		f[0]++
		if row := known[m.Name]; row != nil {
			outcome = row[2]
			killers[row[3]] = true
		}
		switch counts[outcome]++; outcome {
		case killed:
			f[1]++
		default:
			rest = append(rest, []string{m.Name, outcome, m.Why})
		}
		folders[folder] = f
	}
	share := 0.0
	if n := len(all) - counts[equivalent]; n > 0 {
		share = 100 * float64(counts[killed]) / float64(n)
	}
	p.Figures = []reliability.Figure{
		{Name: "mutants", Value: float64(len(all)), AtLeast: reliability.Bound(100)},
		{Name: "killed", Value: float64(counts[killed]), Note: fmt.Sprintf("by %d tests", len(killers))},
		{Name: "killed, of those that a test can notice", Value: float64(int(10*share)) / 10, Unit: "%", AtLeast: reliability.Bound(goal)},
		{Name: "survived", Value: float64(counts[survived])},
		{Name: "equivalent: no test can notice them", Value: float64(counts[equivalent])},
		{Name: "not tried", Value: float64(counts["not tried"]), AtMost: reliability.Bound(0)},
	}
	packages := reliability.Table{Title: "Mutants by package", Columns: []string{"package", "mutants", "killed"}}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		f := folders[folder]
		packages.Rows = append(packages.Rows, []string{folder, strconv.Itoa(f[0]), strconv.Itoa(f[1])})
	}
	p.Tables = []reliability.Table{packages, {Title: "Mutants that no test killed", Columns: []string{"mutant", "outcome", "why"}, Rows: rest}}
	fmt.Printf("%d mutants, %d killed, %d survived, %d equivalent, %d not tried\n",
		len(all), counts[killed], counts[survived], counts[equivalent], counts["not tried"])
	return p.Write(file)
}
