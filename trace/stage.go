package trace

import "github.com/sigview/sigview/internal/names"

// Stage is one of the four latencies of a packet.
type Stage uint8

// The four latencies, in the order a packet meets them, bounded by the
// instants T1 to T6.
const (
	Source Stage = iota // T1 to T2, sender's clock
	LANai               // T2 to T4, sender's clock
	Net                 // T3 on the sender's to T5 on the receiver's clock, both mapped to global time
	Dest                // T5 to T6, receiver's clock

	// NumStages is the number of latencies that are recorded.
	NumStages

	// NetMinusLANai is derived, not recorded: the mean Net at the receivers
	// less the mean LANai at the senders. It appears in tables and reports, but
	// not in arrays over recorded stages.
	NetMinusLANai = NumStages
)

var stages = names.NewEnum[Stage]("stage", "source", "lanai", "net", "dest", "net_minus_lanai")

// StageDefinitions defines each latency, in the order of Stages. Files carry it
// in their metadata.
const StageDefinitions = "source = t2-t1, sender's clock; lanai = t4-t2, sender's clock; " +
	"net = t5-t3, both mapped to global time; dest = t6-t5, receiver's clock; " +
	"net_minus_lanai = mean net - mean lanai. " +
	"t1: the packet's request is first seen in the interface's request queue; " +
	"t2: the packet's data is complete in the sender's interface memory; " +
	"t3: the interface starts the injection; t4: the injection has ended; " +
	"t5: the last word is in the receiver's interface memory; " +
	"t6: the data is complete in the receiver's host memory"

// Stages returns every latency that a table or report may show: the recorded ones
// in the order of their instants, then the derived one.
func Stages() []Stage { return []Stage{Source, LANai, Net, Dest, NetMinusLANai} }

// RecordedStages returns the four latencies that are recorded, in the order of their instants.
func RecordedStages() []Stage { return Stages()[:NumStages] }

// ParseStage returns the stage of that name, the inverse of String.
func ParseStage(name string) (Stage, error) { return stages.Parse(name) }

func (s Stage) String() string { return stages.Name(s) }
