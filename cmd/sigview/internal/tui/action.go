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
	halfDown
	halfUp
	goFirst
	goLast
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
	nextSlowest
	previousSlowest
	nextWaiting
	previousWaiting
	showFindings
	askFilter
	askCommand
	askExport
	copyLine
	nextTheme
	newRun
	runAgain
	listRuns
	testCause
	pauseRun
	stepRun
	stopRun
	showHelp
	quit
)

const (
	pageRows = 10      // of a page of a list
	farAway  = 1 << 20 // beyond the end of any list
)

// steps returns by how many cells an action moves a cursor.
func (a action) steps() (dx, dy int) {
	way := map[action][2]int{
		goLeft: {-1, 0}, goRight: {1, 0}, goUp: {0, -1}, goDown: {0, 1}, pageUp: {0, -pageRows}, pageDown: {0, pageRows}, halfUp: {0, -pageRows / 2}, halfDown: {0, pageRows / 2},
		goFirst: {-farAway, -farAway}, goLast: {farAway, farAway},
	}[a]
	return way[0], way[1]
}

// pointed does what a click on a zone of a picture means, given the place within the
// zone.
type pointed func(dx, dy int)
