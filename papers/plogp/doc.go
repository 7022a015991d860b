// Package plogp measures the rows of the fast measurement of parameterized LogP.
//
// The paper's library is MPI, over LFC on das-myrinet and over TCP on das-wan. Rows
// about the method itself are measured where its effect shows, also on other layers.
//
// Files, in reading order:
//   - rows.go: the rows of the paper
//   - method.go: the constants, rules and formulas of the method
//   - model.go: what the model predicts
//   - compare.go: the fast method beside saturation
//   - limits.go: what the method assumes and cannot see
//   - session.go: measurements that rows share
package plogp
