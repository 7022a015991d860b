package sigview

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exact are functions of package math that are exact or correctly rounded on every processor.
var exact = []string{
	"Abs", "Ceil", "Copysign", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp",
	"Max", "Min", "Mod", "NaN", "Nextafter", "Pow10", "Remainder", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
}

// otherDigits are the files that use others, of special values.
var otherDigits = []string{"internal/portable/functions.go"}

var ofMath = regexp.MustCompile(`\bmath\.([A-Z]\w*)\(`)

// TestFunctionsHaveTheSameDigitsEverywhere: the others have assembly on some processors, or products
// that compilers fuse with sums on some. Gonum, which has both, is kept out by the import table.
func TestFunctionsHaveTheSameDigitsEverywhere(t *testing.T) {
	var found []string
	for _, u := range readUnits(t, ".") {
		files, err := filepath.Glob(filepath.Join(u.path, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			other := slices.ContainsFunc(ofMath.FindAllStringSubmatch(string(text), -1), func(m []string) bool { return !slices.Contains(exact, m[1]) })
			if other && !strings.HasSuffix(file, "_test.go") {
				found = append(found, filepath.ToSlash(file))
			}
		}
	}
	slices.Sort(found)
	require.Equal(t, otherDigits, found, "use internal/portable")
}
