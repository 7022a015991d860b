package trace

import "fmt"

// PortRow is one direction of a link of a network whose switches have buffers: what stood in the queue before it, and
// for how long it was halted: by pause frames, for want of credits, or by a receiver without room.
type PortRow struct {
	Port       int64  `col:"port" key:"port" doc:"its number: the channel in the table waits"`
	Name       string `col:"name" key:"name" doc:"from where to where"`
	Packets    int64  `col:"packets" key:"packets" doc:"packets that have left by it"`
	Bytes      int64  `col:"bytes" key:"bytes" unit:"B" doc:"their bytes on the wire"`
	QueueBytes int64  `col:"queue_bytes" key:"queue_bytes" unit:"B" doc:"most that stood before it, with the packet that was leaving"`
	Waited     int64  `col:"waited" key:"waited" doc:"packets that stood before it"`
	Dropped    int64  `col:"dropped" key:"dropped" doc:"packets dropped before it because its queue had no room"`
	Unreceived int64  `col:"unreceived" key:"unreceived" doc:"packets dropped behind it because the receiver had no room"`
	Marked     int64  `col:"marked" key:"marked" doc:"packets marked in its queue (ECN)"`
	Paused     int64  `col:"paused" key:"paused" doc:"times that it was halted"`
	PausedNs   int64  `col:"paused_ns" key:"paused_us" unit:"ns" doc:"for how long it was"`
	Held       int64  `col:"held" key:"held" doc:"packets that stood before it meanwhile"`
	BlockedNs  int64  `col:"blocked_ns" key:"blocked_us" unit:"ns" doc:"for how long these, added up, stood because of a port that they do not pass"`
}

// TableName implements Row.
func (PortRow) TableName() string { return "ports" }

// Check implements Row.
func (r PortRow) Check() error {
	if r.Port < 0 || r.Name == "" {
		return fmt.Errorf("port, name: %d, %q, wanted 0 or more and a name", r.Port, r.Name)
	}
	return counts("paused_ns", r.PausedNs, "blocked_ns", r.BlockedNs, "packets", r.Packets, "dropped", r.Dropped, "marked", r.Marked)
}

// PauseRow says because of which port another one was halted.
type PauseRow struct {
	Port        int64  `col:"port" key:"port" doc:"the one that was halted"`
	Name        string `col:"name" key:"name" doc:"from where to where"`
	Through     int64  `col:"through" key:"through" doc:"the one whose queue held most of what had come through it when the halt began, or because of which that one was halted; itself if the receiver had no room; -1: none"`
	ThroughName string `col:"through_name" key:"through_name" doc:"from where to where; empty: none"`
	Paused      int64  `col:"paused" key:"paused" doc:"times that it was halted"`
	PausedNs    int64  `col:"paused_ns" key:"paused_us" unit:"ns" doc:"for how long"`
}

// TableName implements Row.
func (PauseRow) TableName() string { return "pauses" }

// Check implements Row.
func (r PauseRow) Check() error {
	if r.Port < 0 || r.Name == "" || r.Through < -1 || (r.Through < 0) != (r.ThroughName == "") {
		return fmt.Errorf("port, through: %d %q, %d %q, wanted numbers with names", r.Port, r.Name, r.Through, r.ThroughName)
	}
	return counts("paused", r.Paused, "paused_ns", r.PausedNs)
}

// FlowRow is what one sender has sent to a receiver for a program, by queue pair, and what the network did to it.
type FlowRow struct {
	Tag        Tag   `col:"tag" key:"tag" doc:"the program"`
	Own        bool  `col:"own" key:"own" doc:"packets that interfaces made by themselves, of no program"`
	Sender     int64 `col:"sender" key:"sender" doc:"node"`
	Receiver   int64 `col:"receiver" key:"receiver" doc:"node"`
	Pair       int64 `col:"pair" key:"pair" doc:"queue pair at the sender; -1: the layer has none, or packets of several"`
	Packets    int64 `col:"packets" key:"packets" doc:"packets sent, without those sent again; 0 where the layer does not count by pairs"`
	Repeated   int64 `col:"repeated" key:"repeated" doc:"packets sent again"`
	Gaps       int64 `col:"gaps" key:"gaps" doc:"times that the receiver asked for a missing packet and all after it"`
	NotReady   int64 `col:"not_ready" key:"not_ready" doc:"times that the receiver had no receive buffer (RNR)"`
	Timeouts   int64 `col:"timeouts" key:"timeouts" doc:"times that the acknowledgement did not come in time"`
	AgainNs    int64 `col:"again_ns" key:"again_us" unit:"ns" doc:"from one of these three until all that was sent again was acknowledged"`
	Dropped    int64 `col:"dropped" key:"dropped" doc:"packets dropped for want of room in a switch"`
	Unreceived int64 `col:"unreceived" key:"unreceived" doc:"packets dropped for want of room in the receiver"`
	Marked     int64 `col:"marked" key:"marked" doc:"marks of its packets (ECN)"`
	Held       int64 `col:"held" key:"held" doc:"times that one of its packets stood before a halted port"`
	HeldNs     int64 `col:"held_ns" key:"held_us" unit:"ns" doc:"for how long, added up"`
	BlockedNs  int64 `col:"blocked_ns" key:"blocked_us" unit:"ns" doc:"the part because of a port that its packets do not pass"`
}

// TableName implements Row.
func (FlowRow) TableName() string { return "flows" }

// Check implements Row.
func (r FlowRow) Check() error {
	if r.Sender < 0 || r.Receiver < 0 || r.Pair < -1 {
		return fmt.Errorf("sender, receiver, pair: %d, %d, %d, wanted 0 or more and -1 or more", r.Sender, r.Receiver, r.Pair)
	}
	return counts("packets", r.Packets, "repeated", r.Repeated, "again_ns", r.AgainNs, "dropped", r.Dropped, "held_ns", r.HeldNs, "blocked_ns", r.BlockedNs)
}

// counts returns an error if one of some numbers, each behind its name, is negative.
func counts(named ...any) error {
	for i := 1; i < len(named); i += 2 {
		if n := named[i].(int64); n < 0 {
			return fmt.Errorf("%s: %d, wanted 0 or more", named[i-1], n)
		}
	}
	return nil
}
