// Package tui shows runs and measurements in a terminal. Ten views show a run, alone
// or with another run or a baseline, a run in progress, or measurements of layers.
//
// What is shown is a State, plain data; Draw makes a picture of it and changes
// nothing. The Model changes the State by messages, and everything that takes
// time (reading directories, running programs, writing files) happens in
// commands outside of it.
//
// A view is a small type in the table of views. It keeps the state that it alone
// needs, draws it, and does the actions that mean something in it. What all views
// share is in the Scene: the open runs and the Selection. A view that leads to another
// view therefore shows the same packets there. Where it leads to is a Place; the State
// keeps those that it has come from, and goes back. A view says which settings of the
// selection it obeys, and line 2 is made from that.
//
// Files, in reading order:
//   - program.go: options, and the program in a terminal or for one picture
//   - background.go: the terminal's background
//   - update.go: messages, keys and the mouse
//   - complete.go: completion of lines in prompts
//   - export.go: pictures and tables as files, and the command line for the same picture
//   - screen.go: the picture of the state: header, body, footer
//   - panes.go: a view beside the place that enter leads to
//   - keys.go: the key map, and the help made from it
//   - command.go: commands after a colon
//   - shelf.go: the list of runs
//   - palette.go: commands, views, runs and words, with search
//   - running.go: runs started from here
//   - waiting.go: who waited for whom, read for drawing
//   - operation.go: the operation of a packet
//   - slowest.go: the slowest packets of the whole trace
//   - tested.go: runs that test the cause, and their answer
//   - explained.go: what traces tell of causes, and phases
//   - model.go: the model, and the reading of directories
//   - state.go: what a picture depends on
//   - live.go: a run in progress, in a goroutine of its own
//   - shell.go: what the command line does for the views
//   - form.go: the form of a command
//   - prompt.go: the input line
//   - chooser.go: lists to choose from while something is typed
//   - views.go: the table of views
//   - overview.go: a run at a glance
//   - findings.go: findings of all grades, the worst first
//   - nodetime.go: run time by node
//   - signature.go: packets and latencies by size
//   - histogram.go: packets by size and latency
//   - percentiles.go: latencies by percentile
//   - matrix.go: pairs of nodes
//   - spans.go: operations, and where their time goes
//   - waterfall.go: one operation with its steps and packets
//   - icicle.go: the time of nodes in parts of parts
//   - blocked.go: who waited for whom
//   - parts.go: what the parts of a node do over time
//   - timeline.go: packets over time
//   - packet.go: all about one packet
//   - logp.go: measurements of layers
//   - logp_plot.go: the plot of a measurement
//   - clock.go: the global clock
//   - compare.go: what differs between two runs
//   - sizes.go: plots over packet sizes
//   - plot.go: fields of charts with additions of the views
//   - table.go: tables of package analysis on a canvas
//   - stages.go: how latencies are told apart
//   - view.go: what a view is, and the parts that views share
//   - text.go: text that fills the body
//   - settings.go: the selection in words, as far as a view obeys it
//   - scene.go: what all views share
//   - bins.go: histograms of the selected packets
//   - diagnosis.go: findings about the selected packets
//   - slice.go: packets of a trace by sender and receiver
//   - selection.go: which packets are selected
//   - words.go: settings written as text
//   - action.go: the meaning of keys and clicks
//   - comparison.go: two runs compared
//   - data.go: a run prepared for drawing
//   - operations.go: the operations of a trace
//   - packets.go: a trace prepared for drawing
//   - measured.go: measurements in directories
//   - drawn.go: measurements that are shown by a chart of their report
//   - series.go: curves of a measurement
//   - values.go: helpers for lists and values
package tui
