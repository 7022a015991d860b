package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// written are the commands that make a directory of each kind that sigview writes, smaller than users make them.
var written = map[string]string{
	"untraced":     "run fft --nodes 2 --size 1K",
	"traced":       "run fft --nodes 2 --size 1K --trace",
	"spans":        "run fft --nodes 2 --size 1K --trace=spans",
	"waits":        "run fft --nodes 2 --size 1K --trace=waits",
	"cut trace":    "run fft --nodes 2 --size 1K --trace --trace-only kind=page-reply",
	"policy":       "run fft --nodes 2 --size 1K --trace --policy homes",
	"two programs": "run incast+random --nodes 4 --count 20 --trace=waits",
	"seeds":        "run fft --nodes 2 --size 1K --seeds 2",
	"traced seeds": "run random --nodes 2 --count 20 --seeds 2 --trace=waits",
	"fast":         "run fft --nodes 2 --size 1K --detail fast",
	"no monitor":   "run fft --nodes 2 --size 1K --monitor off",
	"many nodes":   "run random --nodes 64 --count 2",
	"live":         "live --count 100 --message-sizes 64",
	"capture":      "import pcap sender.pcap receiver.pcap",
	"baseline":     "baseline",
	"logp":         "logp --platform ppro --layer gam",
	"logp sweep":   "logp --platform ppro --layer gam --method sweep --size 64,1K",
	"logp plogp":   "logp --platform ppro --layer gam --method plogp --plogp exponent=4,most_exponent=4",
	"logp of two":  "logp --platform ppro --layer gam --size 64,1K --pattern many-to-one",
	"bandwidth":    "bandwidth --platform ppro --layer gam --size 64,1K",
	"tpil":         "tpil --size 64,4K",
	"verbs":        "verbs --size 64,4K",
	"listed verbs": "verbs --platform cx5-roce --beside ib_write_lat.txt",
	"perturb":      "perturb --tests pingpong --size 64",
	"sweep":        "sweep sweep.toml",
}

// elsewhere are the files that commands write which make no directory. Users open their folder all the same.
var elsewhere = []string{"calibrate ib_write_lat.txt --platform cx5-roce -o files/card.toml", "report waits --format html -o files/page.html"}

// makeDirectories makes a directory of each kind, and returns the kinds.
func makeDirectories(t *testing.T) []string {
	t.Helper()
	samples, err := filepath.Abs("../../docs/samples")
	require.NoError(t, err)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	require.NoError(t, os.CopyFS(".", os.DirFS(samples)))
	require.NoError(t, os.WriteFile("sweep.toml", []byte("programs = [\"random\"]\nnodes = [2, 4]\nmessage_bytes = [64, 256]\nseeds = \"1..2\"\nrun.pattern.count = 5\n"), 0o644))
	for kind, line := range written {
		sigview(t, append(strings.Fields(line), "-q", "-o", kind)...)
	}
	require.NoError(t, os.Mkdir("files", 0o755))
	for _, line := range elsewhere {
		sigview(t, append(strings.Fields(line), "-q")...)
	}
	for kind, of := range map[string]string{"damaged packets": "packets.arrow", "damaged waits": "waits.arrow", "damaged spans": "spans.arrow"} {
		require.NoError(t, os.CopyFS(kind, os.DirFS("waits")))
		bytes, err := os.ReadFile(filepath.Join(kind, of))
		require.NoError(t, err)
		bytes[len(bytes)/2] ^= 0xff
		require.NoError(t, os.WriteFile(filepath.Join(kind, of), bytes, 0o644))
	}
	kinds := append(slices.Sorted(maps.Keys(written)), "files", "damaged packets", "damaged waits", "damaged spans", "nowhere")
	slices.Sort(kinds)
	return kinds
}

// quick is the command line with runs that take no time: what they leave has been made before.
type quick struct {
	shell
	run *trace.Run
	why *why.Explanation
}

func (q quick) Run(_ context.Context, spec experiment.RunSpec, watch experiment.Watch) (*trace.Run, error) {
	watch(experiment.Progress{Stage: spec.Workload, Look: func() (*trace.Run, error) { return q.run, nil }})
	if spec.Seed%2 == 0 {
		return nil, errors.New("an unlucky seed")
	}
	return q.run, nil
}

func (quick) Keep(context.Context, *trace.Run) (string, error) { return "untraced", nil }

func (q quick) Prepare(line []string) (tui.Task, error) {
	task, err := q.shell.Prepare(line)
	if task.Do != nil {
		task.Do = func(context.Context, experiment.Watch) (string, string, error) {
			return "verbs --size 64,4K", "It is kept.", nil
		}
	}
	return task, err
}

func (q quick) Why(_ context.Context, dir string, _ experiment.Watch) (*why.Explanation, error) {
	if dir == "capture" {
		return nil, errors.New("a capture cannot be run")
	}
	return q.why, nil
}

func (q quick) Tested(string) (*why.Explanation, bool) { return nil, false }

// hand is a user at a terminal.
type hand struct {
	m       *tui.Model
	pending []tea.Cmd
	width   int
	height  int
}

// slow is how long a picture after a key may take. An hour of keys runs beside other work.
var slow = testlong.Pick(5*time.Second, time.Minute)

// watched does something of the terminal that has to end soon. One that does not ends the test, because it may never end.
func watched(what string, do func()) {
	timer := time.AfterFunc(slow, func() { panic(what + " takes more than " + slow.String()) })
	defer timer.Stop()
	do()
}

func (h *hand) send(msg tea.Msg, what string) {
	watched(what, func() {
		_, cmd := h.m.Update(msg)
		h.pending = append(h.pending, cmd)
		h.m.View()
	})
}

// settle does the commands that are pending, and those that follow from them.
func (h *hand) settle(what string) {
	for n := 0; len(h.pending) > 0 && n < 2000; n++ {
		cmd := h.pending[0]
		if h.pending = h.pending[1:]; cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case nil, tea.QuitMsg:
		case tea.BatchMsg:
			h.pending = append(h.pending, msg...)
		default:
			if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() { // of tea.Sequence
				for i := range v.Len() {
					h.pending = append(h.pending, v.Index(i).Interface().(tea.Cmd))
				}
				continue
			}
			h.send(msg, what)
		}
	}
}

// keys are what a user presses, those more often that lead on.
var keys = append(strings.Fields("enter enter enter enter esc esc up up down down left right tab shift+tab pgup pgdown home end backspace ctrl+u ctrl+d ctrl+c space "+
	"0 1 2 3 4 5 6 7 8 9 n N u U s t K S R c m m a b i v ] [ + + - w T r g o W p . x e y Y O < > M ctrl+z ctrl+z ctrl+y ctrl+r : / ? q h j k l"),
	"paste kind=all from=1000 to=5000", "paste sender=1", "paste fft", "paste open seeds", "paste baseline baseline", "paste baseline verbs", "paste details=on packet=0:1", "paste split=on", "paste metric=3", "paste view LogP", "paste metric=1 column=3 order=rising", "paste block=2", "paste marks=1000-5000", "paste €\n\x1b[31m\t", "wheelup", "wheeldown", "size 60x5", "size 80x24", "settle", "settle")

// named are the keys that are no characters.
var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "ctrl+u": tea.KeyCtrlU, "ctrl+d": tea.KeyCtrlD, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "ctrl+y": tea.KeyCtrlY, "ctrl+r": tea.KeyCtrlR,
}

// press does one thing that a user can do.
func (h *hand) press(what string) {
	var x, y int
	text, paste := strings.CutPrefix(what, "paste ")
	switch kind, special := named[what]; {
	case special:
		h.send(tea.KeyMsg{Type: kind}, what)
	case paste:
		h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}, what)
	case what == "space":
		h.send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, what)
	case what == "wheelup":
		h.click(h.width/2, h.height/2, tea.MouseButtonWheelUp, what)
	case what == "wheeldown":
		h.click(h.width/2, h.height/2, tea.MouseButtonWheelDown, what)
	case what == "settle":
		h.settle(what)
	case strings.HasPrefix(what, "click "):
		fmt.Sscanf(what, "click %d,%d", &x, &y)
		h.click(x, y, tea.MouseButtonLeft, what)
	case strings.HasPrefix(what, "size "):
		fmt.Sscanf(what, "size %dx%d", &x, &y)
		h.resize(x, y)
	default:
		for _, r := range what {
			h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}, what)
		}
	}
}

func (h *hand) click(x, y int, button tea.MouseButton, what string) {
	h.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: button}, what)
}

func (h *hand) resize(width, height int) {
	h.width, h.height = width, height
	h.send(tea.WindowSizeMsg{Width: width, Height: height}, fmt.Sprintf("size %dx%d", width, height))
}

// opened returns a hand at a terminal that shows directories.
func opened(ctx context.Context, t require.TestingT, sh tui.Shell, dirs []string, glyphs cell.Glyphs) *hand {
	theme, err := cell.ThemeOf("dark")
	require.NoError(t, err)
	h := &hand{m: tui.NewModel(ctx, sh, tui.NewState(tui.Look{Theme: theme, Glyphs: glyphs}), dirs)}
	h.resize(80, 24)
	h.pending = append(h.pending, h.m.Init())
	return h
}

// TestKeysLeadNowhereBad: no series of keys, clicks, pastes and sizes makes the views of any directory panic or stall.
func TestKeysLeadNowhereBad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	kinds := makeDirectories(t)
	a, _, _ := realApp()
	run, err := experiment.Run(t.Context(), experiment.DefaultRun("random"), nil)
	require.NoError(t, err)
	q := quick{shell: shell{a}, run: run}
	q.why, err = q.shell.Why(t.Context(), "untraced", func(experiment.Progress) {})
	require.NoError(t, err)
	thing := rapid.OneOf(rapid.SampledFrom(keys), rapid.SampledFrom(keys), rapid.SampledFrom(keys), rapid.SampledFrom(keys), rapid.SampledFrom(keys),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("click %d,%d", rapid.IntRange(-1, 200).Draw(t, "x"), rapid.IntRange(-1, 60).Draw(t, "y"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("size %dx%d", rapid.IntRange(60, 200).Draw(t, "width"), rapid.IntRange(5, 60).Draw(t, "height"))
		}))
	const typed = 60 // keys of a series at most
	some := rapid.SliceOfN(rapid.SampledFrom(kinds), 0, 3)
	series := rapid.SliceOfN(thing, 1, typed)
	for end := time.Now().Add(testlong.Pick(12*time.Second, time.Hour)); time.Now().Before(end) && !t.Failed(); {
		rapid.Check(t, func(t *rapid.T) {
			h := opened(context.Background(), t, q, some.Draw(t, "directories"), rapid.SampledFrom([]cell.Glyphs{cell.Braille, cell.ASCII}).Draw(t, "glyphs"))
			if rapid.Bool().Draw(t, "read") {
				h.settle("reading")
			}
			for _, what := range series.Draw(t, "keys") {
				h.press(what)
			}
			h.settle("the end")
		})
	}
}
