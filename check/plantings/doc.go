// Plantings tests how well traces name the causes of slow runs. It draws programs on platforms of both eras,
// plants a cause in each, measures by how much that makes the run longer, and asks for the findings:
// from the table of waiting, and from the records of the monitors alone. What counts as the cause is
// in the table of kinds, which is written from what a user would call it and not from the rules.
//
// Files, in reading order:
//   - main.go: the command
//   - part.go: the results on the page of reliability
//   - tally.go: tables of many plantings
//   - trial.go: one planting: drawn, measured, asked for
//   - judge.go: whether a finding names what was planted
//   - machine.go: parts of the machine and faults that can be planted, and what names them
//   - settings.go: the same for settings of cards and for programs
//   - kind.go: a kind of cause, and how it gets into a run
//   - draw.go: programs of a size that runs in a second, on platforms
//   - programs.go: programs whose nodes share work or a lock unevenly
package main
