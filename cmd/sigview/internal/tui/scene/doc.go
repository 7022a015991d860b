// Package scene holds what all views share: the open runs with the Selection in them, the words by
// which it is written, and plots of it.
//
// Files, in reading order:
//   - table.go: tables of package analysis on a canvas
//   - sizes.go: plots over packet sizes
//   - plot.go: fields of charts with additions of the views
//   - stages.go: how latencies are told apart
//   - lines.go: texts as lines, and the part of a text that a body shows
//   - diagnosis.go: findings about the selected packets
//   - settings.go: the selection in words, as far as a view obeys it
//   - written.go: the selection as text
//   - words.go: settings written as text
//   - scene.go: what all views share
//   - bins.go: histograms of the selected packets
package scene
