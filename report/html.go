package report

import (
	"html/template"
	"strings"
	"sync"
)

const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --faint: #666; --line: #ccc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #16181c; --faint: #a0a0a0; --line: #444; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin-top: 1rem; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th.l, td.l { text-align: left; }
.wide { overflow-x: auto; }
.note { color: var(--faint); font-size: 13px; }
svg { max-width: 100%; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg, tr, li { break-inside: avoid; }
h1, h2 { break-after: avoid; }
code { font-size: 13px; }
#hint { position: fixed; display: none; max-width: 24rem; padding: .2rem .5rem; font-size: 13px; color: var(--paper); background: var(--ink); border-radius: 3px; pointer-events: none; }
@media print {
 :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #444; --line: #bbb; }
 body { max-width: none; margin: 0; font-size: 11px; }
 h1 { font-size: 18px; } h2 { font-size: 14px; }
 table, .note, code { font-size: 9px; }
 .wide { overflow: visible; }
 #hint { display: none; }
}
</style></head><body>
{{template "blocks" .Blocks}}<div id="hint"></div>
<script>
// Shows at once what belongs to the nearest mark under the pointer.
const hint = document.getElementById("hint");
for (const svg of document.querySelectorAll("svg")) {
  const marks = Array.from(svg.querySelectorAll("title"), t => ({ of: t.parentNode, text: t.textContent }));
  svg.querySelectorAll("title").forEach(t => t.remove());
  svg.addEventListener("mouseleave", () => { hint.style.display = "none"; });
  svg.addEventListener("mousemove", e => {
    let best = 12, text = "";
    for (const m of marks) {
      const b = m.of.getBoundingClientRect();
      const away = Math.hypot(Math.max(b.left - e.clientX, 0, e.clientX - b.right), Math.max(b.top - e.clientY, 0, e.clientY - b.bottom));
      if (best > away || away == 0) { best = away; text = m.text; } // of those that cover it, the last is on top
    }
    hint.textContent = text;
    hint.style.display = text ? "block" : "none";
    hint.style.left = Math.min(e.clientX + 14, innerWidth - hint.offsetWidth - 4) + "px";
    hint.style.top = Math.min(e.clientY + 14, innerHeight - hint.offsetHeight - 4) + "px";
  });
}
</script>
</body></html>
`

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.Must(template.New("page").Funcs(inHTML).Parse(fragments)).Parse(page))
})

// HTML returns a document as one self-contained page with inline charts.
func HTML(d Document) string {
	var b strings.Builder
	err := pageTemplate().Execute(&b, struct {
		Title  string
		Blocks []block
	}{d.title(), pageBlocks(d)})
	if err != nil {
		panic("report: page: " + err.Error())
	}
	return b.String()
}
