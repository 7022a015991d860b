package live

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// result is what a run leaves, or what is known of it while it goes on.
type result struct {
	spec      Spec
	nodes     int
	took      time.Duration
	counts    []Counts // by node
	collector *Collector
	hosts     []Host
	// Both ends read the same clock, and there is no wire.
	oneHost  bool
	clocks   *Tracker // nil on one host
	lost     uint64   // probes
	spoilt   error    // why its times are wrong, or nil
	underWay bool     // it has not ended
}

// tables makes the tables of a run. It returns an error if the temporary file of packets cannot be read. Of a
// run that has not ended there is no table of single messages.
func tables(r result) (*trace.Run, error) {
	missing, packets := r.collector.now(), r.collector.packets
	// The joiner of packets is still written to.
	if r.underWay {
		packets, r.spoilt = nil, errUnderWay
	} else {
		var err error
		if missing, err = r.collector.end(); err != nil {
			return nil, err
		}
	}
	spec, err := json.Marshal(r.spec)
	if err != nil {
		return nil, err
	}
	platform, err := json.MarshalIndent(r.hosts, "", "  ")
	if err != nil {
		return nil, err
	}
	records := collect.Records{
		Manifest: trace.Manifest{
			Seed: r.spec.Seed, Workload: string(r.spec.Pattern), Detail: trace.DetailLive, Nodes: r.nodes, Spec: spec,
			Platform: trace.Platform{Name: WordsOf(r.hosts), Digest: DigestOf(r.hosts...)},
			Began:    time.Unix(0, r.collector.origin).UTC(), SimulatedNs: r.took.Nanoseconds(), Stamps: r.collector.stamps(), Warnings: append(r.warnings(), missing.warnings()...),
		},
		Packets: packets,
	}
	if records.Histograms, err = r.collector.Histograms(); err != nil {
		return nil, err
	}
	// Messages that are in no table, each for one reason.
	records.Manifest.Lost.NotRecorded = int64(missing.Sched + missing.Hand + missing.Kernel + missing.Card + missing.Ends)
	if records.Nodes, records.Manifest.Lost.Dropped = r.nodeRecords(); r.underWay {
		records.Nodes = r.collector.recorded() // nodes tell their own counts at the end
	}
	records.Programs = []collect.Program{{Name: string(r.spec.Pattern), TookNs: r.took.Nanoseconds(), How: r.verification(records.Manifest.Lost.Dropped), Wrong: r.spoilt}}
	r.addClocks(&records)
	run, err := collect.Run(records)
	if err != nil {
		return nil, err
	}
	run.Extra = append(run.Extra, trace.Extra{Name: trace.PlatformFile, Data: append(platform, '\n')})
	return run, r.addConnections(run)
}

// errUnderWay is the result of a run that has not ended.
var errUnderWay = errors.New("the measurement has not ended")

// addClocks adds what is known of the clocks of other hosts.
func (r *result) addClocks(to *collect.Records) {
	if r.clocks != nil {
		r.clocks.enter(to, r.collector.origin)
	}
}

// tcpFile is the name of the document with what kernels say of TCP connections.
const tcpFile = "tcp.json"

// addConnections adds what kernels say of TCP connections as a document of its own. Runs over UDP have none.
func (r *result) addConnections(run *trace.Run) error {
	var all []Connection
	for _, c := range r.counts {
		all = append(all, c.TCP...)
	}
	if all == nil {
		return nil
	}
	text, err := json.MarshalIndent(all, "", "  ")
	run.Extra = append(run.Extra, trace.Extra{Name: tcpFile, Data: append(text, '\n')})
	return err
}

// WordsOf describes the hosts of a run in words.
func WordsOf(hosts []Host) string {
	if len(hosts) == 1 {
		return hosts[0].Words()
	}
	return fmt.Sprintf("%s and %d more", hosts[0].Words(), len(hosts)-1)
}

// Words names a host with its system and its interface, if there is one.
func (h Host) Words() string {
	return strings.TrimSuffix(fmt.Sprintf("%s, %s, %s", h.Name, h.System, h.Interface), ", ")
}

// DigestOf returns the digest of the description of hosts.
func DigestOf(hosts ...Host) string {
	text, err := json.Marshal(hosts)
	if err != nil {
		panic("live: " + err.Error())
	}
	digest := sha256.Sum256(text)
	// 64 bits tell hosts apart well enough.
	return hex.EncodeToString(digest[:8])
}

// nodeRecords returns the counts of nodes and the number of messages that did not come.
func (r *result) nodeRecords() (nodes []collect.Node, lost int64) {
	for from, c := range r.counts {
		var sent uint64
		for to, n := range c.Sent {
			sent += n
			// A network may double messages: more received than sent is no loss.
			lost += int64(n - min(n, r.counts[to].Received[from]))
		}
		n := collect.Node{Packets: sent}
		for _, t := range c.TCP {
			// Segments of streams, not messages: a segment may hold several or a part of one.
			n.Retransmitted += uint64(t.Again)
		}
		nodes = append(nodes, n)
	}
	return nodes, lost
}

// verification says how the results were checked: by counts of both ends.
func (r *result) verification(lost int64) string {
	if lost > 0 {
		return fmt.Sprintf("%d messages did not come", lost)
	}
	return "all messages have come"
}

// warnings says what this run cannot tell and what was wrong with it. Loss itself is in the manifest's counts.
func (r *result) warnings() (out []string) {
	if r.oneHost {
		out = append(out, "both ends are on one host: there is no wire, and Net is the time from the driver until the receiver's kernel runs, on one clock")
	}
	if r.clocks != nil {
		out = append(out, r.clocks.warning())
	}
	out = append(out, r.collector.cardless()...)
	for node, h := range r.hosts {
		switch {
		case h.CardStamps == stamps.CardOff:
			out = append(out, fmt.Sprintf("the card of node %d can stamp all messages, but has not been told to (hwtstamp_ctl)", node))
		case h.CardStamps == stamps.CardOn && r.collector.silent(node):
			out = append(out, fmt.Sprintf("the card of node %d has been told to stamp all messages, but its stamps do not come: those of its driver and its kernel are used", node))
		}
	}
	out = append(out, r.spec.schedule.warnings()...)
	if r.lost > 0 {
		out = append(out, lostProbes(r.lost))
	}
	for node, c := range r.counts {
		if c.Foreign > 0 {
			out = append(out, fmt.Sprintf("node %d got %d messages that were none of the run", node, c.Foreign))
		}
		if c.Full > 0 {
			out = append(out, fmt.Sprintf("%d messages, those before the measurement included, came to node %d and found its socket full: its program was late", c.Full, node))
		}
		if c.WaitedNs > 0 {
			out = append(out, fmt.Sprintf("threads of node %d waited %v until node 0 took their records: their messages are late by that", node, time.Duration(c.WaitedNs)))
		}
	}
	return out
}
