package histo

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
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

	maxLogLine  = 16 << 20
	maxCounters = 1 << 20
)

// WriteLog writes a log of format 1.3 that HdrHistogram's own tools read. The
// clock of the run starts at zero. Each of comments becomes a comment line.
func WriteLog(w io.Writer, intervals []Interval, comments ...string) error {
	b := bufio.NewWriter(w)
	for _, c := range comments {
		if strings.ContainsAny(c, "\r\n") || strings.HasPrefix(c, "[StartTime") || strings.HasPrefix(c, "[BaseTime") {
			return fmt.Errorf("histo: log comment: %q, want one line that is no header", c)
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

// LogError is a line of a log that cannot be read.
type LogError struct {
	Line int // from 1
	Err  error
}

func (e *LogError) Error() string { return fmt.Sprintf("histo: log line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *LogError) Unwrap() error { return e.Err }

// ReadLog reads a log. Unlike the library's reader it refuses what it cannot
// parse, with a *LogError, and histograms of more than a million counters.
func ReadLog(r io.Reader) ([]Interval, error) {
	var list []Interval
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, maxLogLine)
	n := 0
	for scan.Scan() {
		n++
		line := strings.TrimSuffix(scan.Text(), "\r")
		switch {
		case strings.HasPrefix(line, logVersions):
			if err := checkVersion(line); err != nil {
				return nil, &LogError{n, err}
			}
			continue
		case line == "", line[0] == '#', strings.HasPrefix(line, `"`):
			continue
		}
		v, err := parseInterval(line)
		if err != nil {
			return nil, &LogError{n, err}
		}
		list = append(list, v)
	}
	if err := scan.Err(); err != nil {
		return nil, &LogError{n + 1, err}
	}
	return list, nil
}

func checkVersion(line string) error {
	v := strings.TrimSuffix(strings.TrimPrefix(line, logVersions), "]")
	switch v {
	case "1.0", "1.1", "1.2", logVersion:
		return nil
	}
	return fmt.Errorf("format version %q, want 1.0 to %s", v, logVersion)
}

func parseInterval(line string) (Interval, error) {
	var v Interval
	if rest, ok := strings.CutPrefix(line, "Tag="); ok {
		v.Tag, line, ok = strings.Cut(rest, ",")
		if !ok {
			return v, fmt.Errorf("tag: no comma after it")
		}
	}
	fields := strings.Split(line, ",")
	if len(fields) != 4 {
		return v, fmt.Errorf("%d fields, want start, length, maximum, histogram", len(fields))
	}
	var err error
	if v.StartNs, err = parseSeconds(fields[0]); err != nil {
		return v, fmt.Errorf("start: %w", err)
	}
	if v.LengthNs, err = parseSeconds(fields[1]); err != nil {
		return v, fmt.Errorf("length: %w", err)
	}
	if m, err := strconv.ParseFloat(fields[2], 64); err != nil || math.IsNaN(m) || m < 0 {
		return v, fmt.Errorf("maximum: %q, want a number that is not negative", clip(fields[2]))
	}
	if err := checkGeometry(fields[3]); err != nil {
		return v, fmt.Errorf("histogram: %w", err)
	}
	if v.Hist, err = hdrhistogram.Decode([]byte(fields[3])); err != nil {
		return v, fmt.Errorf("histogram: %w", err)
	}
	v.Hist.SetTag(v.Tag)
	if err := v.validate(); err != nil {
		return v, err
	}
	return v, nil
}

// parseSeconds reads decimal seconds as nanoseconds; digits below are cut.
func parseSeconds(s string) (int64, error) {
	whole, part, _ := strings.Cut(s, ".")
	bad := fmt.Errorf("%q, want seconds such as 12.5", clip(s))
	sec, err := strconv.ParseUint(whole, 10, 63)
	if err != nil || sec > math.MaxInt64/1_000_000_000-1 {
		return 0, bad
	}
	ns := int64(sec)
	for i := range max(9, len(part)) {
		digit := int64(0)
		if i < len(part) {
			if part[i] < '0' || part[i] > '9' {
				return 0, bad
			}
			digit = int64(part[i] - '0')
		}
		if i < 9 {
			ns = ns*10 + digit
		}
	}
	return ns, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// checkGeometry looks at the header of an encoded histogram before it is
// decoded: the decoder allocates whatever range and precision it names.
func checkGeometry(payload string) error {
	raw, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return err
	}
	if len(raw) < 8 {
		return fmt.Errorf("%d bytes, want a header of 8", len(raw))
	}
	z, err := zlib.NewReader(bytes.NewReader(raw[8:]))
	if err != nil {
		return err
	}
	var header [hdrhistogram.ENCODING_HEADER_SIZE]byte
	if _, err := io.ReadFull(z, header[:]); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("header is cut off")
		}
		return err
	}
	digits := int32(binary.BigEndian.Uint32(header[12:]))
	lowest := int64(binary.BigEndian.Uint64(header[16:]))
	highest := int64(binary.BigEndian.Uint64(header[24:]))
	if digits < 0 || digits > 5 {
		return fmt.Errorf("%d significant digits, want 0 to 5", digits)
	}
	if highest < 1 {
		return fmt.Errorf("highest value %d, want at least 1", highest)
	}
	// Two sub-buckets per smallest step and one half of them more for every
	// further doubling of the range.
	half := uint64(1) << bits.Len64(uint64(math.Pow10(int(digits))))
	doublings := max(0, bits.Len64(uint64(highest))-bits.Len64(uint64(max(lowest, 1)))-bits.Len64(half)+2)
	if n := half * uint64(doublings+2); n > maxCounters {
		return fmt.Errorf("%d digits from %d to %d take about %d counters, want at most %d", digits, lowest, highest, n, maxCounters)
	}
	return nil
}
