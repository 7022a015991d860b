// Package page writes a validation as pages for people: an overview, a page with a
// picture for each paper, and all rows as CSV. The pages depend on the results alone, not
// on the build that made them.
//
// Files, in reading order:
//   - page.go: all files of a validation
//   - overview.go: the first page
//   - paper.go: the page of one paper
//   - picture.go: its figures beside the model's, drawn
//   - figure.go: these figures
//   - rows.go: all rows as CSV
//   - part.go: the rows of one paper, and words for them
//   - table.go: Markdown tables
package page
