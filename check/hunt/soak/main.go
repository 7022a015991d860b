// Soak tries random runs until a time or a number of cases is over, on all cores. It prints
// each finding with its seed and the smallest command that shows it, and what it has tried.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/sigview/sigview/check/hunt"
	"github.com/sigview/sigview/experiment"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	found, err := command(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	if found > 0 || err != nil {
		os.Exit(1)
	}
}

func command(ctx context.Context) (found int, err error) {
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the first case; the next ones count up")
	long := flag.Duration("for", time.Hour, "begin no case after so long")
	cases := flag.Int("cases", math.MaxInt, "try so many cases")
	shrink := flag.Bool("shrink", true, "make cases that fail smaller")
	out := flag.String("o", "", "write the counts to this file, of the page of reliability")
	flag.Parse()
	fmt.Printf("from seed %d\n", *seed)
	begin := time.Now()
	tally := hunt.NewTally()
	err = hunt.Each(ctx, hunt.Round{First: *seed, Cases: *cases, Until: begin.Add(*long)}, func(c hunt.Case) error {
		ending, findings, err := hunt.Try(ctx, c, experiment.Run)
		if err != nil {
			return err
		}
		tally.Add(c, ending, len(findings) > 0)
		if len(findings) > 0 {
			report(ctx, c, findings, *shrink)
		}
		return nil
	})
	took := time.Since(begin)
	fmt.Print(tally.Text(took))
	if err == nil && *out != "" {
		err = tally.Part(*seed, took).Write(*out)
	}
	return tally.Found(), err
}

// report prints what a case has shown, with the smallest case that shows the first of it.
func report(ctx context.Context, c hunt.Case, findings []hunt.Finding, shrink bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "\nseed %d (-seed %d -cases 1)\n", c.Seed, c.Seed)
	for _, f := range findings {
		fmt.Fprintln(&b, " ", f)
	}
	if shrink {
		c = hunt.Shrink(c, func(c hunt.Case) bool {
			_, now, err := hunt.Try(ctx, c, experiment.Run)
			return err == nil && len(now) > 0 && now[0].Check == findings[0].Check
		})
	}
	args, unsaid := c.Command()
	fmt.Fprintf(&b, "  sigview %s\n", strings.Join(args, " "))
	for _, u := range unsaid {
		fmt.Fprintln(&b, "  and", u)
	}
	if c.Schedule != "" {
		fmt.Fprintf(&b, "  the schedule:\n%s", c.Schedule)
	}
	fmt.Print(b.String())
}
