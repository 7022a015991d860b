// Package perfetto writes traces in Perfetto's protocol-buffer form, as its
// trace_processor and its viewer read them: nested slices on tracks, flows between slices,
// times in nanoseconds. Field numbers are those of perfetto_trace.proto.
//
// Files, in reading order:
//   - trace.go: tracks and slices
//   - message.go: messages of protocol buffers
package perfetto
