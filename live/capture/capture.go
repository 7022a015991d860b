package capture

import (
	"cmp"
	"context"
	"io"

	"github.com/sigview/sigview/trace"
)

// Spec says which captures become a run.
type Spec struct {
	Files     [2]string // captures of the same traffic, at both ends
	SameClock bool      // the stamps of both are of one clock
	// Read, if there is one, is told now and then how much has been read of the captures, in bytes.
	Read func(done, total int64) `json:"-"`
}

// Import makes a run of two captures. Node 0 is at the end of the first one, whose clock is that of the run.
// Memory does not grow with the number of packets.
//
// It returns an error if a file is no capture or damaged, if the two share no packets by which ends and clocks
// can be told, or if ctx ends. Errors of captures are mistakes in how the program was called.
func Import(ctx context.Context, spec Spec) (*trace.Run, error) {
	var files [2]*File
	for i, path := range spec.Files {
		f, err := open(path)
		if err != nil {
			return nil, err
		}
		// To the end of Import: what is read twice is in temporary files.
		defer f.body.Close()
		files[i] = f
	}
	if spec.Read != nil {
		spec.follow(files)
	}
	s, err := read(ctx, files)
	if err != nil {
		return nil, err
	}
	// Ends come first: until they are known, nothing tells which capture saw a packet leave.
	probes := s.probes(ctx, files)
	at := find(probes.All(), spec.SameClock)
	// Iterators end early at an error, which only these tell.
	if err := cmp.Or(ctx.Err(), s.all.Err(), probes.Err()); err != nil {
		return nil, err
	}
	both := files[0].found() + "; " + files[1].found()
	const oneWay = "shares packets in one direction only with %s, by which two clocks cannot be compared: wanted replies too, or --same-clock for captures on one host. %s"
	switch {
	case probes.Len() == 0:
		return nil, files[1].wrong("has no packet that %s has too, wanted captures of the same traffic, between which no address is translated and no tunnel begins. %s", files[0].path, both)
	case len(at) == 0 && spec.SameClock:
		return nil, files[1].wrong("and %s have stamps that do not tell at which end packets are sent, wanted captures at two ends, by one clock. %s", files[0].path, both)
	case len(at) == 0:
		return nil, files[1].wrong(oneWay, files[0].path, both)
	}
	j, err := s.join(ctx, at)
	if err != nil {
		return nil, err
	}
	for e, n := range j.doubles {
		files[e].Doubles += n
	}
	r := records{files: files, spec: spec, observations: s, ends: at, clocks: clocks{grainNs: max(files[0].grainNs, files[1].grainNs)}, foreign: j.foreign}
	// Packets in both directions bound the offset of the clocks; see epoch.
	if !spec.SameClock {
		r.clocks = compareClocks(until(ctx, j.out.All()), r.clocks.grainNs)
		if len(r.clocks.knots) == 0 {
			return nil, files[1].wrong(oneWay, files[0].path, both)
		}
	}
	if err := r.place(); err != nil {
		return nil, err
	}
	if err := r.take(until(ctx, j.out.All())); err != nil {
		return nil, err
	}
	if err := cmp.Or(ctx.Err(), j.out.Err()); err != nil {
		return nil, err
	}
	return r.run()
}

// follow tells how much has been read of both files together, from now on.
func (s *Spec) follow(files [2]*File) {
	var at [2]int64
	for i, f := range files {
		f.read = func() {
			if n, err := f.body.Seek(0, io.SeekCurrent); err == nil { // of a pipe it is not known
				at[i] = n
				s.Read(at[0]+at[1], files[0].Bytes+files[1].Bytes)
			}
		}
	}
}
