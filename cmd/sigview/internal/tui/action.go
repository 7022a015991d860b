package tui

// action is the meaning of a key or a click.
type action int

const (
	doNothing action = iota
	goLeft
	goRight
	goUp
	goDown
	nextView
	previousView
	enter
	leave
	pageDown
	pageUp
	nextStage
	nextTag
	nextKind
	nextSender
	nextReceiver
	nextClass
	nextMetric
	toggleBaseline
	toggleIntervals
	nextOver
	nextRun
	previousRun
	zoomIn
	zoomOut
	lookAtAll
	showFindings
	askFilter
	askCommand
	askExport
	nextTheme
	newRun
	pauseRun
	stepRun
	stopRun
	showHelp
	quit
)

// steps returns by how many cells an action moves a cursor.
func (a action) steps() (dx, dy int) {
	switch a {
	case goLeft:
		return -1, 0
	case goRight:
		return 1, 0
	case goUp:
		return 0, -1
	case goDown:
		return 0, 1
	}
	return 0, 0
}

// pointed does what a click on a zone of a picture means, given the place within the
// zone.
type pointed func(dx, dy int)
