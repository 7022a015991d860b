package explain

import (
	"errors"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// scan reads a table of operations batch by batch, if a run has one. The mean of several runs has
// none. Batches must not be kept.
func scan[R trace.Row](dir string, take func([]R) error) error {
	if members, err := rundir.Members(dir); err != nil || len(members) > 0 {
		return err
	}
	if err := rundir.Scan(dir, take); !errors.Is(err, rundir.ErrNoTable) {
		return err
	}
	return nil
}

// Windows reads what windows of time hold of the packets of a run: nothing of a short trace.
func Windows(dir string) (out []trace.WindowRow, err error) {
	err = rundir.Scan(dir, func(rows []trace.WindowRow) error { out = append(out, rows...); return nil })
	if errors.Is(err, rundir.ErrNoTable) {
		return nil, nil
	}
	return out, err
}

// ScanPackets reads a section of the packets of a run, if it has any. Batches must not be kept.
func ScanPackets(dir string, in rundir.Section, take func([]trace.PacketRow) error) error {
	if err := rundir.ScanSection(dir, in, take); !errors.Is(err, rundir.ErrNoTable) {
		return err
	}
	return nil
}
