package ni

// Flags of a packet's header. A program may use the bits from
// FirstProgramFlag up.
const (
	FlagFirst    uint8 = 1 << iota // first packet of its message
	FlagRepeated                   // sent again
	FlagRecorded                   // the probe's words are valid
	FirstProgramFlag
)

// FirstProbeWord divides the words of a packet's header: programs use the words
// below it, the probe the others.
const FirstProbeWord = 5
