package histo

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

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

// WriteLog writes a log of format 1.3 that HdrHistogram's own tools read, of a run that began at an instant;
// where that is not known, or the clock is a simulated one, it is zero and the log begins in 1970. Each of comments becomes a comment line. It returns an error if a comment is more than a line or reads as a
// header, if an interval is not fit for a log, or if w cannot be written.
func WriteLog(w io.Writer, began time.Time, intervals []Interval, comments ...string) error {
	b := bufio.NewWriter(w)
	for _, c := range comments {
		// The tools read such lines as the times of the log.
		if strings.ContainsAny(c, "\r\n") || strings.HasPrefix(c, "[StartTime") || strings.HasPrefix(c, "[BaseTime") {
			return fmt.Errorf("histo: log comment: %q, want one line, and no header", c)
		}
		fmt.Fprintf(b, "#%s\n", c)
	}
	fmt.Fprintf(b, "%s%s]\n", logVersions, logVersion)
	if began.IsZero() {
		began = time.Unix(0, 0)
	}
	since := float64(began.UnixMilli()) / 1000
	fmt.Fprintf(b, "#[StartTime: %.3f (seconds since epoch), %s]\n", since, began.UTC().Format(time.RFC3339))
	fmt.Fprintf(b, "#[BaseTime: %.3f (seconds since epoch)]\n", since)
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

// validate returns an error that names a tag which the format would split, a negative time or a missing
// histogram.
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

// ReadLog reads a log that WriteLog wrote. An error names the line that is damaged.
func ReadLog(data []byte) (intervals []Interval, err error) {
	defer func() { // the library panics on damaged histograms
		if r := recover(); r != nil {
			intervals, err = nil, fmt.Errorf("damaged: %v", r)
		}
	}()
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || line == logLegend || strings.HasPrefix(line, "#") {
			continue
		}
		v, err := readInterval(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		intervals = append(intervals, v)
	}
	return intervals, nil
}

func readInterval(line string) (v Interval, err error) {
	if tag, rest, ok := strings.Cut(line, ","); ok && strings.HasPrefix(tag, "Tag=") {
		v.Tag, line = strings.TrimPrefix(tag, "Tag="), rest
	}
	// Begin, length, largest value, histogram; the third is in the fourth too.
	fields := strings.Split(line, ",")
	if len(fields) != 4 {
		return v, fmt.Errorf("%d fields after the tag, wanted 4", len(fields))
	}
	if v.StartNs, err = nanoseconds(fields[0]); err != nil {
		return v, err
	}
	if v.LengthNs, err = nanoseconds(fields[1]); err != nil {
		return v, err
	}
	if v.Hist, err = hdrhistogram.Decode([]byte(fields[3])); err != nil {
		return v, fmt.Errorf("histogram: %w", err)
	}
	v.Hist.SetTag(v.Tag)
	return v, v.validate()
}

// nanoseconds is the inverse of seconds.
func nanoseconds(text string) (int64, error) {
	// 32 bits hold 136 years in seconds, and any nine decimals.
	whole, part, _ := strings.Cut(text, ".")
	s, err := strconv.ParseUint(whole, 10, 32)
	ns, err2 := strconv.ParseUint(part, 10, 32)
	if err != nil || err2 != nil || len(part) != 9 {
		return 0, fmt.Errorf("time %q: wanted seconds with nine decimals", text)
	}
	return int64(s)*1e9 + int64(ns), nil
}

// ticksPerHalf is the number of percentiles between one and the next half of the rest.
const ticksPerHalf = 5

// WritePercentiles writes a histogram of nanoseconds as the table of percentiles that
// HdrHistogram's own tools plot, in microseconds. Each of comments becomes a comment line.
func WritePercentiles(w io.Writer, h *hdrhistogram.Histogram, comments ...string) error {
	if _, err := h.PercentilesPrint(w, ticksPerHalf, 1000); err != nil {
		return err
	}
	for _, c := range comments {
		if _, err := fmt.Fprintf(w, "#%s\n", c); err != nil {
			return err
		}
	}
	return nil
}
