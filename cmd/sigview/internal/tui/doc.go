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
//   - config.go: the file of a user's own keys and theme
//   - update.go: messages, keys and the mouse
//   - text.go: text that fills the body
//   - complete.go: completion of lines in prompts
//   - export.go: pictures and tables as files, and the command line for the same picture
//   - screen.go: the picture of the state: header, body, footer
//   - panes.go: a view beside the place that enter leads to
//   - keys.go: the key map, and the help made from it
//   - shelf.go: the list of runs
//   - palette.go: commands, views, runs and words, with search
//   - command.go: commands after a colon
//   - running.go: runs started from here
//   - waiting.go: reading who waited for whom
//   - operation.go: reading the operation of a packet
//   - slowest.go: going to the next of the slowest packets
//   - tested.go: runs that test the cause, and their answer
//   - model.go: the model, and the reading of directories
//   - history.go: undo and redo
//   - state.go: what a picture depends on
//   - live.go: a run in progress, in a goroutine of its own
//   - form.go: the form of a command
//   - shell.go: what the command line does for the views
//   - prompt.go: the input line
//   - chooser.go: lists to choose from while something is typed
package tui
