package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report/chart/cell"
)

// progressAfter is the time after which a progress bar appears.
const progressAfter = time.Second

// watch returns a function that shows progress on standard error, and one
// that clears it. Without a terminal, or when quiet, nothing is shown. The
// views show the progress of commands that they run.
func (a *app) watch() (experiment.Watch, func()) {
	if a.follow != nil {
		return a.follow, func() {}
	}
	if a.quiet || !a.screen.errTerminal {
		return nil, func() {}
	}
	begun := time.Now()
	var bar *progressbar.ProgressBar
	total, since := int64(-1), begun // of what is being done
	clear := func() {
		if bar != nil {
			_ = bar.Clear()
		}
		bar = nil
	}
	show := func(p experiment.Progress) {
		if p.Total != total {
			clear()
			total, since = p.Total, time.Now()
		}
		if time.Since(begun) < progressAfter {
			return
		}
		if bar == nil {
			bar = a.newBar(p, described(p, time.Since(since)))
		}
		_ = bar.Set64(p.Done) // a bar that cannot be drawn is not an error
		bar.Describe(described(p, time.Since(since)))
	}
	return show, clear
}

// described is the text before the bar: what is done, and the time left.
func described(p experiment.Progress, since time.Duration) string {
	text := doing(p)
	if left := timeLeft(p, since); left != "" {
		text += ", about " + left + " left"
	} else if p.SimulatedNs > 0 {
		text += ", its end is not known"
	}
	return cell.Visible(text)
}

// doing says what is done, and how much of it.
func doing(p experiment.Progress) string {
	switch {
	case p.SimulatedNs > 0:
		return fmt.Sprintf("%s, %.3f s simulated, %s packets", p.Stage, float64(p.SimulatedNs)/1e9, analysis.Digits(p.Packets))
	case p.Total == 0 && p.Packets > 0:
		return fmt.Sprintf("%s, %s %s", p.Stage, analysis.Digits(p.Packets), p.Unit)
	}
	return p.Stage
}

// timeLeft is the time left if it goes on as fast as since it began, "" if its end is not known.
func timeLeft(p experiment.Progress, since time.Duration) string {
	if p.Done == 0 || p.Total == 0 {
		return ""
	}
	left := time.Duration(float64(since) * (float64(p.Total)/float64(p.Done) - 1))
	return left.Round(time.Second).String()
}

// newBar makes a bar with the share that is done, and with the numbers if they have a
// unit. Without a total it only shows that something moves.
func (a *app) newBar(p experiment.Progress, text string) *progressbar.ProgressBar {
	total := p.Total
	if total == 0 {
		total = -1
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionSetDescription(text),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(),
	}
	if p.Unit != "" {
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(p.Unit))
	}
	return progressbar.NewOptions64(total, options...)
}
