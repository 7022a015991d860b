package main

import (
	"context"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/agent"
	"github.com/sigview/sigview/trace"
)

// liveSpec is a specification as commands check it.
type liveSpec struct {
	live.Spec
	peers []string
	key   string // file
}

// Validate checks it. It needs nothing of the model.
func (s liveSpec) Validate(experiment.Catalogue) error { return s.Spec.Validate() }

// runLive measures, with the progress of an experiment.
func runLive(ctx context.Context, spec liveSpec, watch experiment.Watch) (*trace.Run, error) {
	report := func(p live.Progress) {
		watch.Report(experiment.Progress{
			Stage: string(spec.Pattern), Done: p.Done, Total: p.Total, Unit: "messages", Packets: p.Done, Look: p.Look,
		})
	}
	if len(spec.peers) == 0 {
		return live.Loopback(ctx, spec.Spec, report)
	}
	key, err := agent.ReadKey(spec.key)
	if err != nil {
		return nil, err
	}
	return agent.Between(ctx, spec.Spec, key, spec.peers, report)
}

// liveLogP asks for LogP parameters.
type liveLogP struct {
	liveSpec
	method live.Method
}

func runLiveLogP(ctx context.Context, spec liveLogP, watch experiment.Watch) (*bench.LogP, error) {
	report := func(p live.Progress) {
		watch.Report(experiment.Progress{Stage: "LogP by " + string(spec.method), Done: p.Done, Total: p.Total, Unit: "sizes"})
	}
	if len(spec.peers) == 0 {
		return live.LogP(ctx, spec.Spec, spec.method, report)
	}
	key, err := agent.ReadKey(spec.key)
	if err != nil {
		return nil, err
	}
	return agent.LogP(ctx, spec.Spec, spec.method, key, spec.peers[0], report)
}
