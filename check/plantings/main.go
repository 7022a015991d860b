package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/sigview/sigview/internal/parallel"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "plantings:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context) error {
	n := flag.Int("n", 60, "plantings that matter")
	seed := flag.Uint64("seed", 1, "of all draws")
	only := flag.String("only", "", "plant only kinds whose names have this in them")
	one := flag.Int("trial", -1, "repeat this trial alone")
	keep := flag.String("keep", "", "keep the run directories in this folder")
	asJSON := flag.Bool("json", false, "print all trials as one JSON document")
	out := flag.String("o", "", "write the results to this file, of the page of reliability")
	flag.Parse()
	numbers := make([]int, *n)
	for i := range numbers {
		numbers[i] = i
	}
	if *one >= 0 {
		numbers = []int{*one}
	}
	trials, err := tryMany(ctx, numbers, *seed, *only, *keep)
	if err != nil {
		return err
	}
	if *asJSON {
		err = json.NewEncoder(os.Stdout).Encode(trials)
	} else {
		fmt.Print(text(trials))
	}
	if err == nil && *out != "" {
		err = part(trials, *n, *seed).Write(*out)
	}
	return err
}

// tryMany makes trials on all cores. Each draws from a stream of its own, so that the result does not
// depend on their order.
func tryMany(ctx context.Context, numbers []int, seed uint64, only, keep string) ([]Trial, error) {
	var from []kind
	for _, k := range kinds() {
		if strings.Contains(k.name, only) {
			from = append(from, k)
		}
	}
	if len(from) == 0 {
		return nil, fmt.Errorf("no kind has %q in its name", only)
	}
	trials := make([]Trial, len(numbers))
	return trials, parallel.Each(ctx, len(numbers), func(i int) error {
		var err error
		trials[i], err = try(ctx, from[numbers[i]%len(from)], numbers[i], seed, keep)
		return err
	})
}
