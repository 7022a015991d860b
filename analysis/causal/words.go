package causal

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// freeable are the resources that a run can have free, with their names there.
var freeable = map[waits.Resource]trace.Resource{
	waits.CPU: trace.CPU, waits.MemBus: trace.MemBus, waits.IOBus: trace.PCI, waits.Slot: trace.Slots,
	waits.Processor: trace.Processor, waits.HostDMA: trace.HDMA, waits.SRAM: trace.SRAM, waits.SEngine: trace.SDMA,
	waits.Port: trace.Ports,
}

// Traced returns the name in a log of waiting of a resource that a run can have free.
func Traced(r trace.Resource) string {
	// No two resources of a log have the same name in runs.
	for logged, free := range freeable {
		if free == r {
			return logged.String()
		}
	}
	return ""
}

// noun names a resource in a sentence.
func noun(r waits.Resource) string {
	if free, ok := freeable[r]; ok {
		return trace.Noun(free)
	}
	switch r {
	case waits.Window:
		return "window of the receiver"
	case waits.Order:
		return "packets before of the same message"
	case waits.Ring:
		return "receive ring"
	case waits.Event:
		return "others"
	case waits.Timer:
		return "timers"
	case waits.Pipeline:
		return "card's pipelines"
	case waits.Cache:
		return "state of queue pairs"
	case waits.Pace:
		return "sending rate"
	}
	// The request queue is left, whose name is a noun.
	return strings.ReplaceAll(r.String(), "_", " ")
}

// span writes a time in ps.
func span(ps int64) string { return analysis.Time(float64(ps) / 1e3) }

// percent writes a share.
func percent(part, whole int64) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
