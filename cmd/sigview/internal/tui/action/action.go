// Package action has the meanings of keys and clicks.
package action

// Action is the meaning of a key or a click.
type Action int

const (
	DoNothing Action = iota
	GoLeft
	GoRight
	GoUp
	GoDown
	NextView
	PreviousView
	Enter
	Leave
	PageDown
	PageUp
	HalfDown
	HalfUp
	GoFirst
	GoLast
	NextStage
	NextTag
	NextKind
	NextSender
	NextReceiver
	NextClass
	NextMetric
	TurnOrder
	MarkBegin
	MarkEnd
	SelectMarked
	ToggleBaseline
	ToggleIntervals
	NextOver
	NextRun
	PreviousRun
	ZoomIn
	ZoomOut
	LookAtAll
	NextSlowest
	PreviousSlowest
	NextWaiting
	PreviousWaiting
	ShowFindings
	AskFilter
	AskCommand
	AskExport
	CopyLine
	CopyRow
	Undo
	Redo
	NextTheme
	NewRun
	RunAgain
	ListRuns
	TestCause
	PauseRun
	StepRun
	StopRun
	ShowHelp
	Quit
)

const (
	PageRows = 10      // of a page of a list
	farAway  = 1 << 20 // beyond the end of any list
)

// Steps returns by how many cells an action moves a cursor.
func (a Action) Steps() (dx, dy int) {
	way := map[Action][2]int{
		GoLeft: {-1, 0}, GoRight: {1, 0}, GoUp: {0, -1}, GoDown: {0, 1}, PageUp: {0, -PageRows}, PageDown: {0, PageRows}, HalfUp: {0, -PageRows / 2}, HalfDown: {0, PageRows / 2},
		GoFirst: {-farAway, -farAway}, GoLast: {farAway, farAway},
	}[a]
	return way[0], way[1]
}

// Pointed does what a click on a zone of a picture means, given the place within the
// zone.
type Pointed func(dx, dy int)
