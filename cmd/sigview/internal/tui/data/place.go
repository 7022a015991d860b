package data

// Place is where something is to be seen: a view, and what is selected there, as
// State.text writes it. What it does not name is as in a fresh selection.
type Place struct {
	View, Sel string
	Over      bool // in the run that is laid over, which is shown in place of the other then
}
