package tui

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"
)

// sequence takes the commands out of what tea.Sequence makes, whose type the
// library keeps to itself.
func sequence(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	var out []tea.Cmd
	for i := range v.Len() {
		out = append(out, v.Index(i).Interface().(tea.Cmd))
	}
	return out, true
}
