package bench

// Bandwidth is a layer's bandwidth over message sizes.
type Bandwidth struct {
	Place
	Test     string           `json:"test" work:"yes"`
	Points   []BandwidthPoint `json:"points"`
	Warnings []string         `json:"warnings"`
}

// BandwidthPoint is the bandwidth at one message size. MBps is in 10⁶ bytes per second: for pingpong the size
// over the one-way time, for a stream its rate, for simultaneous the rate of both directions together. OneWayUs
// is RTT/2 of pingpong, nil for other tests.
type BandwidthPoint struct {
	SizeBytes int64    `json:"size_bytes"`
	MBps      float64  `json:"bandwidth_MBps"`
	OneWayUs  *float64 `json:"one_way_us"`
}
