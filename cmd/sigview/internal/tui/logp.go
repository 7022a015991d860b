package tui

import "github.com/sigview/sigview/cmd/sigview/internal/tui/cell"

// drawLogP says that there is nothing to draw: no run of this version holds
// measurements of message cost against the number of messages.
func drawLogP(c *cell.Canvas, _ *State, _ *Data) {
	y := c.Para(1, 1, "LogP: message cost against the number of messages, for each pause between them.", cell.Strong)
	y = c.Para(1, y+1, "This version of sigview does not measure it, so no directory holds anything to show here.", cell.Plain)
	c.Para(1, y+1, "Nearest to it: sigview perturb measures one-way latency, overhead and bandwidth against message size.", cell.Faint)
}

func noTable(*State, *Data) table { return table{} }
