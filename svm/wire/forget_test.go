package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/svm"
)

// TestRingsHoldOnlyWhatIsNotRead: of many letters those leave memory behind that the
// interface may not have fetched.
func TestRingsHoldOnlyWhatIsNotRead(t *testing.T) {
	c, ports := connect(t, 6, 1, ring, nil)
	var letters []letter
	for i := range 2500 {
		letters = append(letters, letter{0, 1 + i/500, svm.Request, make([]byte, 52)})
	}
	exchange(t, c, ports, letters, false, 0)
	require.LessOrEqual(t, ports[0].Held(), 2, "one staging copy, one page of credits")
	for _, p := range ports[1:] {
		require.LessOrEqual(t, p.Held(), 1, "one page of credits")
	}
}
