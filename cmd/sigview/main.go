package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/sigview/sigview/cmd/sigview/internal/silent"
	"github.com/sigview/sigview/internal/hugepages"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// collectAt is by how many percent the heap grows before garbage is collected. Large runs
// make little garbage, so half of Go's own value costs no time and saves a fifth of their memory.
const collectAt = 50

// run is the whole program: it parses args (without the program's name), runs
// the command and returns the exit code. An interrupt cancels the command; a
// second one ends the process.
func run(args []string, stdout, stderr io.Writer) int {
	silent.Over()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	defer hugepages.Follow()()
	return newApp(stdout, stderr, realLab()).run(ctx, args)
}
