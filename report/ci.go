package report

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/compare"
)

type suite struct {
	XMLName  xml.Name   `xml:"testsuite"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Cases    []testCase `xml:"testcase"`
	Out      string     `xml:"system-out"`
}

type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Failure *problem `xml:"failure"`
	Error   *problem `xml:"error"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit returns a comparison as a JUnit test suite with a test case for each condition.
// A condition that the runs cannot tell is an error, which is no pass.
func JUnit(d Diff) ([]byte, error) {
	s := suite{Name: "sigview diff", Out: strings.Join(d.Moved(), "\n")}
	for _, j := range d.judgements() {
		c := testCase{Class: "sigview.diff", Name: j.Condition}
		p := &problem{Message: d.title(), Type: string(j.Verdict), Text: strings.Join(j.Why, "\n")}
		switch j.Verdict {
		case compare.Fail:
			c.Failure = p
			s.Failures++
		case compare.Inconclusive:
			c.Error = p
			s.Errors++
		}
		s.Cases = append(s.Cases, c)
	}
	s.Tests = len(s.Cases)
	text, err := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

// judgements returns the outcome of each condition, or of the comparison if there are
// none.
func (d Diff) judgements() []compare.Judgement {
	if len(d.Judgements) > 0 {
		return d.Judgements
	}
	return []compare.Judgement{{Condition: "no condition", Verdict: d.Verdict}}
}

// annotationEscapes are those of workflow commands; properties need two more.
var (
	annotationText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Annotations returns a comparison as workflow commands of GitHub Actions, one for each
// condition: an error for a failure, a warning for what cannot be told, else a notice.
func Annotations(d Diff) string {
	var b strings.Builder
	for _, j := range d.judgements() {
		level := map[compare.Verdict]string{compare.Fail: "error", compare.Inconclusive: "warning"}[j.Verdict]
		if level == "" {
			level = "notice"
		}
		title := fmt.Sprintf("sigview diff: %s: %s", j.Condition, j.Verdict)
		lines := append([]string{d.title()}, j.Why...)
		if j.Verdict == compare.Pass {
			lines = append(lines, "No interval reaches the limit.")
		}
		fmt.Fprintf(&b, "::%s title=%s::%s\n", level, annotationProperty.Replace(title), annotationText.Replace(strings.Join(lines, "\n")))
	}
	return b.String()
}
