package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"sync"

	"github.com/sigview/sigview/internal/atomicfile"
)

func main() {
	only := flag.String("only", "", "try only mutants whose name or file matches")
	workers := flag.Int("j", 2, "mutants at a time")
	result := flag.String("o", "testdata/reliability/mutants.csv", "file of outcomes; those of mutants that are not tried stay")
	flag.Parse()
	if err := tryAll(*only, *workers, *result); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// columns of the file of outcomes.
var columns = []string{"mutant", "file", "outcome", "killed_by"}

// tryAll tries the chosen mutants and writes the outcomes of all. An error says how many survived.
func tryAll(only string, workers int, file string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	choose, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	all, err := read("testdata/mutants")
	if err != nil {
		return err
	}
	known, err := outcomes(file)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(m Mutant) bool {
		return !choose.MatchString(m.Name) && !choose.MatchString(m.File)
	})
	if err := sound(root, chosen); err != nil {
		return err
	}
	var lock sync.Mutex
	var group sync.WaitGroup
	var failed error
	turn := make(chan Mutant)
	for range workers {
		group.Go(func() {
			for m := range turn {
				outcome, by, err := m.try(root)
				lock.Lock()
				failed = errors.Join(failed, err)
				if err == nil {
					known[m.Name] = []string{m.Name, m.File, outcome, by}
					fmt.Printf("%s: %s %s\n", m.Name, outcome, by)
				}
				lock.Unlock()
			}
		})
	}
	for _, m := range chosen {
		turn <- m
	}
	close(turn)
	group.Wait()
	return errors.Join(failed, write(file, all, known))
}

// sound checks that the tests pass without any mutant.
func sound(root string, chosen []Mutant) error {
	done := map[string]bool{}
	for _, m := range chosen {
		for _, p := range m.Tests {
			if key := p + " " + m.Run; !done[key] {
				done[key] = true
				if test, err := run(root, p, m.Run); err != nil || test != "" {
					return fmt.Errorf("%s %s fails without a mutant: %w", p, test, err)
				}
			}
		}
	}
	return nil
}

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

// write writes the outcomes in the order of the mutants. It fails if one survived or was
// never tried.
func write(file string, all []Mutant, known map[string][]string) error {
	counts := map[string]int{}
	rows := [][]string{columns}
	for _, m := range all {
		row := known[m.Name]
		if row == nil {
			counts["not tried"]++
			continue
		}
		counts[row[2]]++
		rows = append(rows, row)
	}
	if err := atomicfile.Write(file, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) }); err != nil {
		return err
	}
	fmt.Printf("%d mutants: %d killed, %d survived, %d equivalent, %d not tried\n",
		len(all), counts[killed], counts[survived], counts[equivalent], counts["not tried"])
	if left := counts[survived] + counts["not tried"]; left > 0 {
		return fmt.Errorf("%d mutants survived or were not tried", left)
	}
	return nil
}
