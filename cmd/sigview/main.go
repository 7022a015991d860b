package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/sigview/sigview/cmd/sigview/internal/silent"
	_ "github.com/sigview/sigview/internal/firstheap"
	"github.com/sigview/sigview/internal/largeheap"
	"github.com/sigview/sigview/live/watch"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program: it parses args (without the program's name), runs
// the command and returns the exit code. An interrupt cancels the command; a
// second one ends the process.
func run(args []string, stdout, stderr io.Writer) int {
	silent.Over()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	defer largeheap.Follow()()
	a := newApp(stdout, stderr)
	a.giveUp = watch.GiveUpRights
	return a.run(ctx, args)
}
