package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/trace"
)

// Between measures between this host, which is node 0, and hosts with agents, HOST or HOST:PORT each. It
// returns an error if there is no host, if an agent cannot be reached or has another key, and those of
// live.Between.
func Between(ctx context.Context, spec live.Spec, key *Key, hosts []string, watch live.Watch) (*trace.Run, error) {
	if len(hosts) == 0 {
		return nil, errors.New("no host with an agent")
	}
	return live.Between(ctx, spec, len(hosts), func(peers int) ([]live.Peer, func(), error) {
		return dialAll(ctx, key, hosts[:peers])
	}, watch)
}

// LogP measures LogP parameters between this host and one with an agent, in µs. Its errors are those of Between
// and of live.LogPBetween.
func LogP(ctx context.Context, spec live.Spec, method live.Method, key *Key, host string, watch live.Watch) (*bench.LogP, error) {
	return live.LogPBetween(ctx, spec, method, func(int) ([]live.Peer, func(), error) {
		return dialAll(ctx, key, []string{host})
	}, watch)
}

// dialAll makes control connections to agents, of which host i becomes node i+1. end closes them all. After an
// error none is left open.
func dialAll(ctx context.Context, key *Key, hosts []string) (peers []live.Peer, end func(), err error) {
	var all []*remote
	end = func() {
		for _, r := range all {
			r.close()
		}
	}
	for i, host := range hosts {
		r, err := dial(ctx, key, 1+i, host, thisSide(), silence)
		if err != nil {
			end()
			return nil, nil, err
		}
		all, peers = append(all, r), append(peers, r)
	}
	if err := reachable(all); err != nil {
		end()
		return nil, nil, err
	}
	return peers, end, nil
}

// reachable refuses agents that only this host can reach beside others. Nodes send each other messages, for
// which a loopback address is no address.
func reachable(all []*remote) error {
	for _, r := range all {
		if r.Way().There.IsLoopback() != all[0].Way().There.IsLoopback() {
			return fmt.Errorf("agents %s and %s cannot reach each other: one of them has a loopback address", all[0].name, r.name)
		}
	}
	return nil
}
