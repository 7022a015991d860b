package experiment

import (
	"sync"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/trace"
)

// Progress is the progress of an experiment.
type Progress struct {
	Stage string // what is being done, in a few words
	Done  int64  // of Total, in Unit
	Total int64  // 0 when not known
	Unit  string // "measurements", "rows"; "": the numbers mean nothing but a share

	SimulatedNs int64 // since the programs began; 0 when nothing is simulated
	Packets     int64 // delivered
	// Look makes the tables of the unfinished run. It may be called only during
	// the call of the Watch. It is nil if there are no tables.
	Look func() (*trace.Run, error)
	// Cluster is that of a run, in its first report. Its counts may be read when the run has
	// ended.
	Cluster *cluster.Cluster
}

// Watch is called from time to time while an experiment runs, on its goroutine. It must
// return soon and must not influence the experiment. A nil Watch is allowed everywhere.
type Watch func(Progress)

// Report calls the watch if there is one.
func (w Watch) Report(p Progress) {
	if w != nil {
		w(p)
	}
}

// Counting returns a function that reports one more of total steps as done. Several
// goroutines may call it.
func (w Watch) Counting(total int, unit string) func(stage string) {
	var lock sync.Mutex
	done := int64(0)
	return func(stage string) {
		lock.Lock()
		defer lock.Unlock()
		done++
		w.Report(Progress{Stage: stage, Done: done, Total: int64(total), Unit: unit})
	}
}
