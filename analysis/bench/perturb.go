package bench

import "slices"

// Perturb is what the monitor costs: times of message programs and applications under several builds of the
// firmware.
type Perturb struct {
	Platform     string        `json:"platform"`
	Seed         uint64        `json:"seed"`
	Points       []Perturbed   `json:"points"`
	Applications []Application `json:"applications"`
	Remarks      []string      `json:"remarks"`
}

// Firmware is a build of the firmware, and what it traces.
type Firmware struct {
	Build string `json:"build"`
	Trace string `json:"trace,omitempty"` // "": nothing
}

// String returns the name of the build, or "trace" if it traces.
func (f Firmware) String() string {
	if f.Trace != "" {
		return "trace"
	}
	return f.Build
}

// Perturbed is the result of a message program at one size under one build. A figure that the program does not
// measure is nil. OneWayUs is RTT/2, MBps is in 10⁶ bytes per second.
type Perturbed struct {
	Firmware
	Test      string   `json:"test"`
	SizeBytes int64    `json:"size_bytes"`
	OneWayUs  *float64 `json:"one_way_us"`
	MBps      *float64 `json:"bandwidth_MBps"`
	OsUs      *float64 `json:"os_us"`
}

// Application is the run time of an application under one build, with its parts as means over the nodes.
type Application struct {
	Workload string `json:"workload"`
	Firmware
	RunTimeS float64 `json:"run_time_s"`
	Shares   []Part  `json:"shares"`
	// NotRecorded is the number of samples that the monitor missed on a card that does not wait for it.
	NotRecorded int64 `json:"not_recorded"`
}

// Part is a part of a run time, in seconds.
type Part struct {
	Name string  `json:"name"`
	S    float64 `json:"time_s"`
}

// Firmwares returns the builds in the order in which they were measured.
func (p *Perturb) Firmwares() (all []Firmware) {
	seen := map[Firmware]bool{}
	add := func(f Firmware) {
		if !seen[f] {
			seen[f], all = true, append(all, f)
		}
	}
	for _, x := range p.Points {
		add(x.Firmware)
	}
	for _, x := range p.Applications {
		add(x.Firmware)
	}
	return all
}

// PerturbFigure is a figure that a message program measures. Of returns it, nil if it was not measured.
type PerturbFigure struct {
	Name, Test, Title, Unit string
	Of                      func(Perturbed) *float64
}

// PerturbFigures returns the figures in the order in which they are shown.
func PerturbFigures() []PerturbFigure {
	rate := func(p Perturbed) *float64 { return p.MBps }
	return []PerturbFigure{
		{"stream", "stream", "Stream: bandwidth", "MB/s", rate},
		{"send-overhead", "stream", "Stream: time inside send while the queue has room", "µs", func(p Perturbed) *float64 { return p.OsUs }},
		{"one-way", "pingpong", "Pingpong: one-way time (RTT/2)", "µs", func(p Perturbed) *float64 { return p.OneWayUs }},
		{"pingpong", "pingpong", "Pingpong: bandwidth", "MB/s", rate},
		{"simultaneous", "simultaneous", "Simultaneous: bandwidth", "MB/s", rate},
	}
}

// Sizes returns the message sizes at which a figure was measured.
func (p *Perturb) Sizes(f PerturbFigure) (sizes []int64) {
	seen := map[int64]bool{}
	for _, x := range p.Points {
		if x.Test == f.Test && f.Of(x) != nil && !seen[x.SizeBytes] {
			seen[x.SizeBytes], sizes = true, append(sizes, x.SizeBytes)
		}
	}
	return sizes
}

// At returns a figure of a build at a size, nil if it was not measured.
func (p *Perturb) At(f PerturbFigure, with Firmware, size int64) *float64 {
	if x := p.Find(with, f.Test, size); x != nil {
		return f.Of(*x)
	}
	return nil
}

// Find returns what a message program measured at a size, nil if it did not.
func (p *Perturb) Find(with Firmware, test string, size int64) *Perturbed {
	i := slices.IndexFunc(p.Points, func(x Perturbed) bool { return x.Firmware == with && x.Test == test && x.SizeBytes == size })
	if i < 0 {
		return nil
	}
	return &p.Points[i]
}

// Loss returns by how many per cent the build lowers a test's bandwidth, against the build without a monitor.
// ok is false unless both were measured.
func (p *Perturb) Loss(build, test string, size int64) (pct float64, ok bool) {
	return p.against(build, test, size, func(off, on *Perturbed) float64 { return 100 * (1 - *on.MBps / *off.MBps) })
}

// Added returns by how many µs the build raises the one-way time. ok is false unless both builds were measured.
func (p *Perturb) Added(build string, size int64) (us float64, ok bool) {
	return p.against(build, "pingpong", size, func(off, on *Perturbed) float64 { return *on.OneWayUs - *off.OneWayUs })
}

// Overhead returns by how many µs the build raises the send overhead. ok is false unless both builds were
// measured.
func (p *Perturb) Overhead(build string, size int64) (us float64, ok bool) {
	return p.against(build, "stream", size, func(off, on *Perturbed) float64 { return *on.OsUs - *off.OsUs })
}

// against returns f of the results without a monitor (off) and with the build (on).
func (p *Perturb) against(build, test string, size int64, f func(off, on *Perturbed) float64) (v float64, ok bool) {
	off, on := p.Find(Firmware{Build: "off"}, test, size), p.Find(Firmware{Build: build}, test, size)
	if off == nil || on == nil {
		return 0, false
	}
	return f(off, on), true
}
