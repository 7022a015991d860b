// Package ablate runs programs as they are and changed: with each resource free alone, with
// all others free, twice as fast, and without the other program of a multiprogrammed run.
// The runs are those of a why.Study, which package why explains.
//
// All runs of a seed have the same random streams, so that they differ by the change only.
// They run side by side on all cores and are kept under a digest of all that determines
// them.
//
// Files, in reading order:
//   - ablate.go: the runs of a study
//   - parts.go: which resources can be free
//   - faster.go: resources twice as fast
//   - cache.go: outcomes of earlier runs
package ablate
