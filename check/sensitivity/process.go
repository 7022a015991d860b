package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"
)

// childArgument makes the program measure one job: from standard input, to standard
// output.
const childArgument = "measure-one-job"

// longest is how long a job may take: many times what all rows take.
const longest = 10 * time.Minute

// processes measures jobs in processes of their own, as many at a time as GOMAXPROCS says.
type processes struct {
	program, digest string // this program, and the digest of its file
	dir             string // of kept results
	free            chan struct{}
	measured, kept  atomic.Int64
}

func newProcesses(dir string) (*processes, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &processes{program: program, digest: digest(text), dir: dir, free: make(chan struct{}, runtime.GOMAXPROCS(0))}, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// measure returns the outcomes of a job, kept or measured. A process that fails or
// takes too long is the outcome of all of its rows.
func (p *processes) measure(ctx context.Context, j job) (outcomes, error) {
	order, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(p.dir, digest(append([]byte(p.digest), order...))+".json")
	text, err := os.ReadFile(file)
	if err == nil {
		p.kept.Add(1)
	} else {
		text, err = p.start(ctx, order)
	}
	out := outcomes{}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		for _, id := range j.Rows {
			out[id] = outcome{Err: err.Error()}
		}
		return out, nil
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return out, os.WriteFile(file, text, 0o644)
}

// start runs a process when a core is free, and returns what it writes.
func (p *processes) start(ctx context.Context, order []byte) ([]byte, error) {
	p.free <- struct{}{}
	defer func() { <-p.free }()
	p.measured.Add(1)
	ctx, end := context.WithTimeout(ctx, longest)
	defer end()
	child := exec.CommandContext(ctx, p.program, childArgument)
	child.Env = append(os.Environ(), "GOMAXPROCS=1")
	child.Stdin, child.Stderr = bytes.NewReader(order), &bytes.Buffer{}
	text, err := child.Output()
	if err != nil {
		first, _, _ := bytes.Cut(child.Stderr.(*bytes.Buffer).Bytes(), []byte("\n"))
		err = fmt.Errorf("%w: %s", err, first)
	}
	return text, err
}

// child measures the job on standard input.
func child(ctx context.Context) error {
	var j job
	if err := json.NewDecoder(os.Stdin).Decode(&j); err != nil {
		return err
	}
	out, err := j.measure(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}
