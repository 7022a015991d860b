// Package analysis turns what the interfaces recorded into a performance
// signature, holds it against a baseline, says in words what deviates and why,
// and compares two runs. It works offline, on snapshots or on the tables of a
// run directory, and knows no model: records of real hosts serve as well.
package analysis
