package experiment

import (
	"strings"

	"github.com/sigview/sigview/experiment/validate"
)

// rowChecks says how rows of the published table are measured. Rows that
// share an experiment share it through validate.Once.
func rowChecks(seed uint64) map[string]validate.Check {
	return map[string]validate.Check{}
}

// calibratedRows says which rows set a parameter of a platform profile.
func calibratedRows() map[string]string {
	return map[string]string{}
}

// livePaper is the source whose set-up the model contains.
const livePaper = "shrimp"

// absentLayers are parts of that set-up that the model does not contain yet.
var absentLayers = map[string]string{
	"SVM/HLRC + RADIX":              "the RADIX program",
	"SVM/HLRC FFT + RADIX together": "several programs at a time",
	"NX + Gaussian elimination":     "NX message passing",
	"stream sockets on SHRIMP":      "stream sockets",
	"SHRIMP-II hardware monitor":    "the monitor on a board of its own",
}

// notModelled says what a row needs that the model does not contain.
func notModelled(row validate.Row) (string, bool) {
	if row.Paper != livePaper {
		return "another paper's systems", true
	}
	if strings.HasPrefix(row.Note, "FUTURE") {
		return "future work of the paper", true
	}
	what, absent := absentLayers[row.Layer]
	return what, absent
}
