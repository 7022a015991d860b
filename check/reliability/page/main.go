// Program page makes docs/reliability.md of the files in testdata/reliability. It runs in the
// root of the source tree.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sigview/sigview/check/reliability"
	"github.com/sigview/sigview/internal/atomicfile"
)

func main() {
	page, err := reliability.Page(filepath.Join("testdata", "reliability"))
	if err == nil {
		err = atomicfile.WriteBytes(filepath.Join("docs", "reliability.md"), []byte(page))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
