package main

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/check/reliability"
)

// figures returns the shares of plantings that are named and of quiet runs in which a part is.
func figures(trials []Trial) []reliability.Figure {
	y := sum(trials)
	strong := sum(slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool { return t.Strength < 0.05 }))
	share := func(name string, n, of int) reliability.Figure {
		return reliability.Figure{Name: name, Value: 100 * float64(n) / float64(max(1, of)), Unit: "%", Note: fmt.Sprintf("%d of %d", n, of)}
	}
	return []reliability.Figure{
		{Name: "plantings", Value: float64(y.planted), Note: fmt.Sprintf("%d draws too weak, %d refused", y.weak, y.refused)},
		share("from waits: named first", y.waits.first, y.planted),
		share("from waits: in the first three", y.waits.shown, y.planted),
		share("from waits: the cost of these is right", y.waits.costs, y.waits.shown),
		share("from records: named first", y.records.first, y.records.told),
		share("from records: in the first three", y.records.shown, y.records.told),
		share("from records: the cost of these is right", y.records.costs, y.records.shown),
		share("from waits, of those that are the largest cause: named first", y.waits.largest, y.largest),
		share("from waits, of those that make the run at least 5 % longer: named first", strong.waits.first, strong.planted),
		share("from waits, of those that make the run at least 5 % longer: in the first three", strong.waits.shown, strong.planted),
		share("quiet runs with an outlier of the machine, from waits", y.outlierWaits.machine, y.quiet),
		share("quiet runs with an outlier of the machine, from records", y.outlierRecords.machine, y.quietTold),
		share("quiet runs with any outlier, from waits", y.outlierWaits.all, y.quiet),
		share("quiet runs with any outlier, from records", y.outlierRecords.all, y.quietTold),
		share("quiet pairs of two seeds whose difference is told, with a part of the machine in it", y.pairsNamed, y.pairs),
	}
}

func part(trials []Trial, n int, seed uint64) reliability.Part {
	p := reliability.Here("Planted causes", fmt.Sprintf("go run ./check/plantings -n %d -seed %d -o testdata/reliability/plantings.toml", n, seed))
	p.Says = "Programs are drawn on platforms of both eras, and in each a cause is planted: a slower part of a node, a fault, a wrong setting, uneven work. " +
		"A planting counts if the run is at least 3 % longer than with the same seed without it. `sigview trace` then names causes, once from the table of waiting, " +
		"and once from the records of the monitors alone, where these tell when processes wait. A finding is right if it is about the place where the cause is and calls it what a user would: " +
		"the table of kinds says what that is, and is written from no rule of the analysis. " +
		"Its cost is right if it is within a fifth of what the planting adds to the run, or bounds it. Within noise are plantings where one of two runs with other seeds takes as long without. " +
		"A planting is the largest cause if no finding of the run without it costs as much. " +
		"The runs without a planting are quiet: an outlier of the machine, a part that is unlike its peers, is false there. A process may be unlike the others by its program. The run without a planting and one of another seed are a pair: a part of the machine that is named in their difference is false."
	p.Figures, p.Tables = figures(trials), tables(trials)
	return p
}
