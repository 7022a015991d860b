// Package testbed tries mechanisms out on beds: small live clusters of a place
// with processes, programs that a caller writes in a few lines, taps on packets
// and a witness of what truly happens. Rows of published figures and tests of
// layers are measured on beds.
//
// Errors stick to a bed, as they do to a bufio.Writer. Its methods return none:
// the first error is kept, what runs ends, later calls do nothing and return
// zero values, and Err tells it. With asks once for all:
//
//	us, err := testbed.With(ctx, testbed.Spec{Platform: "ppro"}, func(b *testbed.Bed) float64 {
//		b.Run(b.Each(0, 1, testbed.Same(4, 100), testbed.Quiet))
//		return b.Moments(histo.Query{Stage: trace.Dest}).MeanNs / 1000
//	})
//
// Three ways to let programs of a bed communicate, each opened at its first use:
//
//   - Depositor: a process of VMMC-2, with a region on every other node.
//   - Process, Mail: a process of any layer, with messages.
//   - Calls: processes of a layer with requests, which count what they serve.
//
// Tests use New with themselves: an error fails them.
//
// Files, in reading order:
//
//   - deliver.go: what every layer has to pass
//   - test.go: beds of tests
//   - exchange.go: messages with numbers between two processes
//   - calls.go: requests and replies
//   - deposit.go: deposits by VMMC-2
//   - pair.go: the programs that measure a layer between two nodes
//   - witness.go: what truly happened, and when
//   - packets.go: taps on packets, latencies, counters
//   - run.go: programs on nodes
//   - bed.go: a bed, its specification and its error
package testbed
