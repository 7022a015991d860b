package dfs

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sigview/sigview/sim/host"
)

// found is the answer of a directory to a name.
type found struct {
	block uint32 // of the inode, 0: no such file
	slot  int
	free  int // a slot that is free, or -1
}

// search looks up a file in a directory. A block is read as a whole, and the
// entry of a name changes only under the name's lock, which the caller holds.
func (c *client) search(file int) found {
	at := found{slot: -1, free: -1}
	ok := c.scan(c.dirOf[file], func(i int, block uint32, text string) {
		switch {
		case block == 0 && at.free < 0:
			at.free = i
		case block != 0 && text == name(file):
			at.block, at.slot = block, i
		}
	})
	exists := c.model.files[file].exists
	switch {
	case !ok:
	case exists != (at.block != 0):
		c.note(fmt.Errorf("%s exists: %t, want %t", name(file), at.block != 0, exists))
	case at.block >= c.disk.blocks():
		c.note(fmt.Errorf("%s has its inode in block %d of a disk of %d", name(file), at.block, c.disk.blocks()))
	}
	return at
}

// scan reads a directory and calls f for each of its slots.
func (c *client) scan(dir int, f func(slot int, block uint32, text string)) (ok bool) {
	c.step(stepDirectory)
	c.transfer(readBlock, uint32(dir), 0, blockBytes, c.dir, false)
	if !c.wait() {
		return false
	}
	b := c.space.Bytes(c.dir, blockBytes)
	for i := range dirEntries {
		block, text := entry(b[i*entryBytes:])
		f(i, block, text)
	}
	c.x.Compute(host.Work{Ints: dirEntries * searchWork.Ints, Loads: dirEntries * searchWork.Loads, Read: blockBytes})
	return true
}

// open looks up a file and reads its inode. It reports whether there is one.
func (c *client) open(file int) (at found, ok bool) {
	at = c.search(file)
	if c.trouble != nil || at.block == 0 {
		return at, false
	}
	c.step(stepInode)
	n := inodeBytes(c.spec.FileBytes)
	c.transfer(readBlock, at.block, 0, n, c.inodeAt, false)
	if !c.wait() {
		return at, false
	}
	c.x.Compute(fileWork)
	if err := c.node.take(c.space.Bytes(c.inodeAt, n), c.disk.blocks()); err != nil {
		return at, c.note(fmt.Errorf("%s: %w", name(file), err))
	}
	if want := len(c.model.files[file].data); c.node.size != want {
		return at, c.note(fmt.Errorf("%s has %d B, want %d", name(file), c.node.size, want))
	}
	return at, true
}

// storeNode writes the inode of the current file.
func (c *client) storeNode(block uint32, fresh bool) {
	n := inodeBytes(c.spec.FileBytes)
	c.node.put(c.space.Bytes(c.inodeAt, n))
	c.transfer(writeBlock, block, 0, n, c.inodeAt, fresh)
}

// pieces calls f for the part of each block that a range of a file touches.
func pieces(offset, n int, f func(index, from, bytes, at int)) {
	for at := 0; at < n; {
		from := (offset + at) % blockBytes
		k := min(n-at, blockBytes-from)
		f((offset+at)/blockBytes, from, k, at)
		at += k
	}
}

// read reads up to n bytes at an offset of a file and compares every one.
func (c *client) read(file, offset, n int) {
	if _, ok := c.open(file); !ok {
		return
	}
	c.step(stepData)
	n = max(0, min(n, c.node.size-offset))
	pieces(offset, n, func(index, from, bytes, at int) {
		c.x.Compute(blockWork)
		to := c.data + host.Addr(at)
		if c.node.blocks[index] == 0 {
			c.space.WriteAt(to, make([]byte, bytes))
			c.x.MemWrite(bytes)
			return
		}
		c.transfer(readBlock, c.node.blocks[index], from, bytes, to, false)
	})
	if !c.wait() {
		return
	}
	got := c.bytes[:n]
	c.space.ReadAt(c.data, got)
	c.x.Compute(bytesWork(n, true))
	c.stats.BytesRead += uint64(n)
	want := c.model.read(file, offset, n)
	if !bytes.Equal(got, want) {
		c.note(fmt.Errorf("%s: %d B at %d differ from what was written, the first at %d", name(file), n, offset, differs(got, want)))
	}
}

func differs(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// write writes b at an offset of a file, which grows if necessary. A negative
// offset means the end of the file; what exceeds the largest file is not written.
func (c *client) write(file, offset int, b []byte) {
	at, ok := c.open(file)
	if !ok {
		return
	}
	if offset < 0 {
		offset = c.node.size
	}
	c.step(stepData)
	b = b[:max(0, min(len(b), c.spec.FileBytes-offset))]
	c.space.WriteAt(c.data, b)
	c.x.Compute(bytesWork(len(b), false))
	changed := offset+len(b) > c.node.size
	pieces(offset, len(b), func(index, from, bytes, at int) {
		c.x.Compute(blockWork)
		fresh := c.node.blocks[index] == 0
		if fresh {
			changed = true
			c.node.blocks[index] = c.alloc()
		}
		c.transfer(writeBlock, c.node.blocks[index], from, bytes, c.data+host.Addr(at), fresh && bytes < blockBytes)
	})
	if changed && len(b) > 0 {
		c.step(stepStore)
		c.node.size = max(c.node.size, offset+len(b))
		c.storeNode(at.block, false)
	}
	if c.wait() && len(b) > 0 {
		c.stats.BytesWritten += uint64(len(b))
		c.model.write(file, offset, b)
	}
}

// truncate sets the length of a file. Blocks after the new end are freed. The
// rest of the last block becomes zero, so that a file that grows again has zeros
// there.
func (c *client) truncate(file, size int) {
	at, ok := c.open(file)
	if !ok {
		return
	}
	c.step(stepStore)
	last := size / blockBytes
	if from := size % blockBytes; size < c.node.size && from > 0 && !c.keepTails {
		if b := c.node.blocks[last]; b != 0 {
			c.transfer(zeroBlock, b, from, blockBytes-from, 0, false)
		}
	}
	c.release(blocksOf(size))
	c.node.size = size
	c.storeNode(at.block, false)
	if c.wait() {
		c.model.resize(file, size)
	}
}

// release frees the blocks of the file from an index on.
func (c *client) release(from int) {
	for i := from; i < len(c.node.blocks); i++ {
		if b := c.node.blocks[i]; b != 0 {
			c.free = append(c.free, b)
			c.node.blocks[i] = 0
		}
	}
}

// create makes an empty file, unless there is one.
func (c *client) create(file int) {
	at := c.search(file)
	if c.trouble != nil || at.block != 0 {
		return
	}
	if at.free < 0 {
		c.note(fmt.Errorf("directory %d is full", c.dirOf[file]))
		return
	}
	c.step(stepStore)
	block := c.alloc()
	c.node.size, c.node.blocks = 0, c.node.blocks[:blocksOf(c.spec.FileBytes)]
	clear(c.node.blocks)
	c.x.Compute(fileWork)
	c.storeNode(block, true)
	if c.storeEntry(file, at.free, block) {
		c.model.create(file)
	}
}

// remove removes a file, if there is one.
func (c *client) remove(file int) {
	at, ok := c.open(file)
	if !ok {
		return
	}
	c.step(stepStore)
	if c.storeEntry(file, at.slot, 0) {
		c.release(0)
		c.free = append(c.free, at.block)
		c.model.remove(file)
	}
}

// storeEntry writes an entry of a directory, whose lock the caller holds.
func (c *client) storeEntry(file, slot int, block uint32) (ok bool) {
	at := c.dir + host.Addr(slot*entryBytes)
	text := ""
	if block != 0 {
		text = name(file)
	}
	putEntry(c.space.Bytes(at, entryBytes), block, text)
	c.transfer(writeBlock, uint32(c.dirOf[file]), slot*entryBytes, entryBytes, at, false)
	return c.wait()
}

// list reads the names of a directory, whose lock the caller holds.
func (c *client) list(dir int) {
	var names []string
	ok := c.scan(dir, func(_ int, block uint32, text string) {
		if block != 0 {
			names = append(names, text)
		}
	})
	slices.Sort(names)
	if want := c.model.list(dir); ok && !slices.Equal(names, want) {
		c.note(fmt.Errorf("directory %d holds %v, want %v", dir, names, want))
	}
}
