package main

import (
	"fmt"

	"github.com/sigview/sigview/check/history"
	"github.com/sigview/sigview/cluster/platform"
)

// options are what is run.
type options struct {
	seed   uint64
	runs   int
	places []platform.Place
	sorts  []history.Faults
}

// narrow keeps the places and the faults that are asked for; "" is all.
func (o *options) narrow(layer, on, faults string) error {
	all, err := platform.Places()
	if err != nil {
		return err
	}
	for _, p := range all {
		if (layer == "" || p.Layer == layer) && (on == "" || p.Name == on) {
			o.places = append(o.places, p)
		}
	}
	if len(o.places) == 0 {
		return fmt.Errorf("no platform %q has layer %q", on, layer)
	}
	words := history.FaultWords()
	if faults != "" {
		if err := words.Check(faults); err != nil {
			return err
		}
	}
	for i, name := range words.Names() {
		if faults == "" || faults == name {
			o.sorts = append(o.sorts, history.Faults(i))
		}
	}
	return nil
}
