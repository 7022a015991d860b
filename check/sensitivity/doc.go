// Program sensitivity changes every assumed number of the profiles by 20 % and
// lists which headline figures change, and which predicted or provoked rows hinge on
// a number: they are met, and then missed.
//
//	go run ./check/sensitivity                        all platforms of papers: those of logp, shrimp and userspace took less than an hour of one idle core
//	go run ./check/sensitivity --platform meiko       one platform, on the standard output
//	go run ./check/sensitivity --platform meiko --only ni.loop --rows logp-mei
//
// The profiles have some 2,000 such numbers, so they are screened in groups. All
// numbers of a section become slower together, then faster: a rate falls where a
// time rises, so that their effects add up. A group that changes nothing is done; one
// that does is halved, down to single numbers. Rows that a platform, or a table of its
// profile, does not touch at all are not measured with their parts. Rows that the
// unchanged model misses and three slow ones are left out.
//
// Each measurement is a process of its own, on one core, because the change of a
// profile holds for a whole process. Results are kept in build/sensitivity under a
// digest of the program and of the measurement: a study that was stopped goes on
// where it was. GOMAXPROCS=1 makes it one
// process at a time.
//
// Sister machines share many assumed numbers. Such a number changes in both profiles.
//
// Files, in reading order:
//   - main.go: flags, platforms, files written
//   - page.go: the page and the tables
//   - hinge.go: the rows that hinge on a number
//   - study.go: the study of one platform, by groups down to single numbers
//   - group.go: tables, sections, halves
//   - change.go: what counts as a change of a row
//   - process.go: measurements as processes, whose results are kept
//   - measure.go: rows on a changed profile
//   - vary.go: machines, and their numbers 20 % slower or faster
package main
