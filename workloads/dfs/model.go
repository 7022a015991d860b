package dfs

import (
	"fmt"
	"slices"
)

// model is a sequential model of the file system: each operation takes effect
// in it while its locks are held. It shares no code with the disk.
type model struct {
	files []content
	dirOf []int
	held  map[uint32]*holders // looked up only
}

// content is a file of the model.
type content struct {
	exists bool
	data   []byte
}

type holders struct {
	clients []int
	alone   bool
}

func newModel(dirOf []int) *model {
	return &model{files: make([]content, len(dirOf)), dirOf: dirOf, held: map[uint32]*holders{}}
}

// locked records that a client holds a lock.
func (m *model) locked(client int, lock uint32, alone bool) error {
	h := m.held[lock]
	if h == nil {
		h = &holders{}
		m.held[lock] = h
	}
	if len(h.clients) > 0 && (alone || h.alone) {
		return fmt.Errorf("lock %d is granted to client %d (alone: %t) while %v have it (alone: %t)", lock, client, alone, h.clients, h.alone)
	}
	h.clients, h.alone = append(h.clients, client), alone
	return nil
}

func (m *model) unlocking(client int, lock uint32) error {
	h := m.held[lock]
	if h == nil || !slices.Contains(h.clients, client) {
		return fmt.Errorf("client %d releases lock %d, which it does not hold", client, lock)
	}
	h.clients = slices.DeleteFunc(h.clients, func(c int) bool { return c == client })
	return nil
}

// list returns the names in a directory, in the order of files.
func (m *model) list(dir int) []string {
	var names []string
	for f, c := range m.files {
		if c.exists && m.dirOf[f] == dir {
			names = append(names, name(f))
		}
	}
	return names
}

// write puts b at an offset of a file and fills what lies between its end and
// there with zeros.
func (m *model) write(file, offset int, b []byte) {
	c := &m.files[file]
	m.resize(file, max(len(c.data), offset+len(b)))
	copy(c.data[offset:], b)
}

func (m *model) resize(file, size int) {
	c := &m.files[file]
	if size <= len(c.data) {
		c.data = c.data[:size]
		return
	}
	old := len(c.data)
	c.data = slices.Grow(c.data, size-old)[:size]
	clear(c.data[old:])
}

// read returns what is at an offset, up to n bytes.
func (m *model) read(file, offset, n int) []byte {
	d := m.files[file].data
	offset = min(offset, len(d))
	return d[offset:min(len(d), offset+n)]
}

func (m *model) create(file int) { m.files[file] = content{exists: true, data: m.files[file].data[:0]} }

func (m *model) remove(file int) { m.files[file].exists = false }
