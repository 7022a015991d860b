package agent

import (
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/live"
)

// Records on the wire: two bytes with the number of sendings, two with that of receipts, then the records, all
// sendings first. The node that has made them is the one at the other end of the connection. Numbers are
// big-endian.
//
//	bytes   sending             receipt
//	2       receiver            sender
//	2       bytes of the message
//	4       number of the message
//	8 each  Begun, Sched,       Kernel, Card,
//	        Hand, Card          User
//
// A full frame has 4 + mostRecords·sendingBytes bytes, which is below mostFrame.
const (
	sendingBytes = 2 + 2 + 4 + 4*8
	receiptBytes = 2 + 2 + 4 + 3*8
	// mostRecords is how many one frame holds.
	mostRecords = 1024
)

// appendRecords appends the records of a batch.
func appendRecords(b []byte, batch live.Batch) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(batch.Sent)))
	b = binary.BigEndian.AppendUint16(b, uint16(len(batch.Received)))
	for i := range batch.Sent {
		s := &batch.Sent[i]
		b = appendNumbers(b, s.To, s.Bytes, s.Seq, s.Begun, s.Sched, s.Hand, s.Card)
	}
	for i := range batch.Received {
		c := &batch.Received[i]
		b = appendNumbers(b, c.From, c.Bytes, c.Seq, c.Kernel, c.Card, c.User)
	}
	return b
}

// appendNumbers appends one record, big-endian.
func appendNumbers(b []byte, peer, bytes int, seq uint32, times ...int64) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(peer))
	b = binary.BigEndian.AppendUint16(b, uint16(bytes))
	b = binary.BigEndian.AppendUint32(b, seq)
	for _, t := range times {
		b = binary.BigEndian.AppendUint64(b, uint64(t))
	}
	return b
}

// parseRecords is the inverse of appendRecords. It returns an error if the length does not fit the numbers of
// records. Whether these are sensible, check tells.
func parseRecords(b []byte) (batch live.Batch, err error) {
	if len(b) < 4 {
		return batch, fmt.Errorf("records in %d bytes", len(b))
	}
	sent, received := int(binary.BigEndian.Uint16(b)), int(binary.BigEndian.Uint16(b[2:]))
	if b = b[4:]; sent+received > mostRecords || len(b) != sent*sendingBytes+received*receiptBytes {
		return batch, fmt.Errorf("%d and %d records in %d bytes", sent, received, len(b))
	}
	// Reads one record and moves on; the length has been checked.
	numbers := func(to *int, bytes *int, seq *uint32, times ...*int64) {
		*to, *bytes, *seq = int(binary.BigEndian.Uint16(b)), int(binary.BigEndian.Uint16(b[2:])), binary.BigEndian.Uint32(b[4:])
		b = b[8:]
		for _, t := range times {
			*t = int64(binary.BigEndian.Uint64(b))
			b = b[8:]
		}
	}
	// Bounded by mostRecords.
	batch.Sent, batch.Received = make([]live.Sending, sent), make([]live.Receipt, received)
	for i := range batch.Sent {
		s := &batch.Sent[i]
		numbers(&s.To, &s.Bytes, &s.Seq, &s.Begun, &s.Sched, &s.Hand, &s.Card)
	}
	for i := range batch.Received {
		c := &batch.Received[i]
		numbers(&c.From, &c.Bytes, &c.Seq, &c.Kernel, &c.Card, &c.User)
	}
	return batch, nil
}

// A message of a schedule on the wire.
const (
	// Its time, receiver and bytes. A full frame has mostScheduled·messageBytes bytes, which is below mostFrame.
	messageBytes = 8 + 2 + 2
	// mostScheduled is how many one frame holds.
	mostScheduled = 4096
)

// appendSchedule appends messages: time in ns since the first, receiver, bytes.
func appendSchedule(b []byte, all []live.Message) []byte {
	for _, m := range all {
		b = binary.BigEndian.AppendUint64(b, uint64(m.At))
		b = binary.BigEndian.AppendUint16(b, uint16(m.To))
		b = binary.BigEndian.AppendUint16(b, uint16(m.Bytes))
	}
	return b
}

// parseSchedule is the inverse of appendSchedule. It returns an error if the last message is not whole.
func parseSchedule(b []byte) ([]live.Message, error) {
	if len(b)%messageBytes != 0 {
		return nil, fmt.Errorf("messages of a schedule in %d bytes", len(b))
	}
	// The length of a frame bounds the memory.
	all := make([]live.Message, 0, len(b)/messageBytes)
	for ; len(b) > 0; b = b[messageBytes:] {
		all = append(all, live.Message{
			At: int64(binary.BigEndian.Uint64(b)), To: int(binary.BigEndian.Uint16(b[8:])), Bytes: int(binary.BigEndian.Uint16(b[10:])),
		})
	}
	return all, nil
}

// split calls f with parts of a batch that fit into a frame, in order. Invariant: each part has 1 to
// mostRecords records.
func split(b live.Batch, f func(live.Batch)) {
	for len(b.Sent)+len(b.Received) > 0 {
		part := live.Batch{Node: b.Node}
		n := min(len(b.Sent), mostRecords)
		part.Sent, b.Sent = b.Sent[:n], b.Sent[n:]
		// What is left of the frame.
		n = min(len(b.Received), mostRecords-n)
		part.Received, b.Received = b.Received[:n], b.Received[n:]
		f(part)
	}
}

// check returns an error for records that no node of a run can have made whose messages are of at most so many
// bytes. The collector uses their numbers as indices.
func check(b live.Batch, node, nodes, most int) error {
	sound := func(peer, bytes int) error {
		// A peer cannot be negative: on the wire it has 16 bits without a sign.
		if peer == node || peer >= nodes || bytes < live.Least || bytes > most {
			return fmt.Errorf("a record of a message of %d bytes with node %d", bytes, peer)
		}
		return nil
	}
	for i := range b.Sent {
		if err := sound(b.Sent[i].To, b.Sent[i].Bytes); err != nil {
			return err
		}
	}
	for i := range b.Received {
		if err := sound(b.Received[i].From, b.Received[i].Bytes); err != nil {
			return err
		}
	}
	return nil
}
