package trace

// Observed is one thing that the kernel was seen to do with messages of programs as they are, in a part of the way, which may
// be why they wait there.
type Observed struct {
	What     Cause   `json:"what"`
	Program  string  `json:"program,omitempty"` // the sender's; "": any
	ToServer bool    `json:"to_server,omitempty"`
	Messages int64   `json:"messages"`            // those of which it is so; segments or packets where the cause is one of these
	Of       int64   `json:"of,omitempty"`        // among so many that were looked at; of losses, all messages of the program
	MeanNs   float64 `json:"mean_ns,omitempty"`   // of these, the time that it is about
	MedianNs int64   `json:"median_ns,omitempty"` // of the same
	P99Ns    int64   `json:"p99_ns,omitempty"`
	LeastNs  int64   `json:"least_ns,omitempty"`  // the shortest time from call to read among Of
	OthersNs float64 `json:"others_ns,omitempty"` // mean of the time of the messages of which it is not so
	Dropped  int64   `json:"dropped,omitempty"`   // packets
	Most     int64   `json:"most,omitempty"`      // packets at a time
	Where    string  `json:"where,omitempty"`     // the queueing discipline and its interface, the control group, or the kernel's reason
}

// Cause is what can be seen.
type Cause string

// Causes of the time in a stage, and of Source: of what is not given to the queueing discipline.
const (
	HeldByNagle      Cause = "nagle"             // Source: an earlier segment was not acknowledged, and Nagle's algorithm is on
	HeldByCork       Cause = "cork"              // Source: the program has asked for full segments
	HeldByWindow     Cause = "window"            // Source: more than the receiver's window takes
	HeldByCongestion Cause = "congestion"        // Source: the window of congestion is full
	InDiscipline     Cause = "discipline"        // NI: packets were in a queueing discipline
	CardFull         Cause = "ring-full"         // NI: packets entered it when the driver had stopped its queue, whose ring is full
	Deferred         Cause = "deferred"          // Net: packets waited for the receiving kernel to take them (softirq)
	Acknowledged     Cause = "acknowledged"      // Net, at most: until the receiver's host has acknowledged it
	SentAgain        Cause = "sent-again"        // Net: segments were lost, or seemed to be
	SegmentsDropped  Cause = "dropped"           // the kernel has dropped segments, for the reason in Where
	DatagramsDropped Cause = "datagrams-dropped" // the same over UDP, by whomever sent
	Asleep           Cause = "asleep"            // Dest: until the reader was woken
	RunQueue         Cause = "run-queue"         // Dest: the reader waited for a processor
	Migrated         Cause = "migrated"          // Dest: the reader was given another processor after the message had arrived
	ReaderBusy       Cause = "reader-busy"       // Dest: the reader had not slept since the message arrived
	ServerTime       Cause = "server"            // before the message: from the read of what came before until the call
	Throttled        Cause = "throttled"         // the control group had no time of processors left
	Slowest          Cause = "slowest"           // of the messages that took longest: in what they were longest, a cause or a stage, in Where
)
