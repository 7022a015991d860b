package bench

// Bandwidth is a layer's bandwidth over message sizes.
type Bandwidth struct {
	Place
	Test     string           `json:"test" work:"yes"`
	Points   []BandwidthPoint `json:"points"`
	Warnings []string         `json:"warnings"`
}

// BandwidthPoint is one size. MBps is in 10⁶ bytes per second: size over one-way time
// (pingpong), the rate of a stream, or that of two opposite streams together
// (simultaneous). OneWayUs is RTT/2 of pingpong, null in the other tests.
type BandwidthPoint struct {
	SizeBytes int64    `json:"size_bytes"`
	MBps      float64  `json:"bandwidth_MBps"`
	OneWayUs  *float64 `json:"one_way_us"`
}
