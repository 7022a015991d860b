package goal

// Schedule is what all ranks do.
type Schedule struct {
	Ranks [][]Op
}

// Elsewhere returns how many operations name a CPU or a NIC above 0.
func (s *Schedule) Elsewhere() (n int) {
	for _, ops := range s.Ranks {
		for i := range ops {
			if ops[i].CPU > 0 || ops[i].NIC > 0 {
				n++
			}
		}
	}
	return n
}

// Op is an operation of a rank.
type Op struct {
	Kind Kind
	// Size is the payload of a message in bytes, or the length of a computation in ns.
	Size int64
	Peer int   // the other rank; Any for a receive from any
	Tag  int64 // of a message; Any for a receive of any
	CPU  int   // operations with different ones overlap
	NIC  int
	// Requires are operations of the rank that have ended before this one begins, Begun
	// those that have begun; both by index, which may be larger than this operation's.
	Requires, Begun []int32
	Line            int // in the text; 0 if it comes from none
}

// Kind is what an operation does.
type Kind uint8

// Kinds of operations.
const (
	Calc Kind = iota
	Send
	Recv
)

func (k Kind) String() string { return [...]string{"calc", "send", "recv"}[k] }

// Any stands for all ranks, or all tags, of a receive.
const Any = -1

// Limits of a schedule.
const (
	maxRanks = 1 << 16
	maxSize  = 1 << 50
	maxTime  = (1<<63 - 1) / 1000 // ns: simulated time has 63 bits of ps
	maxTag   = 1<<32 - 2          // txt2bin keeps 32 bits, of which all ones are any
	maxPlace = 1<<8 - 1           // of CPU and NIC
)
