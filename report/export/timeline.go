package export

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sigview/sigview/report/export/perfetto"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// timeline returns the trace of a run that has packets or operations.
func (s Spec) timeline(ctx context.Context, m trace.Manifest) ([]rundir.Part, error) {
	if !hasTable[trace.PacketRow](m) && !hasTable[trace.SpanRow](m) {
		return nil, fmt.Errorf("trace of %s: %w: record it with sigview run --trace", s.Dir, errNothing)
	}
	return single(func(w io.Writer) error { _, err := writeTimeline(ctx, s.Dir, m, w); return err }), nil
}

// writeTimeline writes the trace of a run. It returns the time of the run that is 0 in the trace.
func writeTimeline(ctx context.Context, dir string, m trace.Manifest, w io.Writer) (from int64, err error) {
	t := timeline{dir: dir, w: perfetto.New(w), m: m, pieces: newPieces()}
	if err := t.write(ctx); err != nil {
		return 0, err
	}
	return t.from, t.w.Err()
}

func (t *timeline) write(ctx context.Context) error {
	spans, steps, err := t.operations(ctx)
	if err != nil {
		return err
	}
	if err := t.earliest(ctx, spans); err != nil {
		return err
	}
	t.describe()
	for _, collect := range []func(context.Context) error{t.packets, t.engines} {
		if err := collect(ctx); err != nil && !errors.Is(err, rundir.ErrNoTable) {
			return err
		}
	}
	newForest(spans, steps).write(t)
	if err := t.pieces.write(t); err != nil {
		return err
	}
	if t.w.Slices() == 0 {
		return fmt.Errorf("trace of %s: %w: of no packet there are two times", t.dir, errNothing)
	}
	return nil
}

// operations reads the operations and their steps.
func (t *timeline) operations(ctx context.Context) (spans []trace.SpanRow, steps []trace.StepRow, err error) {
	err = scan(ctx, t.dir, func(rows []trace.SpanRow) error { spans = append(spans, rows...); return nil })
	if err == nil {
		err = scan(ctx, t.dir, func(rows []trace.StepRow) error { steps = append(steps, rows...); return nil })
	}
	if errors.Is(err, rundir.ErrNoTable) {
		err = nil
	}
	for _, s := range spans {
		if s.Node >= int64(t.m.Nodes) {
			return nil, nil, fmt.Errorf("table spans: node %d, wanted one of %d", s.Node, t.m.Nodes)
		}
	}
	return spans, steps, err
}

// earliest finds the earliest instant of the trace, 0 if none is before.
func (t *timeline) earliest(ctx context.Context, spans []trace.SpanRow) error {
	for _, s := range spans {
		t.from = min(t.from, s.BeginNs)
	}
	err := scan(ctx, t.dir, func(rows []trace.PacketRow) error {
		for i := range rows {
			first, _ := rows[i].Extent()
			t.from = min(t.from, first)
		}
		return nil
	})
	if err == nil || errors.Is(err, rundir.ErrNoTable) {
		err = scan(ctx, t.dir, func(rows []trace.ActorRow) error {
			for _, r := range rows {
				t.from = min(t.from, nanoseconds(r.BeginPs))
			}
			return nil
		})
	}
	if errors.Is(err, rundir.ErrNoTable) {
		return nil
	}
	return err
}

// packets adds the stages of packets: Source and LANai at the sender, Dest at the receiver,
// with a flow through them. Of those that were stamped on the wire only it adds Net.
func (t *timeline) packets(ctx context.Context) error {
	return scan(ctx, t.dir, func(rows []trace.PacketRow) error {
		for i := range rows {
			t.packet(&rows[i])
		}
		return nil
	})
}

func (t *timeline) packet(r *trace.PacketRow) {
	p := piece{
		Name: t.pieces.name(r.Kind), Tag: r.Tag, Number: r.Number, Span: r.Span, Size: r.SizeBytes, Sender: int32(r.Sender), Receiver: int32(r.Receiver),
		Flow: perfetto.Flow(uint64(r.Sender+1)<<40 | uint64(r.Number)), What: aPacket, First: true,
	}
	add := func(node int64, row int32, from, inner, to trace.Opt[int64]) {
		if !from.OK || !to.OK {
			return
		}
		x := p
		x.Node, x.Row, x.Begin, x.End, x.Inner = int32(node), row, t.at(from.Value), t.at(to.Value), -1
		if inner.OK {
			x.Inner = t.at(inner.Value)
		}
		t.pieces.add(x)
		p.First = false
	}
	add(r.Sender, rowSource, r.T1Ns, r.TakenNs, r.T2Ns)
	add(r.Sender, rowLANai, r.T2Ns, r.T3Ns, r.T4Ns)
	if !r.T1Ns.OK && !r.T6Ns.OK {
		p.Flow, p.Net = 0, r.NetNs.Value
		add(r.Sender, rowNet, r.T3Ns, trace.Opt[int64]{}, r.T5Ns)
	}
	p.Last = true
	add(r.Receiver, rowDest, r.T5Ns, trace.Opt[int64]{}, r.T6Ns)
}

// engines adds the service of each engine. Actors are read first, for their names.
func (t *timeline) engines(ctx context.Context) error {
	names := make([]int32, 1) // by actor, from 1
	err := scan(ctx, t.dir, func(rows []trace.ActorRow) error {
		for _, r := range rows {
			if r.Actor != int64(len(names)) {
				return fmt.Errorf("table actors: actor %d, wanted %d", r.Actor, len(names))
			}
			names = append(names, t.pieces.name(actorName(r)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return scan(ctx, t.dir, func(rows []trace.WaitRow) error {
		for _, r := range rows {
			if r.What != waits.Service.String() {
				continue
			}
			resource, err := waits.ParseResource(r.Resource)
			if err != nil {
				return err
			}
			if r.Actor >= int64(len(names)) {
				return fmt.Errorf("table waits: actor %d, wanted one of the %d of table actors", r.Actor, len(names)-1)
			}
			t.pieces.add(piece{
				Name: names[r.Actor], Node: int32(r.Instance), Row: rowEngines + int32(resource), What: aService, Actor: r.Actor,
				Begin: t.at(nanoseconds(r.BeginPs)), End: t.at(nanoseconds(r.EndPs)), Inner: -1,
			})
		}
		return nil
	})
}

func actorName(r trace.ActorRow) string {
	if r.Name != "" {
		return r.Name
	}
	return r.Kind
}
