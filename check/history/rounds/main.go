package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "the first seed")
	flag.IntVar(&o.runs, "runs", 100_000, "`number` of runs of layers")
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
	t, err := o.run(func(c done) {
		fmt.Printf("go run ./check/history/rounds -runs 1 -layer %s -platform %s -faults %q -seed %d\n", c.at.Layer, c.at.Name, c.sort, c.seed)
		for _, f := range c.out.Findings {
			fmt.Println("\t" + strings.ReplaceAll(f, "\n", "\n\t"))
		}
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "rounds:", err)
		os.Exit(1)
	}
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
