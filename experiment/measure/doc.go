// Package measure measures communication layers: their LogP parameters by the
// signature of requests (logp, section 3) or by code fragments over message
// sizes (userspace, section 4.1) or by trains and round trips (plogp, section 3), and
// bandwidth.
//
// A Subject is a place to measure. Each measurement builds a cluster of its own.
//
// Files, in reading order:
//   - signature.go: the signature of requests, and of stores
//   - requests.go: bursts of requests and round trips
//   - sweep.go: code fragments
//   - parameterized.go: parameterized LogP by the fast method and by saturation
//   - deposits.go: costs of messages as programs send them
//   - stages.go: what the monitor records of round trips meanwhile
//   - subject.go: a place, and the mean of samples
//   - bandwidth.go: tests of bandwidth
package measure
