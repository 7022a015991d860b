package page

import (
	"bytes"

	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/papers/judge"
)

// Files returns the pages of a validation, the first page first. Paths are relative to its directory. Links are the names of
// further pages in Dir that are there already, with what they show.
func Files(doc *judge.Document, papers []judge.Paper, links []Link) ([]atomicfile.File, error) {
	rows, err := csvFile(doc)
	if err != nil {
		return nil, err
	}
	var parts []part
	for _, p := range papers {
		part := part{Paper: p, studied: len(links) > 0}
		for _, r := range doc.Rows {
			if r.Paper == p.Name {
				part.rows = append(part.rows, r)
			}
		}
		if len(part.rows) > 0 {
			parts = append(parts, part)
		}
	}
	var first bytes.Buffer
	writeOverview(&first, doc, parts, links)
	var files []atomicfile.File
	add := func(path string, data []byte) { files = append(files, atomicfile.File{Path: path, Data: data}) }
	add(pagesDir+".md", first.Bytes())
	add(pagesDir+"/"+rowsFile, rows)
	for _, p := range parts {
		if p.measured() == 0 {
			continue
		}
		var page bytes.Buffer
		p.write(&page)
		add(pagesDir+"/"+p.Name+".md", page.Bytes())
		if figures := p.figures(); len(figures) > 0 {
			add(pagesDir+"/"+p.Name+".svg", []byte(picture(p.Name, figures)))
		}
	}
	return files, nil
}
