// Package cluster turns a specification into a running cluster: hosts, cards
// with their control programs and monitors, clocks and the network. It is the
// only place that knows all models.
package cluster
