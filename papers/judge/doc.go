// Package judge compares the model's figures with published ones, row by row.
// It knows tables, tolerances and verdicts, and nothing of the model: the
// packages of the papers say how rows are measured, as Rows. Package judge/page writes
// the pages for people.
//
//	table, err := judge.ParseTable("published.csv", r)
//	trial, err := rows.Try(ctx, table, "", seed, nil)
//	doc := judge.NewDocument(stamp, 1, judge.Judge(table, "", []judge.Trial{trial}))
//
// A row is one published statement: a number with its unit, or a statement in
// words. The table also says how the number is read, which tolerance it has,
// and its status: whether the row set a parameter, is known to be missed, or is
// about something that the model does not contain.
// Every row gets a verdict, so the totals always add up to the table. A trial measures the
// rows with one seed; a row is met if it is met with all seeds, or with nine in ten of ten
// or more.
//
// Files, in reading order:
//   - rules.go: how rows are judged, in words
//   - judge.go: the verdict of each row, from what all seeds say
//   - text.go: a document as text, and the words for its figures
//   - document.go: the results as a document, JSON
//   - trial.go: what one seed says
//   - session.go: measurements that end at the first error
//   - claim.go: statements about figures, with thresholds
//   - measure.go: measurements of experiments, shared or not
//   - rows.go: how rows are measured
//   - band.go: the range of accepted values
//   - table.go: the table of published figures
//   - papers.go: the sources
//   - csv.go: CSV records whose errors name line and column
package judge
