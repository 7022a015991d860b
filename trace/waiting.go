package trace

import "fmt"

// ActorRow is one actor: a packet, a process, or work that an interface does of its own
// accord. Times are the simulation's, since recording began: no monitor could record this
// table.
type ActorRow struct {
	Actor   int64  `col:"actor" range:"1.." doc:"number of the actor, from 1"`
	Type    string `col:"type" named:"yes" doc:"packet, control, process, handler or task"`
	Tag     Tag    `col:"tag" doc:"its program"`
	Kind    string `col:"kind" doc:"packet kind; empty for other actors"`
	Span    int64  `col:"span" range:"0.." doc:"operation that a packet belongs to; 0: none"`
	Node    int64  `col:"node" doc:"where it is; of a packet: the sender"`
	Peer    int64  `col:"peer" doc:"of a packet: the receiver; otherwise -1"`
	Size    int64  `col:"size_bytes" range:"0.." unit:"B" doc:"of a packet: payload"`
	Number  int64  `col:"number" doc:"of a packet: the number in the table packets; -1: none"`
	Name    string `col:"name" doc:"of a process, handler or task"`
	Cause   int64  `col:"cause" range:"0.." doc:"actor that began it; 0: none"`
	BeginPs int64  `col:"begin_ps" unit:"ps" doc:"its first interval begins"`
	EndPs   int64  `col:"end_ps" unit:"ps" doc:"its last interval ends"`
}

// TableName implements Row.
func (ActorRow) TableName() string { return "actors" }

// Conditions implements the interface of that name.
func (r *ActorRow) Conditions() error {
	if r.EndPs < r.BeginPs {
		return fmt.Errorf("end_ps: %d, wanted begin_ps, %d, or more", r.EndPs, r.BeginPs)
	}
	return nil
}

// WaitRow is one interval of an actor. The intervals of an actor follow each other
// without a gap and sum to its whole time.
type WaitRow struct {
	Actor    int64  `col:"actor" range:"1.." doc:"the actor"`
	Order    int64  `col:"order" range:"0.." doc:"place among the actor's intervals, from 0"`
	Resource string `col:"resource" named:"yes" doc:"what serves it or what it waits for"`
	Instance int64  `col:"instance" doc:"node of the resource; the channel of a port"`
	What     string `col:"what" named:"yes" doc:"service, waiting or idle"`
	BeginPs  int64  `col:"begin_ps" unit:"ps" doc:"since recording began, true time"`
	EndPs    int64  `col:"end_ps" unit:"ps" doc:"since recording began, true time"`
	// Holder and root are actors; 0: none.
	Holder       int64     `col:"holder" range:"0.." doc:"actor for whom it waits; 0: none"`
	Root         int64     `col:"root" range:"0.." doc:"first actor in the chain of holders that does not wait itself; 0: none, or the run has a table holds"`
	RootResource string    `col:"root_resource" doc:"what serves that actor meanwhile; empty without a root"`
	Line         Opt[bool] `col:"line" doc:"true: it waits in line, for each that has the resource meanwhile by the table holds; holder is then the last of them"`
	BeyondPs     int64     `col:"beyond_ps" range:"0.." unit:"ps" doc:"for how long an interface processor still works for an actor that has gone on"`
}

// TableName implements Row.
func (WaitRow) TableName() string { return "waits" }

// Conditions implements the interface of that name.
func (r *WaitRow) Conditions() error {
	switch {
	case r.EndPs <= r.BeginPs:
		return fmt.Errorf("end_ps: %d, wanted more than begin_ps, %d", r.EndPs, r.BeginPs)
	case (r.Root == 0) != (r.RootResource == ""):
		return fmt.Errorf("root_resource: %q of root %d, wanted one with a root and none without", r.RootResource, r.Root)
	}
	return nil
}

// HoldRow is a time in which an actor has a resource at which others wait in line. An actor that
// halts the resource has it too. Who waits in a line is held up by these, one after another.
type HoldRow struct {
	Resource string `col:"resource" named:"yes" doc:"what it is, as in the table waits"`
	Instance int64  `col:"instance" doc:"node of the resource; the channel of a port"`
	Actor    int64  `col:"actor" range:"1.." doc:"who has it"`
	BeginPs  int64  `col:"begin_ps" unit:"ps" doc:"since recording began, true time"`
	EndPs    int64  `col:"end_ps" unit:"ps" doc:"since recording began, true time"`
}

// TableName implements Row.
func (HoldRow) TableName() string { return "holds" }

// Conditions implements the interface of that name.
func (r *HoldRow) Conditions() error {
	if r.EndPs <= r.BeginPs {
		return fmt.Errorf("end_ps: %d, wanted more than begin_ps, %d", r.EndPs, r.BeginPs)
	}
	return nil
}
