package sweep

import (
	"bytes"
	"encoding/json"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// key returns the columns that say which run a row is of.
func (r item) key() trace.SweepKey {
	k := trace.SweepKey{
		Run: r.Name + "/" + rundir.SeedDir("", r.seed), Workload: r.Spec.Workload, Nodes: int64(r.Spec.Nodes),
		Uncontended: joined(r.Spec.Uncontended), Seed: int64(r.seed),
	}
	if r.Spec.Size > 0 {
		k.Size = trace.Some(r.Spec.Size)
	}
	if r.Spec.Pattern.Bytes > 0 {
		k.MessageBytes = trace.Some(int64(r.Spec.Pattern.Bytes))
	}
	return k
}

// row returns the figures of a run that has finished.
func (r item) row(run *trace.Run) trace.SweepRow {
	m := run.Manifest
	row := trace.SweepRow{
		SweepKey: r.key(), State: trace.RunFinished, EventDigest: m.EventDigest, PlatformDigest: m.Platform.Digest,
		ToolVersion: m.ToolVersion, Specification: compact(m.Spec),
		SweepCounts: trace.SweepCounts{
			Events: trace.Some(m.Events), Packets: trace.Some(m.Packets), Dropped: trace.Some(m.Lost.Dropped),
			Corrupted: trace.Some(m.Lost.Corrupted), Undetected: trace.Some(m.Lost.Undetected),
			Retransmitted: trace.Some(m.Lost.Retransmitted), Resets: trace.Some(m.Lost.Resets), NotRecorded: trace.Some(m.Lost.NotRecorded),
		},
	}
	if !m.Verified {
		row.State, row.Error = trace.RunWrong, m.Verification
	}
	var longest int64
	for _, p := range m.Tags {
		longest = max(longest, p.RunTimeNs)
	}
	row.RunTimeNs = trace.Some(longest)
	row.SweepShares = shares(m.Shares)
	for _, s := range trace.RecordedStages() {
		*row.Stage(s) = latency(run.Signature, s)
	}
	return row
}

// compact returns a JSON document without white space. It has been read as one.
func compact(doc []byte) string {
	var b bytes.Buffer
	_ = json.Compact(&b, doc)
	return b.String()
}

// shares returns the mean over processes of the shares of run time.
func shares(all []trace.Shares) (out trace.SweepShares) {
	if len(all) == 0 {
		return out
	}
	mean := func(of func(trace.Shares) int64) trace.Opt[float64] {
		var sum int64
		for _, s := range all {
			sum += of(s)
		}
		return trace.Some(float64(sum) / float64(len(all)))
	}
	return trace.SweepShares{
		ComputingNs:   mean(func(s trace.Shares) int64 { return s.ComputingNs }),
		PageWaitNs:    mean(func(s trace.Shares) int64 { return s.PageWaitNs }),
		LockNs:        mean(func(s trace.Shares) int64 { return s.LockNs }),
		BarrierNs:     mean(func(s trace.Shares) int64 { return s.BarrierNs }),
		MessagingNs:   mean(func(s trace.Shares) int64 { return s.MessagingNs }),
		MessageWaitNs: mean(func(s trace.Shares) int64 { return s.MessageWaitNs }),
		ServiceNs:     mean(func(s trace.Shares) int64 { return s.ServiceNs }),
		DescheduledNs: mean(func(s trace.Shares) int64 { return s.DescheduledNs }),
		MonitorNs:     mean(func(s trace.Shares) int64 { return s.MonitorNs }),
	}
}

// latency returns a stage's mean over all packets, and their baseline if all have one.
func latency(signature []trace.SignatureRow, stage trace.Stage) (out trace.SweepStage) {
	var count, with int64
	var mean, base float64
	for _, r := range signature {
		if r.Stage != stage || r.Kind != trace.AllKinds || r.First.OK || !r.MeanNs.OK {
			continue
		}
		count += r.Count
		mean += float64(float64(r.Count) * r.MeanNs.Value)
		if r.BaselineNs.OK {
			with += r.Count
			base += float64(float64(r.Count) * r.BaselineNs.Value)
		}
	}
	if count > 0 {
		out.MeanNs = trace.Some(mean / float64(count))
	}
	if count > 0 && with == count {
		out.BaselineNs = trace.Some(base / float64(count))
	}
	return out
}
