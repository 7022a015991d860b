package chart

import (
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/goregular"
)

// PDF writes the figure as a page of its size, with its font.
func (f *Figure) PDF(w io.Writer) error {
	const point = 72 / inch
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: f.Width * point, Ht: f.Height * point}})
	doc.SetCatalogSort(true)
	doc.SetCreationDate(time.Unix(0, 0).UTC()) // the same figure has the same bytes
	doc.SetModificationDate(time.Unix(0, 0).UTC())
	doc.SetTitle(f.Title, true)
	doc.SetSubject(f.Made, true)
	doc.SetCreator("sigview", true)
	doc.SetAutoPageBreak(false, 0)
	doc.AddUTF8FontFromBytes(pdfFont, "", goregular.TTF)
	doc.SetFont(pdfFont, "", letterPoints)
	doc.AddPage()
	q := f.picture(pdfPen{doc})
	q.paint()
	return doc.Output(w)
}

const pdfFont = "Go"

// pdfPen draws on a page. Hints are not shown.
type pdfPen struct{ doc *fpdf.Fpdf }

// path begins a path through spots.
func (p pdfPen) path(through []spot) {
	for i, s := range through {
		if i == 0 {
			p.doc.MoveTo(s.x*pixel, s.y*pixel)
		} else {
			p.doc.LineTo(s.x*pixel, s.y*pixel)
		}
	}
}

func (p pdfPen) trace(s stroke, _ string, through ...spot) {
	k := rgb(s.colour)
	p.doc.SetDrawColor(int(k.R), int(k.G), int(k.B))
	p.doc.SetLineWidth(s.width * pixel)
	if s.broken {
		p.doc.SetDashPattern([]float64{4 * pixel, 3 * pixel}, 0)
		defer p.doc.SetDashPattern(nil, 0)
	}
	p.path(through)
	p.doc.DrawPath("D")
}

func (p pdfPen) fill(colour string, hollow bool, _ string, edge ...spot) {
	k := rgb(colour)
	p.doc.SetFillColor(int(k.R), int(k.G), int(k.B))
	p.doc.SetDrawColor(int(k.R), int(k.G), int(k.B))
	p.doc.SetLineWidth(pixel)
	p.path(edge)
	p.doc.ClosePath()
	p.doc.DrawPath(map[bool]string{false: "F", true: "D"}[hollow])
}

func (p pdfPen) text(at spot, a anchor, text string) {
	x := float64(at.x * pixel)
	switch wide := p.doc.GetStringWidth(text); a {
	case middle:
		x -= float64(wide / 2)
	case end:
		x -= wide
	}
	k := rgb(inkColour)
	p.doc.SetTextColor(int(k.R), int(k.G), int(k.B))
	p.doc.Text(x, at.y*pixel, text)
}
