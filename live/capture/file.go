package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/sigview/sigview/internal/inputfile"
)

// File says what a capture is, as the specification of a run has it.
type File struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"`
	Form    string `json:"form"` // with the resolution of stamps
	Link    string `json:"link"`
	Host    string `json:"host,omitempty"` // as the capture describes it
	Packets int64  `json:"packets"`
	Other   int64  `json:"not_ip,omitempty"`  // of other protocols, or cut off within the headers
	Partial int64  `json:"partial,omitempty"` // datagrams of which fragments are missing
	Doubles int64  `json:"doubles,omitempty"` // packets that it has already

	path    string
	link    layers.LinkType
	snap    int    // bytes of a packet that are kept at most
	grainNs int64  // resolution of stamps
	cut     bool   // the file ends within a packet
	dropped uint64 // by the capture itself, as far as the file tells
	first   int64  // stamps
	last    int64
	rest    remains
	body    *os.File
	packets source
	read    func() // tells how much has been read; nil: nobody wants to know
}

// source gives packets, each until the next one.
type source interface {
	ZeroCopyReadPacketData() ([]byte, gopacket.CaptureInfo, error)
}

// readError is a capture that cannot be read: bad input. It names the file.
type readError struct {
	file string
	err  error
}

func (e *readError) Error() string { return fmt.Sprintf("capture %s: %v", e.file, e.err) }

func (e *readError) Unwrap() error { return e.err }

// Usage marks the error as a mistake in how the program was called.
func (e *readError) Usage() bool { return true }

// wrong returns the error of a capture, whose name stands before the text.
func (f *File) wrong(format string, args ...any) error {
	return &readError{f.path, fmt.Errorf(format, args...)}
}

// errNoCapture is a file without the beginning of a capture.
var errNoCapture = errors.New("is no capture, wanted pcap or pcapng, as tcpdump and dumpcap write them")

// open opens a capture and reads its header. It returns an error if the file cannot be read, or is no capture
// of a link that is known.
func open(path string) (*File, error) {
	f := &File{path: path, Name: filepath.Base(path)}
	var err error
	if f.body, f.Bytes, err = inputfile.Open(path); err != nil {
		return nil, &readError{path, inputfile.Cause(err)}
	}
	if err := f.begin(f.body); err != nil {
		f.body.Close()
		return nil, &readError{path, err}
	}
	return f, nil
}

// begin reads the header of a capture.
func (f *File) begin(from io.ReadSeeker) error {
	// First as pcap, then as pcapng: each begins with a number of its own.
	if r, err := pcapgo.NewReader(from); err == nil {
		f.packets, f.link, f.snap = r, r.LinkType(), int(min(r.Snaplen(), mostSnap))
		return f.describe("pcap", r.Resolution())
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r, err := pcapgo.NewNgReader(from, pcapgo.NgReaderOptions{
		// Packets of two links would need two ways to read them.
		ErrorOnMismatchingLinkType: true,
		StatisticsCallback:         func(_ int, s pcapgo.NgInterfaceStatistics) { f.lost(s.PacketsDropped) },
	})
	if err != nil {
		return errNoCapture
	}
	first, err := r.Interface(0)
	if err != nil {
		return errNoCapture
	}
	f.packets, f.link, f.snap = r, r.LinkType(), int(min(first.SnapLength, mostSnap))
	about := r.SectionInfo()
	for _, words := range []string{about.Hardware, about.OS, about.Application} {
		if f.Host != "" && words != "" {
			f.Host += ", "
		}
		f.Host += words
	}
	return f.describe("pcapng", r.Resolution())
}

// lost counts packets that the capture has dropped. All ones stand for an unknown number.
func (f *File) lost(packets uint64) {
	if packets != pcapgo.NgNoValue64 {
		f.dropped = max(f.dropped, packets)
	}
}

// describe fills in what is said of the capture. It returns an error for a link whose packets cannot be read.
func (f *File) describe(form string, grain gopacket.TimestampResolution) error {
	if !readable(f.link) {
		return fmt.Errorf("has packets of link type %d, wanted Ethernet, Linux cooked or IP without a link", f.link)
	}
	f.grainNs = max(int64(grain.ToDuration()), 1)
	f.Form = fmt.Sprintf("%s, stamps of %d ns", form, f.grainNs)
	f.Link = f.link.String()
	if f.snap == 0 {
		f.snap = mostSnap
	}
	return nil
}

// mostSnap stands for captures of whole packets.
const mostSnap = 1 << 30

// latest is the last stamp that is taken, in ns since 1970, in the year 2116; the first one, in 1823, is as much before.
const latest = 1 << 62

// each calls take for every packet with its stamp, in ns since 1970, and its length on the wire, in bytes. A
// file that ends within a packet is cut, which is no error. It returns the errors of a damaged file, of take
// and of ctx.
func (f *File) each(ctx context.Context, take func(frame []byte, length int, stamp int64) error) error {
	for {
		frame, info, err := f.packets.ZeroCopyReadPacketData()
		switch {
		case err == io.EOF && info.CaptureLength == 0:
			return nil
		case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
			f.cut = true
			return nil
		case err != nil:
			return f.wrong("packet %d: %v", f.Packets+1, err)
		}
		f.Packets++
		stamp := info.Timestamp.UnixNano()
		// Some links give packets without a stamp, which is in the year 1; UnixNano overflows beyond latest.
		if s := info.Timestamp.Unix(); max(s, -s) > latest/1_000_000_000 {
			return f.wrong("packet %d has no stamp, wanted one from 1824 to 2116", f.Packets)
		}
		// Every 4,096 packets.
		if f.Packets&0xfff == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if f.read != nil {
				f.read()
			}
		}
		if err := take(frame, min(info.Length, mostSnap), stamp); err != nil {
			return err
		}
	}
}
