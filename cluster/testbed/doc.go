// Package testbed provides testbeds: small live clusters of a place, with processes,
// programs of a few lines, taps on packets and a recorder that records true times.
// Rows of published figures and tests of layers are measured on testbeds.
//
// Errors stick to a testbed, as they do to a bufio.Writer. Its methods return none.
// The first error is kept and ends the running programs. Later calls do nothing and
// return zero values. Err returns the error; With does so for its caller:
//
//	us, err := testbed.With(ctx, testbed.Spec{Platform: "ppro"}, func(b *testbed.Testbed) float64 {
//		b.Run(b.Each(0, 1, testbed.Same(4, 100), testbed.Quiet))
//		return b.Moments(histo.Query{Stage: trace.Dest}).MeanNs / 1000
//	})
//
// Programs of a testbed communicate in three ways, each opened at its first use:
//
//   - Depositor: a process of VMMC-2, with a region on every other node.
//   - Process, Mail: a process of any layer, with messages.
//   - Calls: processes of a layer with requests, which count the requests served.
//
// Tests call New. An error then fails the test.
//
// Files, in reading order:
//
//   - deliver.go: a test that every layer has to pass
//   - damage.go: messages whose headers change on the way
//   - numbers.go: runs of messages of one word, on endpoints
//   - monitored.go: what the monitor has measured of a program
//   - test.go: testbeds for tests
//   - exchange.go: messages with numbers between two processes
//   - calls.go: requests and replies
//   - deposit.go: deposits by VMMC-2
//   - pair.go: the programs that measure a layer between two nodes
//   - recorder.go: true times of packets, transfers and handlers
//   - packets.go: taps on packets, latencies, counters
//   - run.go: programs on nodes
//   - testbed.go: a testbed, its specification and its error
package testbed
