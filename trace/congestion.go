package trace

import "fmt"

// PortRow is one direction of a link of a network whose switches have buffers: what stood in the queue before it, and
// for how long it was halted: by pause frames, for want of credits, or by a receiver without room.
type PortRow struct {
	Port       int64  `col:"port" range:"0.." key:"port" doc:"its number: the channel in the table waits"`
	Name       string `col:"name" named:"yes" key:"name" doc:"from where to where"`
	Packets    int64  `col:"packets" range:"0.." key:"packets" doc:"packets that have left by it"`
	Bytes      int64  `col:"bytes" range:"0.." key:"bytes" unit:"B" doc:"their bytes on the wire"`
	QueueBytes int64  `col:"queue_bytes" range:"0.." key:"queue_bytes" unit:"B" doc:"most that stood before it, with the packet that was leaving"`
	Waited     int64  `col:"waited" range:"0.." key:"waited" doc:"packets that stood before it"`
	Dropped    int64  `col:"dropped" range:"0.." key:"dropped" doc:"packets dropped before it because its queue had no room"`
	Unreceived int64  `col:"unreceived" range:"0.." key:"unreceived" doc:"packets dropped behind it because the receiver had no room"`
	Marked     int64  `col:"marked" range:"0.." key:"marked" doc:"packets marked in its queue (ECN)"`
	Paused     int64  `col:"paused" range:"0.." key:"paused" doc:"times that it was halted"`
	PausedNs   int64  `col:"paused_ns" range:"0.." key:"paused_us" unit:"ns" doc:"for how long it was"`
	Held       int64  `col:"held" range:"0.." key:"held" doc:"packets that stood before it meanwhile"`
	BlockedNs  int64  `col:"blocked_ns" range:"0.." key:"blocked_us" unit:"ns" doc:"for how long these, added up, stood because of a port that they do not pass"`
}

// TableName implements Row.
func (PortRow) TableName() string { return "ports" }

// PauseRow says because of which port another one was halted.
type PauseRow struct {
	Port        int64  `col:"port" range:"0.." key:"port" doc:"the one that was halted"`
	Name        string `col:"name" named:"yes" key:"name" doc:"from where to where"`
	Through     int64  `col:"through" range:"-1.." key:"through" doc:"the one whose queue held most of what had come through it when the halt began, or because of which that one was halted; itself if the receiver had no room; -1: none"`
	ThroughName string `col:"through_name" key:"through_name" doc:"from where to where; empty: none"`
	Paused      int64  `col:"paused" range:"0.." key:"paused" doc:"times that it was halted"`
	PausedNs    int64  `col:"paused_ns" range:"0.." key:"paused_us" unit:"ns" doc:"for how long"`
}

// TableName implements Row.
func (PauseRow) TableName() string { return "pauses" }

// Conditions implements the interface of that name.
func (r PauseRow) Conditions() error {
	if (r.Through < 0) != (r.ThroughName == "") {
		return fmt.Errorf("through: %d %q, wanted a number with a name, or neither", r.Through, r.ThroughName)
	}
	return nil
}

// FlowRow is what one sender has sent to a receiver for a program, by queue pair, and what the network did to it.
type FlowRow struct {
	Tag        Tag   `col:"tag" key:"tag" doc:"the program"`
	Own        bool  `col:"own" key:"own" doc:"packets that interfaces made by themselves, of no program"`
	Sender     int64 `col:"sender" range:"0.." key:"sender" doc:"node"`
	Receiver   int64 `col:"receiver" range:"0.." key:"receiver" doc:"node"`
	Pair       int64 `col:"pair" range:"-1.." key:"pair" doc:"queue pair at the sender; -1: the layer has none, or packets of several"`
	Packets    int64 `col:"packets" range:"0.." key:"packets" doc:"packets sent, without those sent again; 0 where the layer does not count by pairs"`
	Repeated   int64 `col:"repeated" range:"0.." key:"repeated" doc:"packets sent again"`
	Gaps       int64 `col:"gaps" range:"0.." key:"gaps" doc:"times that the receiver asked for missing packets"`
	NotReady   int64 `col:"not_ready" range:"0.." key:"not_ready" doc:"times that the receiver had no receive buffer (RNR)"`
	Timeouts   int64 `col:"timeouts" range:"0.." key:"timeouts" doc:"times that the acknowledgement did not come in time"`
	AgainNs    int64 `col:"again_ns" range:"0.." key:"again_us" unit:"ns" doc:"from one of these three until all that was sent again was acknowledged"`
	Dropped    int64 `col:"dropped" range:"0.." key:"dropped" doc:"packets dropped for want of room in a switch"`
	Unreceived int64 `col:"unreceived" range:"0.." key:"unreceived" doc:"packets dropped for want of room in the receiver"`
	Marked     int64 `col:"marked" range:"0.." key:"marked" doc:"marks of its packets (ECN)"`
	Held       int64 `col:"held" range:"0.." key:"held" doc:"times that one of its packets stood before a halted port"`
	HeldNs     int64 `col:"held_ns" range:"0.." key:"held_us" unit:"ns" doc:"for how long, added up"`
	BlockedNs  int64 `col:"blocked_ns" range:"0.." key:"blocked_us" unit:"ns" doc:"the part because of a port that its packets do not pass"`

	Bytes         Opt[int64] `col:"bytes" key:"bytes" unit:"B" doc:"data of the packets, without those sent again; null: the layer does not count by pairs"`
	RepeatedBytes Opt[int64] `col:"repeated_bytes" key:"repeated_bytes" unit:"B" doc:"data of packets sent again"`
}

// TableName implements Row.
func (FlowRow) TableName() string { return "flows" }
