package main

import (
	"errors"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
)

// own are programs that are made here: their nodes take turns at a lock, or meet at barriers.
var own = []string{"turns", "barriers"}

// sizeOf says in a problem's size which node has how many percent of the others' work. Node -1 is all nodes.
func sizeOf(node, percent int) int64 { return int64((node+2)*10000 + percent) }

// nobody is the size of a problem whose nodes have the same work.
const nobody = 1

const (
	turns   = 10                   // of each node
	section = 40 * sim.Microsecond // of work
)

// app is a program of both sorts.
type app struct {
	layout *svm.Layout
	data   svm.Addr
	lock   bool
	size   int64
	count  int
}

func init() {
	for i, name := range own {
		err := experiment.AddMemory(name, name+" of a trial", nobody, nil, func(p experiment.Problem) (experiment.MemoryApp, error) {
			l, err := svm.NewLayout(p.Nodes)
			if err != nil {
				return nil, err
			}
			a := &app{layout: l, lock: i == 0, size: int64(p.Size)}
			a.data, err = l.Alloc(p.Nodes*svm.PageSize, p.Homes)
			return a, err
		})
		if err != nil {
			panic("plantings: " + err.Error())
		}
	}
}

// work returns how long a node has what all others have for a section.
func (a *app) work(node int) sim.Duration {
	if at := int(a.size/10000) - 2; a.size != nobody && (at == -1 || at == node) {
		return section * sim.Duration(a.size%10000) / 100
	}
	return section
}

func (a *app) Progress() (done, total int64) { return 0, 0 }
func (a *app) Layout() *svm.Layout           { return a.layout }
func (a *app) Load(*svm.System) error        { return nil }

func (a *app) Run(t *svm.Thread) {
	t.Barrier(0)
	for range turns {
		if a.lock {
			t.Compute(host.Work{Time: section * sim.Duration(t.Nodes())})
			t.Lock(1)
		}
		t.Compute(host.Work{Time: a.work(t.Node())})
		a.count++
		if a.lock {
			t.Unlock(1)
			continue
		}
		t.WritePiece(a.data+svm.Addr(t.Node()*svm.PageSize), 8)[0]++
		t.Barrier(0)
		_ = t.ReadPiece(a.data+svm.Addr((t.Node()+1)%t.Nodes()*svm.PageSize), 8)
		t.Barrier(0)
	}
	t.Barrier(0)
}

func (a *app) Verify(*svm.System) (string, error) {
	if a.count != turns*a.layout.Nodes() {
		return "", errors.New("turns are missing")
	}
	return "all turns were taken", nil
}
