package logp

// Style is the programming model of a layer; it decides how overheads are
// read from gaps (Araki et al., section 4.1).
type Style int

const (
	RequestReply  Style = iota // active messages: GAM
	SendReceive                // BIP, FM, PM
	DirectDeposit              // VMMC-2: nobody receives
)

// Gap is g(Δ): the time per message of a long stream with a spin of DeltaUs
// after each, spin included, µs.
type Gap struct {
	DeltaUs float64 `json:"delta_us"`
	Gap     Mean    `json:"gap_us"`
}

// Fragments are the measurements of one message size (Araki et al., Figure 3).
type Fragments struct {
	Style     Style `json:"style"`
	SizeBytes int   `json:"size_bytes"`
	HalfRTT   Mean  `json:"half_rtt_us"` // (a) T0/(2N)
	// Sender is (b) for several Δ, one of them 0.
	Sender []Gap `json:"sender"`
	// FewSent is (b) with Δ = 0 and N below the buffering capacity, which is
	// o_s itself; request/reply only.
	FewSent Mean `json:"few_sent_us"`
	// Receiver is (c), spin and time at the receiver; send/receive only.
	Receiver []Gap `json:"receiver"`
}

// Extract computes the parameters of one size. It never fails: what the
// measurements do not determine is not identifiable.
func (f Fragments) Extract() Result { return Result{Params: unknown("not built yet")} }
