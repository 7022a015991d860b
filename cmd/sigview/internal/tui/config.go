package tui

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/tomlfile"
	"github.com/sigview/sigview/report/chart/cell"
)

// ConfigFile is the file of a user's own keys and theme, in the user's folder for configuration.
const ConfigFile = "sigview/config.toml"

// Config is what a user has configured. The zero value is what is usual.
type Config struct {
	theme string // "": by the terminal
	keys  keyMap // nil: the usual ones
}

// automatic is the theme by the terminal's background.
const automatic = "auto"

// ReadConfig reads the user's file, if there is one. Errors are those of the file.
func ReadConfig() (Config, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return Config{}, nil // there is no place for a file
	}
	file := filepath.Join(dir, filepath.FromSlash(ConfigFile))
	text, err := inputfile.ReadText(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, err
	}
	return parseConfig(file, text)
}

func parseConfig(file string, text []byte) (c Config, err error) {
	table, err := tomlfile.Parse(file, text)
	if err != nil {
		return c, err
	}
	if err = c.decode(table); err != nil {
		err = tomlfile.At(file, string(text), err)
	}
	return c, err
}

func (c *Config) decode(table map[string]any) (err error) {
	for _, field := range slices.Sorted(maps.Keys(table)) {
		switch value := table[field]; field {
		case "theme":
			err = c.setTheme(value)
		case "keys":
			err = c.setKeys(value)
		default:
			err = bounds.Wrong(field, "no field of a configuration", "theme or a table keys")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) setTheme(value any) error {
	all := append([]string{automatic}, cell.Themes()...)
	theme, ok := value.(string)
	if !ok {
		return tomlfile.Mismatch("theme", value, "a string in quotes")
	}
	if !slices.Contains(all, theme) {
		return bounds.Wrong("theme", strconv.Quote(theme), "%s", bounds.List(all))
	}
	if c.theme = theme; theme == automatic {
		c.theme = ""
	}
	return nil
}

// setKeys gives actions other keys.
func (c *Config) setKeys(value any) error {
	table, ok := value.(map[string]any)
	if !ok {
		return tomlfile.Mismatch("keys", value, "a table")
	}
	c.keys = slices.Clone(usualKeys)
	called := lists.Map(c.keys, func(b bound) string { return b.called })
	for _, name := range slices.Sorted(maps.Keys(table)) {
		at, field := slices.Index(called, name), tomlfile.Under("keys", name)
		if at < 0 {
			return bounds.Wrong(field, "not the name of an action", "%s", nearest(name, called))
		}
		own, err := keysOf(field, table[name])
		if err != nil {
			return err
		}
		if b := &c.keys[at]; len(own) > 0 {
			b.Binding = key.NewBinding(key.WithKeys(own...), key.WithHelp(strings.Join(lists.Map(own, shownKey), " "), b.Help().Desc))
		} else if b.Unbind(); b.do == action.Quit {
			return bounds.Wrong(field, "empty", "at least one key, to get out")
		}
	}
	return c.keys.distinct(table)
}

// nearest says which name was meant, or else all.
func nearest(name string, known []string) string {
	if near := names.Nearest(name, known); near != "" {
		return strconv.Quote(near)
	}
	return bounds.List(known)
}

// distinct returns an error if two actions have the same key.
func (m keyMap) distinct(given map[string]any) error {
	taken := map[string]string{} // by key the action that has it
	for _, b := range m {
		for _, k := range b.Keys() {
			other, twice := taken[k]
			if taken[k] = b.called; !twice {
				continue
			}
			name := b.called
			if _, ok := given[name]; !ok { // the other one was given this key
				name, other = other, name
			}
			return bounds.Wrong(tomlfile.Under("keys", name), strconv.Quote(k), "a key that %s does not have", other)
		}
	}
	return nil
}

// keysOf reads one key, or a list of keys.
func keysOf(field string, value any) (out []string, err error) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, v := range list {
		k, ok := v.(string)
		switch {
		case !ok:
			return nil, tomlfile.Mismatch(field, value, "a key in quotes, or a list of them")
		case len(k) == 1 && k[0] >= '0' && k[0] <= '9':
			return nil, bounds.Wrong(field, strconv.Quote(k), "another key: 0 to 9 lead to views")
		case !isKey(k):
			return nil, bounds.Wrong(field, strconv.Quote(k), `a character, or a key as "f5", "pgdown" or "ctrl+z"`)
		}
		out = append(out, k)
	}
	return out, nil
}

// isKey reports whether terminals have such a key.
func isKey(name string) bool {
	name = strings.TrimPrefix(name, "alt+")
	if runes := []rune(name); len(runes) == 1 && runes[0] > ' ' {
		return true
	}
	for k := tea.KeyType(-128); k < 128; k++ {
		if k != tea.KeyRunes && k.String() == name && name != "" {
			return true
		}
	}
	return false
}

// shownKey writes a key as the help does.
func shownKey(k string) string {
	if letter, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return "^" + strings.ToUpper(letter)
	}
	if shown, ok := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "PgDn", "pgup": "PgUp", "home": "Home", "end": "End", " ": "space"}[k]; ok {
		return shown
	}
	return k
}
