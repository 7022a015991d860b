// Rounds runs random programs on every layer under faults, and random schedules of shared
// memory, until a number of each is reached. It prints every finding with the seed that
// repeats it, and writes the figures into testdata/reliability.
//
// Files, in reading order:
//   - main.go: flags and findings
//   - tally.go: counts by layer and by fault
//   - workers.go: runs side by side
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/sigview/sigview/testbed/history"
)

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "the first seed")
	flag.IntVar(&o.runs, "runs", 100_000, "`number` of runs of layers")
	flag.IntVar(&o.workers, "j", runtime.NumCPU(), "runs side by side")
	layer := flag.String("layer", "", "only this layer")
	on := flag.String("platform", "", "only this platform")
	faults := flag.String("faults", "", "only this sort of `faults`")
	out := flag.String("out", "", "the results' `file`, such as testdata/reliability/history.toml")
	flag.Parse()
	if err := o.narrow(*layer, *on, *faults); err != nil {
		fmt.Fprintln(os.Stderr, "rounds:", err)
		os.Exit(2)
	}
	begin := time.Now()
	t := o.run(func(c done) {
		fmt.Printf("go run ./testbed/history/rounds -runs 1 -layer %s -platform %s -faults %q -seed %d\n", c.at.Layer, c.at.On, c.sort, c.seed)
		for _, f := range c.out.Findings {
			fmt.Println("\t" + strings.ReplaceAll(f, "\n", "\n\t"))
		}
	})
	t.seconds = time.Since(begin).Seconds()
	fmt.Println(t)
	if *out != "" {
		if err := t.part().Write(*out); err != nil {
			fmt.Fprintln(os.Stderr, "rounds:", err)
			os.Exit(1)
		}
	}
	if t.total.findings > 0 {
		os.Exit(1)
	}
}

// options are what is run.
type options struct {
	seed    uint64
	runs    int
	workers int
	places  []history.Place
	sorts   []history.Faults
}

// narrow keeps the places and the faults that are asked for; "" is all.
func (o *options) narrow(layer, on, faults string) error {
	all, err := history.Places()
	if err != nil {
		return err
	}
	for _, p := range all {
		if (layer == "" || p.Layer == layer) && (on == "" || p.On == on) {
			o.places = append(o.places, p)
		}
	}
	if len(o.places) == 0 {
		return fmt.Errorf("no platform %q has layer %q", on, layer)
	}
	words := history.FaultWords()
	if faults != "" {
		if err := words.Check(faults); err != nil {
			return err
		}
	}
	for i, name := range words.Names() {
		if faults == "" || faults == name {
			o.sorts = append(o.sorts, history.Faults(i))
		}
	}
	return nil
}
