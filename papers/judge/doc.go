// Package judge holds the model's figures against published ones, row by
// row. It knows tables, tolerances and verdicts and nothing of the model: the
// experiment package hands it a Plan that says how rows are measured.
//
//	table, err := judge.ParseTable("published.csv", r)
//	gaps, err := judge.ParseGaps("known_gaps.csv", r)
//	results, err := plan.Judge(ctx, table, gaps)
//	doc := judge.NewDocument(stamp, results)
//
// A row is one published statement: a number with its unit, or a predicate in
// words. Every row gets a verdict, also those that nothing measures, so the
// totals always add up to the table.
package judge
