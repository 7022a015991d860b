package main

import (
	"errors"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/svm"
)

// wrong is an application whose result is wrong.
type wrong struct{ layout *svm.Layout }

func init() {
	err := experiment.AddMemory("wrong", "an application whose result is wrong", 1, nil, func(p experiment.Problem) (experiment.MemoryApp, error) {
		layout, err := svm.NewLayout(p.Nodes)
		if err == nil {
			_, err = layout.Alloc(svm.PageSize, p.Homes)
		}
		return wrong{layout}, err
	})
	if err != nil {
		panic(err)
	}
}

func (w wrong) Layout() *svm.Layout         { return w.layout }
func (wrong) Load(*svm.System) error        { return nil }
func (wrong) Run(t *svm.Thread)             { t.Barrier(0) }
func (wrong) Progress() (done, total int64) { return 0, 0 }
func (wrong) Verify(*svm.System) (string, error) {
	return "", errors.New("relative error 0.5, want below 1e-9")
}
