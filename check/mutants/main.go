package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync"

	"github.com/sigview/sigview/internal/parallel"
)

func main() {
	only := flag.String("only", "", "try only mutants whose name or file matches")
	outcome := flag.String("outcomes", "testdata/mutants/outcomes.csv", "file of outcomes; those of mutants that are not tried stay")
	result := flag.String("o", "testdata/reliability/mutants.toml", "file of the figures")
	flag.Parse()
	if err := tryAll(*only, *outcome, *result); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// tryAll tries the chosen mutants, and writes each outcome and in the end the figures of all.
func tryAll(only, file, result string) error {
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
	var failed error
	err = parallel.Each(context.Background(), len(chosen), func(i int) error {
		m := chosen[i]
		outcome, by, err := m.try(root)
		lock.Lock()
		defer lock.Unlock()
		if err == nil {
			known[m.Name] = []string{m.Name, m.File, outcome, by}
			fmt.Printf("%s: %s %s\n", m.Name, outcome, by)
			err = write(file, all, known)
		}
		failed = errors.Join(failed, err) // the others are tried all the same
		return nil
	})
	return errors.Join(err, failed, report(result, all, known))
}

// sound checks that the tests pass without any mutant.
func sound(root string, chosen []Mutant) error {
	done := map[string]bool{}
	for _, m := range chosen {
		for _, p := range m.Tests {
			if key := p + " " + m.Run; !done[key] {
				done[key] = true
				test, err := run(root, p, m.Run)
				switch {
				case err != nil:
					return err
				case test != "":
					return fmt.Errorf("%s of %s fails without a mutant", test, p)
				}
			}
		}
	}
	return nil
}
