// Package dcqcn computes the rates of flows under DCQCN, the congestion control of RDMA over Ethernet.
// It is arithmetic: times come in, rates go out. It knows no engine and no packets.
//
// # Mechanism
//
// A switch marks packets that come into a long queue (package fabric, ECN). The receiver of a marked packet sends a
// notice to the packet's sender, at most one a flow in each CNPGap. A sender keeps a present and a target
// rate of each flow, and a measure of congestion, alpha, which is 1 at first.
//
// On a notice the target becomes the present rate, the present rate is cut by the part alpha/2, and alpha moves towards
// 1 by Gain of the distance. In each AlphaTimer without a notice alpha moves towards 0 by the same part.
//
// After a cut the rate rises in steps: one whenever RiseTimer has passed, and one whenever RiseBytes
// have been sent. Both are counted apart, from the last cut on. A step moves the present rate half of the way to the
// target. While both counts are below Stages (fast recovery), the target stays. Once both have passed it, each step
// first adds Hyper to the target; in between it adds Additive. A flow that has come back to the
// rate of the line is not limited any more.
//
// # Assumed
//
// A rate within a byte per second of the line's is that of the line. Alpha also falls while a
// flow is not limited. A notice that comes within CutGap of the last cut does nothing.
//
// Files, in reading order:
//   - dcqcn.go: senders and receivers of flows
//   - spec.go: the parameters
package dcqcn
