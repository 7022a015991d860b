// Package tui shows runs in a terminal: nine views over one run, over a run
// beside another or beside a baseline, or over a run in progress.
//
// What is shown is a State, plain data; Draw makes a picture of it and does
// nothing else. The model changes the State by messages, and everything that
// takes time (reading directories, running programs, writing files) happens in
// commands outside of it.
package tui
