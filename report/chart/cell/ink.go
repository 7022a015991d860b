package cell

import "fmt"

// Ink is a colour by its meaning. A theme gives its look.
type Ink uint8

// The inks. Every distinction by ink is also made by a glyph, a word or a position.
const (
	Plain Ink = iota
	Faint
	Strong
	Axis
	Source
	LANai
	Net
	Dest
	Difference // Net less LANai
	Up         // above the baseline
	Down       // below it
	Warn
	Accent // what is selected
	Second // the other run
	Heat   // the first of HeatSteps steps from few to many

	numInks = Heat + HeatSteps
)

// HeatSteps is the number of steps of a heat map.
const HeatSteps = 8

// Attr is the style of a character apart from its colour.
type Attr uint8

// Attributes.
const (
	Bold Attr = 1 << iota
	Dim
	Under
	Reverse
	Strike
)

// RGB is a colour of 8 bits a channel.
type RGB [3]uint8

func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// Theme gives inks their look.
type Theme struct {
	Name  string
	Mono  bool
	Back  RGB // background of pictures; a terminal keeps its own
	inks  [numInks]RGB
	attrs [numInks]Attr
}

// Themes lists the names of the themes.
func Themes() []string { return []string{"dark", "light", "mono"} }

// Viridis in eight steps, from few to many: on black without its dark end, on white without its
// bright one, where characters could not be seen.
var (
	viridisOnBlack = [HeatSteps]RGB{{42, 120, 142}, {37, 132, 141}, {35, 154, 137}, {43, 175, 127}, {82, 195, 105}, {134, 211, 73}, {192, 223, 47}, {253, 231, 37}}
	viridisOnWhite = [HeatSteps]RGB{{33, 149, 138}, {33, 143, 141}, {41, 123, 142}, {49, 102, 141}, {59, 81, 139}, {67, 56, 128}, {70, 30, 109}, {68, 1, 84}}
)

// ThemeOf returns a theme by its name. The colours are those of Okabe and Ito and, for
// maps, viridis. The light theme darkens those that are hard to see on white. Mono has
// attributes only.
func ThemeOf(name string) (Theme, error) {
	t := Theme{Name: name, attrs: [numInks]Attr{Strong: Bold}}
	switch name {
	case "dark":
		t.Back = RGB{16, 18, 22}
		t.inks = [numInks]RGB{
			Plain: {214, 216, 220}, Faint: {128, 132, 140}, Strong: {255, 255, 255}, Axis: {128, 132, 140},
			Source: {230, 159, 0}, LANai: {86, 180, 233}, Net: {0, 188, 140}, Dest: {225, 106, 20}, Difference: {204, 121, 167},
			Up: {235, 112, 30}, Down: {86, 180, 233}, Warn: {240, 228, 66}, Accent: {255, 255, 255}, Second: {240, 228, 66},
		}
		copy(t.inks[Heat:], viridisOnBlack[:])
	case "light":
		t.Back = RGB{255, 255, 255}
		t.inks = [numInks]RGB{
			Plain: {40, 42, 46}, Faint: {108, 112, 118}, Strong: {0, 0, 0}, Axis: {108, 112, 118},
			Source: {146, 102, 0}, LANai: {12, 108, 172}, Net: {0, 130, 96}, Dest: {190, 74, 0}, Difference: {150, 70, 124},
			Up: {190, 74, 0}, Down: {0, 100, 170}, Warn: {150, 110, 0}, Accent: {0, 0, 0}, Second: {110, 90, 0},
		}
		copy(t.inks[Heat:], viridisOnWhite[:])
	case "mono":
		t.Mono = true
		t.Back = RGB{255, 255, 255}
		for i := range t.inks {
			t.inks[i] = RGB{20, 20, 20}
		}
		t.inks[Faint], t.inks[Axis] = RGB{110, 110, 110}, RGB{110, 110, 110}
		t.attrs[Faint], t.attrs[Axis] = Dim, Dim
		t.attrs[Up], t.attrs[Warn], t.attrs[Accent] = Bold, Bold, Bold
	default:
		return t, fmt.Errorf("theme %q, want one of %v", name, Themes())
	}
	return t, nil
}

// Colour returns the colour of an ink in pictures.
func (t Theme) Colour(i Ink) RGB { return t.inks[i] }
