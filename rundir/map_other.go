//go:build !unix

package rundir

import "os"

// mapped returns a file's content.
func mapped(path string) (data []byte, forget, release func(), err error) {
	data, err = os.ReadFile(path)
	return data, func() {}, func() {}, err
}
