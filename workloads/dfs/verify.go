package dfs

import (
	"bytes"
	"fmt"
)

// Verify walks the servers' disk and compares every file with the model. Every
// block must belong to one file or be free. It returns a description of all
// checks, including those during the run, and an error if one has failed.
func (d *DFS) Verify() (how string, wrong error) {
	if d.err != nil {
		return "the run stopped", d.err
	}
	if _, ended := d.Elapsed(); !ended {
		return "", errNotEnded
	}
	w := walk{DFS: d, owner: map[uint32]string{}}
	files := 0
	for dir := range d.disk.dirs {
		n, err := w.directory(dir)
		if err != nil {
			return "the disk was walked", fmt.Errorf("dfs: %w", err)
		}
		files += n
	}
	if err := w.account(files); err != nil {
		return "the disk was walked", fmt.Errorf("dfs: %w", err)
	}
	s := d.Stats()
	ops := uint64(0)
	for _, n := range s.Ops {
		ops += n
	}
	return fmt.Sprintf("%d operations; each of %d bytes read equals that of a sequential model; so do %d files in %d blocks at the end, none lost or shared",
		ops, s.BytesRead, files, len(w.owner)), nil
}

type walk struct {
	*DFS
	owner map[uint32]string // of blocks; looked up only
}

func (w *walk) own(block uint32, who string) error {
	if other, taken := w.owner[block]; taken {
		return fmt.Errorf("block %d belongs to %s and to %s", block, other, who)
	}
	w.owner[block] = who
	return nil
}

// directory walks a directory and returns its number of files.
func (w *walk) directory(dir int) (files int, err error) {
	byName := map[string]int{}
	for f, d := range w.dirOf {
		if d == dir {
			byName[name(f)] = f
		}
	}
	b := w.at(uint32(dir))
	for i := range dirEntries {
		block, text := entry(b[i*entryBytes:])
		if block == 0 {
			continue
		}
		f, known := byName[text]
		if !known || !w.model.files[f].exists {
			return files, fmt.Errorf("directory %d has %q, which should not be there", dir, text)
		}
		if err := w.file(f, block); err != nil {
			return files, fmt.Errorf("%s: %w", text, err)
		}
		files++
	}
	return files, nil
}

func (w *walk) file(f int, block uint32) error {
	if block >= w.disk.blocks() {
		return fmt.Errorf("inode in block %d of a disk of %d", block, w.disk.blocks())
	}
	if err := w.own(block, name(f)); err != nil {
		return err
	}
	var node inode
	if err := node.take(w.at(block)[:inodeBytes(w.spec.FileBytes)], w.disk.blocks()); err != nil {
		return err
	}
	want := w.model.files[f].data
	if node.size != len(want) {
		return fmt.Errorf("%d B, want %d", node.size, len(want))
	}
	zeros := make([]byte, blockBytes)
	for i, b := range node.blocks {
		if i*blockBytes >= len(want) {
			break
		}
		got := zeros
		if b != 0 {
			if err := w.own(b, name(f)); err != nil {
				return err
			}
			got = w.at(b)
		}
		part := want[i*blockBytes : min(len(want), (i+1)*blockBytes)]
		if !bytes.Equal(got[:len(part)], part) {
			return fmt.Errorf("block %d of the file (%d of the disk) differs at byte %d", i, b, differs(got[:len(part)], part))
		}
	}
	return nil
}

// account looks for files and blocks that the walk has missed.
func (w *walk) account(files int) error {
	want := 0
	for _, c := range w.model.files {
		if c.exists {
			want++
		}
	}
	if files != want {
		return fmt.Errorf("%d files, want %d", files, want)
	}
	free := map[uint32]bool{}
	for _, c := range w.clients {
		for _, b := range c.free {
			if _, used := w.owner[b]; used || free[b] {
				return fmt.Errorf("block %d is free and in use, or free twice", b)
			}
			free[b] = true
		}
	}
	for _, c := range w.clients {
		for b := w.disk.first(c.id); b < c.next; b++ {
			if _, used := w.owner[b]; !used && !free[b] {
				return fmt.Errorf("block %d is lost", b)
			}
		}
	}
	return nil
}
