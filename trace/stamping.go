package trace

// The stamps of a message of real hosts.
const (
	StampSched  = "sched"  // it enters the sender's queueing discipline
	StampHand   = "hand"   // the driver takes it
	StampKernel = "kernel" // the receiver's kernel has it
	StampCard   = "card"   // the sender's card sends it, and the receiver's has it
)

// StampCost is what it costs real hosts to stamp messages: the round trip of small messages with
// parts of the stamps.
type StampCost struct {
	Bytes  int64      `json:"bytes" range:"0..9007199254740992"`
	Blocks int64      `json:"blocks" range:"0..9007199254740992"` // of round trips, each part in turn
	Modes  []StampUse `json:"modes"`
}

// StampUse is the round trip with a part of the stamps.
type StampUse struct {
	Mode    string  `json:"mode"`
	RoundNs float64 `json:"round_trip_ns" range:"0.."` // median of the blocks' means
	// PerCent is by how much the round trip is longer than without stamps, from each block and the one
	// without stamps beside it, with its interval of 95 %.
	PerCent     float64 `json:"per_cent"`
	LowPerCent  float64 `json:"per_cent_low"`
	HighPerCent float64 `json:"per_cent_high"`
}
