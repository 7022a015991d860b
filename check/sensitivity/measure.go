package main

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/papers"
	"github.com/sigview/sigview/papers/judge"
)

// job is a measurement of rows on changed profiles.
type job struct {
	Numbers map[string][]platform.Number // new values, by platform
	Seed    uint64
	Rows    []string
}

// outcome is what one row says.
type outcome struct {
	Value float64 // of a row with a number
	Met   bool    // the model meets the row
	Note  string  // the figures behind it
	Err   string  // why it cannot be measured
}

// outcomes are what rows say, by id.
type outcomes map[string]outcome

// measure measures the rows of a job. It changes profiles for the whole process.
func (j job) measure(ctx context.Context) (outcomes, error) {
	table, err := judge.Published()
	if err != nil {
		return nil, err
	}
	for name, numbers := range j.Numbers {
		platform.Vary(name, platform.Set("sensitivity", numbers))
	}
	rows, out := papers.Rows(j.Seed), outcomes{}
	for _, id := range j.Rows {
		row, known := table.Row(id)
		if !known {
			return nil, fmt.Errorf("no row %q", id)
		}
		out[id] = of(rows.One(ctx, row))
	}
	return out, ctx.Err()
}

// of returns the outcome of a judged row.
func of(r judge.Result, err error) outcome {
	if err != nil {
		return outcome{Err: err.Error()}
	}
	o := outcome{Met: r.Held > 0, Note: r.Note}
	if v, ok := r.Modelled.(*float64); ok && v != nil {
		o.Value = *v
	}
	return o
}
