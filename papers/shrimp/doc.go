// Package shrimp measures the rows of the paper about the performance monitor in
// the firmware of the SHRIMP cluster's interfaces.
package shrimp
