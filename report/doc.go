// Package report shows a run, or the comparison of two, as text for a
// terminal, Markdown, self-contained HTML, or JSON. All are pure functions of
// the same result: same input, same bytes.
package report
