package tui

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"
)

// answersWithin is how long a terminal may take to answer. Those that do not know the
// question answer the one after it at once.
const answersWithin = 200 * time.Millisecond

// themeOf asks a terminal for the colour of its background, and returns the theme for it,
// "" if it does not say.
func themeOf(in io.Reader, out io.Writer) string {
	i, isFile := in.(*os.File)
	if o, ok := out.(*os.File); !isFile || !ok || !term.IsTerminal(int(i.Fd())) || !term.IsTerminal(int(o.Fd())) {
		return ""
	}
	was, err := term.MakeRaw(int(i.Fd()))
	if err != nil {
		return ""
	}
	defer term.Restore(int(i.Fd()), was) //nolint:errcheck // the program sets the mode again
	return askBackground(i, out, answersWithin)
}

// askBackground asks by OSC 11, and then for the kind of terminal, which all of them
// answer.
func askBackground(in *os.File, out io.Writer, within time.Duration) string {
	r, err := cancelreader.NewReader(in)
	if err != nil {
		return ""
	}
	defer r.Close()
	if _, err := io.WriteString(out, "\x1b]11;?\x1b\\\x1b[c"); err != nil {
		return ""
	}
	defer time.AfterFunc(within, func() { r.Cancel() }).Stop()
	var answer []byte
	for one := make([]byte, 1); ; {
		if n, err := r.Read(one); n == 0 || err != nil {
			return ""
		}
		answer = append(answer, one[0])
		if _, kind, ok := bytes.Cut(answer, []byte("\x1b[?")); ok && bytes.HasSuffix(kind, []byte("c")) {
			return themeFor(string(answer))
		}
	}
}

// themeFor returns the theme for the colour in an answer, such as rgb:ffff/ffff/ffff.
func themeFor(answer string) string {
	_, colour, ok := strings.Cut(answer, "\x1b]11;rgb:")
	if !ok {
		return ""
	}
	colour, _, _ = strings.Cut(colour, "\x1b")
	parts := strings.Split(strings.TrimRight(colour, "\a"), "/")
	if len(parts) != 3 {
		return ""
	}
	light := 0.0
	for i, share := range []float64{0.299, 0.587, 0.114} { // of the brightness, ITU-R BT.601
		v, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return ""
		}
		light += share * float64(v) / float64(int(1)<<(4*len(parts[i]))-1)
	}
	if light > 0.5 {
		return "light"
	}
	return "dark"
}
