package judge

import (
	"fmt"
	"io"
	"strings"

	"github.com/sigview/sigview"
)

// Paper is a source of the table.
type Paper struct{ Name, Authors, Title, Year, Venue string }

// Citation returns author, title, venue and year.
func (p Paper) Citation() string {
	return fmt.Sprintf("%s. *%s*. %s, %s.", p.Authors, p.Title, p.Venue, p.Year)
}

// parsePapers reads a list of papers. The name appears in errors.
func parsePapers(name string, r io.Reader) (list []Paper, err error) {
	err = eachRecord(name, r, []string{"paper", "authors", "title", "year", "venue"}, func(rec record) error {
		list = append(list, Paper{rec.get("paper"), rec.get("authors"), rec.get("title"), rec.get("year"), rec.get("venue")})
		return nil
	})
	return list, err
}

// Papers returns the sources of the table that the binary carries.
func Papers() ([]Paper, error) {
	return parsePapers("testdata/papers.csv", strings.NewReader(sigview.Papers()))
}
