// Package judge compares the model's figures with published ones, row by row.
// It knows tables, tolerances and verdicts, and nothing of the model: the
// packages of the papers say how rows are measured, as Rows.
//
//	table, err := judge.ParseTable("published.csv", r)
//	results, err := rows.Judge(ctx, table, "", nil)
//	doc := judge.NewDocument(stamp, results)
//
// A row is one published statement: a number with its unit, or a statement in
// words. The table also says how the number is read, which tolerance it has,
// and its status: whether the row set a parameter, is known to be missed, or is
// about something that the model does not contain.
// Every row gets a verdict, so the totals always add up to the table.
//
// Files, in reading order:
//   - judge.go: the verdict of each row
//   - markdown.go: a document as a page and as text
//   - document.go: the results as a document, JSON
//   - session.go: measurements that end at the first error
//   - claim.go: statements about figures, with thresholds
//   - measure.go: measurements of experiments, shared or not
//   - rows.go: how rows are measured
//   - band.go: the range of accepted values
//   - table.go: the table of published figures
//   - csv.go: CSV records whose errors name line and column
package judge
