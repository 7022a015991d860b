package experiment

import (
	"sync"

	"github.com/sigview/sigview/trace"
)

// Progress says how far an experiment has come.
type Progress struct {
	Stage string // what is being done, in a few words
	Done  int64  // of Total, in Unit
	Total int64  // 0 when not known
	Unit  string // "packets", "rows", "s simulated"

	SimulatedNs int64 // since the programs began; 0 when nothing is simulated
	// Look makes the tables of the run as it stands. It may
	// be called during the call of the Watch only; nil where there is nothing
	// to look at.
	Look func() (*trace.Run, error)
}

// Watch is called now and then while an experiment runs, from its goroutine.
// It must return soon and must not influence the experiment. Nil is allowed
// wherever a Watch is taken.
type Watch func(Progress)

// Report calls the watch if there is one.
func (w Watch) Report(p Progress) {
	if w != nil {
		w(p)
	}
}

// counting returns a function that reports one more of total steps as done,
// which may be called by several goroutines.
func (w Watch) counting(total int, unit string) func(stage string) {
	var lock sync.Mutex
	done := int64(0)
	return func(stage string) {
		lock.Lock()
		defer lock.Unlock()
		done++
		w.Report(Progress{Stage: stage, Done: done, Total: int64(total), Unit: unit})
	}
}
