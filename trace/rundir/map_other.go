//go:build !unix

package rundir

import "github.com/sigview/sigview/internal/inputfile"

// mapped returns a file's content.
func mapped(path string) (data []byte, forget, release func(), err error) {
	data, err = inputfile.Read(path, inputfile.Data)
	return data, func() {}, func() {}, err
}
