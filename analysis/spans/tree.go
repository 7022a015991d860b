package spans

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"

	"github.com/sigview/sigview/trace"
)

// Names of parts of time that no operation and no phase has.
const (
	outside   = "outside phases"
	computing = "computing and other"
)

// Part is a part of the run's time, summed over its instances, and what it is made of. The longest comes first;
// phases are in the order of time.
//
// Invariant after done: the parts of a phase add up to it.
type Part struct {
	Name  string
	Ns    int64
	Node  int64 // whose time it is
	Parts []*Part
}

// of returns the part of a name, which it adds if there is none.
func (p *Part) of(name string, node int64) *Part {
	for _, q := range p.Parts {
		if q.Name == name {
			return q
		}
	}
	q := &Part{Name: name, Node: node}
	p.Parts = append(p.Parts, q)
	return q
}

// tree sums up operations by program, node, phase, operation and step. An operation counts in the phase in
// which it begins. One that is part of another is in that one's steps.
//
// All phases are added first; sort then makes parts of them, and operations come after that.
type tree struct {
	phases map[place][]phase
	whole  map[trace.Tag]*Part
}

// place is a node of a program.
type place struct {
	tag  trace.Tag
	node int64
}

// phase is an instance of a phase at one node. Its part is that of all instances with its name.
type phase struct {
	trace.SpanRow
	part *Part
}

// newTree returns a tree without phases and operations.
func newTree() tree { return tree{map[place][]phase{}, map[trace.Tag]*Part{}} }

// addPhase adds an instance of a phase. It has to come before sort.
func (t *tree) addPhase(r trace.SpanRow) {
	at := place{r.Tag, r.Node}
	t.phases[at] = append(t.phases[at], phase{SpanRow: r})
}

// node returns the part of a node's program.
func (t *tree) node(at place) *Part {
	p := t.whole[at.tag]
	if p == nil {
		p = &Part{Name: "all nodes"}
		t.whole[at.tag] = p
	}
	return p.of(fmt.Sprintf("node %d", at.node), at.node)
}

// sort makes a part of each phase, once all are known.
func (t *tree) sort() {
	for at, list := range t.phases {
		slices.SortStableFunc(list, func(a, b phase) int { return cmp.Compare(a.BeginNs, b.BeginNs) })
		node := t.node(at)
		for i := range list {
			list[i].part = node.of(list[i].Name, at.node)
			list[i].part.Ns += list[i].DurationNs
		}
	}
}

// add adds the steps of one operation.
func (t *tree) add(steps []trace.StepRow) {
	at := place{steps[0].Tag, steps[0].Node}
	list := t.phases[at]
	i, found := slices.BinarySearchFunc(list, steps[0].BeginNs, func(p phase, ns int64) int { return cmp.Compare(p.BeginNs, ns) })
	// The phase before the place where one that begins then would stand.
	if !found {
		i--
	}
	var in *Part
	// Phases of a node follow each other: only the last to begin before the operation can have it.
	if i >= 0 && steps[0].BeginNs < list[i].EndNs {
		in = list[i].part
	} else {
		in = t.node(at).of(outside, at.node)
	}
	op := in.of(steps[0].Operation, at.node)
	for _, s := range steps {
		op.of(s.Step, at.node).Ns += s.DurationNs
		op.Ns += s.DurationNs
	}
}

// done completes the parts: what a phase has beyond its operations is the program's own.
// Operations that last beyond their phase, or at the same time, make it longer.
func (t *tree) done() map[trace.Tag]*Part {
	for _, all := range t.whole {
		slices.SortFunc(all.Parts, func(a, b *Part) int { return cmp.Compare(a.Node, b.Node) })
		for _, node := range all.Parts {
			for _, in := range node.Parts {
				in.settle()
				// In phases and outside of them.
				node.Ns += in.Ns
			}
			all.Ns += node.Ns
		}
	}
	return t.whole
}

// settle completes a phase.
func (p *Part) settle() {
	sum := int64(0)
	for _, op := range p.Parts {
		sum += op.Ns
		op.order()
	}
	p.order()
	// Outside of phases Ns is 0 so far, and the sum of operations is all that is known.
	if own := p.Ns - sum; own > 0 {
		p.Parts = append(p.Parts, &Part{Name: computing, Ns: own, Node: p.Node})
	}
	p.Ns = max(p.Ns, sum)
}

// order sorts parts, the longest first. Equal ones are sorted by name.
func (p *Part) order() {
	slices.SortStableFunc(p.Parts, func(a, b *Part) int { return cmp.Or(cmp.Compare(b.Ns, a.Ns), cmp.Compare(a.Name, b.Name)) })
}

// View shows a part and all that it is made of, a line each. Lines of a node have no phase, those of a phase no
// operation, those of an operation no step.
func (p *Part) View() analysis.View {
	v := analysis.Raw("node", "phase", "operation", "step", "time_us")
	// A program without operations has no parts.
	if p == nil {
		return v
	}
	for _, node := range p.Parts {
		// Each line is followed by those of its parts.
		v.Add(node.Node, "", "", "", float64(node.Ns)/1e3)
		for _, phase := range node.Parts {
			v.Add(node.Node, phase.Name, "", "", float64(phase.Ns)/1e3)
			for _, op := range phase.Parts {
				v.Add(node.Node, phase.Name, op.Name, "", float64(op.Ns)/1e3)
				for _, step := range op.Parts {
					v.Add(node.Node, phase.Name, op.Name, step.Name, float64(step.Ns)/1e3)
				}
			}
		}
	}
	return v
}
