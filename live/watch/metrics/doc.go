// Package metrics serves what a watch has counted so far, for Prometheus. Nothing is counted for it: each scrape
// reads the histograms of the kernel.
//
//   - sigview_watch_stage_seconds: latencies of stages, as native and classic histograms, by program, direction,
//     size and stage. Bounds of the classic buckets are powers of two of 1 ns, at which counts are exact; native
//     buckets are 8 to a doubling, and a latency may be in the one beside its own.
//   - sigview_watch_messages_total: messages that were followed.
//   - sigview_watch_followed_seconds_total: how long messages were followed. A rate of messages is that of another counter
//     divided by the rate of this one.
//   - sigview_watch_measured_total: messages in the histograms, by the stages that they have: all; sent, on their way to another
//     host; received, which are packets from another host.
//   - sigview_watch_not_attributed_total: messages in no histogram, by reason.
//
// Files, in reading order:
//   - serve.go: the server
//   - collect.go: from counts to metrics
package metrics
