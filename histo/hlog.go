package histo

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Interval is one line of an HdrHistogram log: a tagged histogram and the time
// it covers. Values are nanoseconds.
type Interval struct {
	Tag      string // without comma, space or line break; may be empty
	StartNs  int64  // since the start of the run
	LengthNs int64
	Hist     *hdrhistogram.Histogram
}

const (
	logVersion  = "1.3"
	logVersions = "#[Histogram log format version "
	logLegend   = `"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"`

	// nsPerLogUnit divides values for the Interval_Max column, which the format
	// gives in milliseconds.
	nsPerLogUnit = 1_000_000
)

// WriteLog writes a log of format 1.3 that HdrHistogram's own tools read. The
// clock of the run starts at zero. Each of comments becomes a comment line.
func WriteLog(w io.Writer, intervals []Interval, comments ...string) error {
	b := bufio.NewWriter(w)
	for _, c := range comments {
		if strings.ContainsAny(c, "\r\n") || strings.HasPrefix(c, "[StartTime") || strings.HasPrefix(c, "[BaseTime") {
			return fmt.Errorf("histo: log comment: %q, want one line, and no header", c)
		}
		fmt.Fprintf(b, "#%s\n", c)
	}
	fmt.Fprintf(b, "%s%s]\n", logVersions, logVersion)
	b.WriteString("#[StartTime: 0.000 (seconds since epoch), 1970-01-01T00:00:00Z]\n")
	b.WriteString("#[BaseTime: 0.000 (seconds since epoch)]\n")
	b.WriteString(logLegend + "\n")
	for i, v := range intervals {
		if err := v.validate(); err != nil {
			return fmt.Errorf("histo: log interval %d: %w", i, err)
		}
		payload, err := v.Hist.EncodeV2()
		if err != nil {
			return fmt.Errorf("histo: log interval %d (%q): %w", i, v.Tag, err)
		}
		if v.Tag != "" {
			fmt.Fprintf(b, "Tag=%s,", v.Tag)
		}
		fmt.Fprintf(b, "%s,%s,%.6f,%s\n", seconds(v.StartNs), seconds(v.LengthNs),
			float64(v.Hist.Max())/nsPerLogUnit, payload)
	}
	return b.Flush()
}

func (v Interval) validate() error {
	switch {
	case strings.ContainsAny(v.Tag, ", \r\n"):
		return fmt.Errorf("tag: %q, want no comma, space or line break", v.Tag)
	case v.StartNs < 0 || v.LengthNs < 0:
		return fmt.Errorf("tag %q: start %d ns and length %d ns, want neither negative", v.Tag, v.StartNs, v.LengthNs)
	case v.Hist == nil:
		return fmt.Errorf("tag %q: no histogram", v.Tag)
	}
	return nil
}

// seconds writes nanoseconds as decimal seconds without loss.
func seconds(ns int64) string { return fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9) }
