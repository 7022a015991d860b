// Command sigview builds a cluster of nodes with modelled network interfaces,
// runs real programs on it, and shows where every packet spends its time as a
// performance signature beside the unloaded baseline.
//
// Data goes to standard output, messages and progress to standard error. Exit
// codes: 0 pass, 1 failure, 2 wrong usage, 3 a figure out of tolerance, 4
// inconclusive.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the whole program: it parses args (without the program's name), does
// what they say and returns the exit code. An interrupt cancels what is being
// done; a second one ends the process.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return newApp(stdout, stderr, realLab()).run(ctx, args)
}
