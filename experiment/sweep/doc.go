// Package sweep makes the runs of a file that lists programs, platforms, layers, nodes, sizes,
// seeds and free resources: all combinations that can work, on all cores of one machine or as
// tasks of a job array on many.
//
// A run that has ended leaves a run directory, which appears whole or not at all, so that a
// sweep that was stopped at any moment goes on with the runs that are missing. When all runs
// have ended, their figures become tables (rundir.WriteSweep), in the order of the file: the
// same bytes whatever the number of cores, and however often the sweep was stopped.
//
// Files, in reading order:
//   - sweep.go: the runs of a sweep, and those that are missing
//   - collect.go: the tables of a sweep
//   - row.go: a run as a row
//   - slurm.go: the same runs as a job array
//   - store.go: directories of runs that have ended
//   - plan.go: the combinations of a file
//   - file.go: the file
package sweep
