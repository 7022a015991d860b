package main

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/sigview/sigview/experiment"
)

// progressAfter is the time after which a progress bar appears.
const progressAfter = time.Second

// watch returns a function that shows progress on standard error, and one
// that clears it. Without a terminal, or when quiet, nothing is shown.
func (a *app) watch() (experiment.Watch, func()) {
	if a.quiet || !a.screen.errTerminal {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	begun := time.Now()
	show := func(p experiment.Progress) {
		if bar == nil {
			if time.Since(begun) < progressAfter {
				return
			}
			bar = a.newBar(p)
		}
		if p.Total > 0 && bar.GetMax64() != p.Total {
			bar.ChangeMax64(p.Total)
		}
		bar.Describe(p.Stage)
		_ = bar.Set64(p.Done) // a bar that cannot be drawn is not an error
	}
	return show, func() {
		if bar != nil {
			_ = bar.Clear()
		}
	}
}

func (a *app) newBar(p experiment.Progress) *progressbar.ProgressBar {
	total := p.Total
	if total <= 0 {
		total = -1
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString(p.Unit),
		progressbar.OptionClearOnFinish(),
	)
}
