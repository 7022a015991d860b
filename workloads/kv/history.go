package kv

import "github.com/sigview/sigview/trace"

// Kind is a kind of operation.
type Kind uint8

// The operations, each on one key.
const (
	Get Kind = iota
	Put
	Add      // to the key's counter
	NumKinds // their number
)

// operations are their names in traces.
var operations = [NumKinds]trace.Operation{Get: "get", Put: "put", Add: "fetch_add"}

// Event is an operation as its client saw it. Its two instants are places in the order of all beginnings
// and ends.
type Event struct {
	Kind   Kind
	Key    int
	Client int
	Begin  int
	End    int
	Value  Value  // got or put
	Old    uint64 // of a counter, which Add has increased by By
	By     uint64
}

// Value names a value: who has put it, and how many values he had put before. The first
// value of each key is 0.
type Value uint64

func newValue(client, number int) Value { return Value(client)<<32 | Value(number+1) }
