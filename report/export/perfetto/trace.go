package perfetto

import "io"

// Track is a row of the viewer. The zero Track is the parent of those without one.
type Track uint64

// Flow connects slices, in the order of their times. Zero is none.
type Flow uint64

// Arg is a fact about a slice: a number, or a text if it has one.
type Arg struct {
	Name string
	Int  int64
	Text string
}

// Writer writes a trace. Slices of a track must nest: each begins after the end of the one
// before, or lies within it. Events of a track are written in the order of time, equal ones
// in the order in which they happen; tracks in any order. After an error it does nothing.
type Writer struct {
	out    io.Writer
	packet message // reused
	event  message
	names  map[string]uint64
	fresh  message // names that the packet is the first to use
	tracks Track
	slices int
	begun  bool
	err    error
}

// New returns a writer.
func New(out io.Writer) *Writer { return &Writer{out: out, names: map[string]uint64{}} }

// Err returns the first error of the writer below.
func (w *Writer) Err() error { return w.err }

// Slices returns how many slices have begun.
func (w *Writer) Slices() int { return w.slices }

// Field numbers of perfetto_trace.proto.
const (
	tracePacket = 1

	packetTimestamp  = 8
	packetSequence   = 10
	packetEvent      = 11
	packetInterned   = 12
	packetFlags      = 13
	packetTrack      = 60
	packetAttributes = 126

	trackUUID, trackName, trackProcess, trackParent = 1, 2, 3, 5
	trackChildren, trackRank                        = 11, 12

	processPID, processName = 1, 6

	eventArg, eventType, eventName, eventTrack = 4, 9, 10, 11
	eventFlow, eventLastFlow                   = 47, 48

	argName, argInt, argText = 1, 4, 6

	internedEvents, internedArgs = 2, 3
	internedID, internedText     = 1, 2

	attributesOne, attributeKey, attributeValue = 1, 1, 3
)

// Values of enumerations in perfetto_trace.proto.
const (
	sequence       = 1 // all packets are of one sequence
	stateCleared   = 1
	stateNeeded    = 2
	childrenRanked = 3
	sliceBegins    = 1
	sliceEnds      = 2
)

// Process adds a track that groups others, the nth of the trace, from 0 on.
func (w *Writer) Process(name string, n int) Track {
	var process message
	process.uint(processPID, uint64(n)+1) // 0 is the kernel's
	process.text(processName, name)
	var track message
	track.bytes(trackProcess, process)
	return w.add(track, 0, n)
}

// Track adds a track below another. Those of one parent are ordered by rank; those with
// the same name are shown as one.
func (w *Writer) Track(parent Track, name string, rank int) Track {
	var track message
	track.text(trackName, name)
	return w.add(track, parent, rank)
}

func (w *Writer) add(track message, parent Track, rank int) Track {
	w.tracks++
	track.uint(trackUUID, uint64(w.tracks))
	if parent != 0 {
		track.uint(trackParent, uint64(parent))
	}
	track.uint(trackChildren, childrenRanked)
	track.uint(trackRank, uint64(rank))
	w.packet = w.packet[:0]
	w.packet.bytes(packetTrack, track)
	w.write()
	return w.tracks
}

// Attributes says what the trace is of: pairs of keys and values.
func (w *Writer) Attributes(pairs [][2]string) {
	var all message
	for _, p := range pairs {
		var one message
		one.text(attributeKey, p[0])
		one.text(attributeValue, p[1])
		all.bytes(attributesOne, one)
	}
	w.packet = w.packet[:0]
	w.packet.bytes(packetAttributes, all)
	w.write()
}

// Slice is a named time on a track.
type Slice struct {
	Track Track
	Name  string
	Flow  Flow
	Last  bool // the flow ends here
	Args  []Arg
}

// Begin begins a slice at a time, which must not be negative.
func (w *Writer) Begin(at int64, s Slice) {
	w.slices++
	w.event = w.event[:0]
	w.event.uint(eventType, sliceBegins)
	w.event.uint(eventTrack, uint64(s.Track))
	w.event.uint(eventName, w.intern(internedEvents, s.Name))
	if s.Flow != 0 && s.Last {
		w.event.fixed(eventLastFlow, uint64(s.Flow))
	} else if s.Flow != 0 {
		w.event.fixed(eventFlow, uint64(s.Flow))
	}
	for _, a := range s.Args {
		var arg message
		arg.uint(argName, w.intern(internedArgs, a.Name))
		if a.Text != "" {
			arg.text(argText, a.Text)
		} else {
			arg.uint(argInt, uint64(a.Int))
		}
		w.event.bytes(eventArg, arg)
	}
	w.at(at)
}

// End ends the innermost slice of a track at a time.
func (w *Writer) End(at int64, t Track) {
	w.event = w.event[:0]
	w.event.uint(eventType, sliceEnds)
	w.event.uint(eventTrack, uint64(t))
	w.at(at)
}

// at writes the event.
func (w *Writer) at(time int64) {
	w.packet = w.packet[:0]
	w.packet.uint(packetTimestamp, uint64(time))
	w.packet.bytes(packetEvent, w.event)
	if len(w.fresh) > 0 {
		w.packet.bytes(packetInterned, w.fresh)
		w.fresh = w.fresh[:0]
	}
	w.write()
}

// intern returns the number of a text among those of a field. The packet that is being made
// defines it if it is new.
func (w *Writer) intern(field int, text string) uint64 {
	key := string(rune(field)) + text
	id, ok := w.names[key]
	if !ok {
		id = uint64(len(w.names)) + 1
		w.names[key] = id
		var entry message
		entry.uint(internedID, id)
		entry.text(internedText, text)
		w.fresh.bytes(field, entry)
	}
	return id
}

// write writes the packet.
func (w *Writer) write() {
	if w.err != nil {
		return
	}
	flags := uint64(stateNeeded)
	if !w.begun {
		w.begun, flags = true, stateCleared
	}
	w.packet.uint(packetSequence, sequence)
	w.packet.uint(packetFlags, flags)
	var head message
	head.prefix(tracePacket, len(w.packet))
	if _, w.err = w.out.Write(head); w.err == nil {
		_, w.err = w.out.Write(w.packet)
	}
}
