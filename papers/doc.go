// Package papers sets published figures beside the model's. Validate measures
// the rows of all papers; each paper's package says how its rows are measured.
package papers
