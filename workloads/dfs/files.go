package dfs

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sigview/sigview/host"
)

// found is the answer of a directory to a name.
type found struct {
	block uint32 // of the inode, 0: no such file
	slot  int
	free  int // a slot that is free, or -1
}

// search looks up a file in a directory. A block is read as a whole, and the
// entry of a name changes only under the name's lock, which the caller holds.
func (c *client) search(file int) (found, error) {
	at := found{slot: -1, free: -1}
	c.step(StepDirectory)
	if err := c.fetchDir(c.dirOf[file]); err != nil {
		return at, err
	}
	b := c.space.Bytes(c.dir, blockBytes)
	for i := range dirEntries {
		block, text := entry(b[i*entryBytes:])
		switch {
		case block == 0 && at.free < 0:
			at.free = i
		case block != 0 && text == name(file):
			at.block, at.slot = block, i
		}
	}
	c.x.Compute(host.Work{Ints: dirEntries * searchWork.Ints, Loads: dirEntries * searchWork.Loads, Read: blockBytes})
	if exists := c.model.files[file].exists; exists != (at.block != 0) {
		return at, fmt.Errorf("%s exists: %t, want %t", name(file), at.block != 0, exists)
	}
	if at.block >= c.disk.blocks() {
		return at, fmt.Errorf("%s has its inode in block %d of a disk of %d", name(file), at.block, c.disk.blocks())
	}
	return at, nil
}

func (c *client) fetchDir(dir int) error {
	if err := c.transfer(readBlock, uint32(dir), 0, blockBytes, c.dir, false); err != nil {
		return err
	}
	return c.wait()
}

// fetchNode reads a file's inode.
func (c *client) fetchNode(block uint32, file int) error {
	c.step(StepInode)
	n := inodeBytes(c.spec.FileBytes)
	if err := c.transfer(readBlock, block, 0, n, c.inodeAt, false); err != nil {
		return err
	}
	if err := c.wait(); err != nil {
		return err
	}
	c.x.Compute(fileWork)
	if err := c.node.take(c.space.Bytes(c.inodeAt, n), c.disk.blocks()); err != nil {
		return fmt.Errorf("%s: %w", name(file), err)
	}
	if want := len(c.model.files[file].data); c.node.size != want {
		return fmt.Errorf("%s has %d B, want %d", name(file), c.node.size, want)
	}
	return nil
}

// open looks up a file and reads its inode, if there is one.
func (c *client) open(file int) (found, error) {
	at, err := c.search(file)
	if err != nil || at.block == 0 {
		return at, err
	}
	return at, c.fetchNode(at.block, file)
}

// storeNode writes the inode of the current file.
func (c *client) storeNode(block uint32, fresh bool) error {
	n := inodeBytes(c.spec.FileBytes)
	c.node.put(c.space.Bytes(c.inodeAt, n))
	return c.transfer(writeBlock, block, 0, n, c.inodeAt, fresh)
}

// pieces calls f for the part of each block that a range of a file touches.
func pieces(offset, n int, f func(index, from, bytes, at int) error) error {
	for at := 0; at < n; {
		from := (offset + at) % blockBytes
		k := min(n-at, blockBytes-from)
		if err := f((offset+at)/blockBytes, from, k, at); err != nil {
			return err
		}
		at += k
	}
	return nil
}

// read reads up to n bytes at an offset of a file and compares every one.
func (c *client) read(file, offset, n int) error {
	at, err := c.open(file)
	if err != nil || at.block == 0 {
		return err
	}
	c.step(StepData)
	n = max(0, min(n, c.node.size-offset))
	err = pieces(offset, n, func(index, from, bytes, at int) error {
		c.x.Compute(blockWork)
		to := c.data + host.Addr(at)
		if c.node.blocks[index] == 0 {
			c.space.WriteAt(to, make([]byte, bytes))
			c.x.MemWrite(bytes)
			return nil
		}
		return c.transfer(readBlock, c.node.blocks[index], from, bytes, to, false)
	})
	if err == nil {
		err = c.wait()
	}
	if err != nil {
		return err
	}
	got := c.bytes[:n]
	c.space.ReadAt(c.data, got)
	c.x.Compute(bytesWork(n, true))
	c.stats.BytesRead += uint64(n)
	want := c.model.read(file, offset, n)
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s: %d B at %d differ from what was written, the first at %d", name(file), n, offset, differs(got, want))
	}
	return nil
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
func (c *client) write(file, offset int, b []byte) error {
	at, err := c.open(file)
	if err != nil || at.block == 0 {
		return err
	}
	if offset < 0 {
		offset = c.node.size
	}
	c.step(StepData)
	b = b[:max(0, min(len(b), c.spec.FileBytes-offset))]
	c.space.WriteAt(c.data, b)
	c.x.Compute(bytesWork(len(b), false))
	changed := offset+len(b) > c.node.size
	err = pieces(offset, len(b), func(index, from, bytes, at int) error {
		c.x.Compute(blockWork)
		fresh := c.node.blocks[index] == 0
		if fresh {
			changed = true
			var err error
			if c.node.blocks[index], err = c.alloc(); err != nil {
				return err
			}
		}
		return c.transfer(writeBlock, c.node.blocks[index], from, bytes, c.data+host.Addr(at), fresh && bytes < blockBytes)
	})
	if err == nil && changed && len(b) > 0 {
		c.step(StepStore)
		c.node.size = max(c.node.size, offset+len(b))
		err = c.storeNode(at.block, false)
	}
	if err == nil {
		err = c.wait()
	}
	if err != nil {
		return err
	}
	c.stats.BytesWritten += uint64(len(b))
	if len(b) > 0 {
		c.model.write(file, offset, b)
	}
	return nil
}

// truncate sets the length of a file. Blocks after the new end are freed. The
// rest of the last block becomes zero, so that a file that grows again has zeros
// there.
func (c *client) truncate(file, size int) error {
	at, err := c.open(file)
	if err != nil || at.block == 0 {
		return err
	}
	c.step(StepStore)
	last := size / blockBytes
	if from := size % blockBytes; size < c.node.size && from > 0 && !c.keepTails {
		if b := c.node.blocks[last]; b != 0 {
			if err := c.transfer(zeroBlock, b, from, blockBytes-from, 0, false); err != nil {
				return err
			}
		}
	}
	c.release(blocksOf(size))
	c.node.size = size
	if err := c.storeNode(at.block, false); err != nil {
		return err
	}
	if err := c.wait(); err != nil {
		return err
	}
	c.model.resize(file, size)
	return nil
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
func (c *client) create(file int) error {
	at, err := c.search(file)
	if err != nil || at.block != 0 {
		return err
	}
	if at.free < 0 {
		return fmt.Errorf("directory %d is full", c.dirOf[file])
	}
	c.step(StepStore)
	block, err := c.alloc()
	if err != nil {
		return err
	}
	c.node.size, c.node.blocks = 0, c.node.blocks[:blocksOf(c.spec.FileBytes)]
	clear(c.node.blocks)
	c.x.Compute(fileWork)
	if err := c.storeNode(block, true); err != nil {
		return err
	}
	if err := c.storeEntry(file, at.free, block); err != nil {
		return err
	}
	c.model.create(file)
	return nil
}

// remove removes a file, if there is one.
func (c *client) remove(file int) error {
	at, err := c.open(file)
	if err != nil || at.block == 0 {
		return err
	}
	c.step(StepStore)
	if err := c.storeEntry(file, at.slot, 0); err != nil {
		return err
	}
	c.release(0)
	c.free = append(c.free, at.block)
	c.model.remove(file)
	return nil
}

// storeEntry writes an entry of a directory, whose lock the caller holds.
func (c *client) storeEntry(file, slot int, block uint32) error {
	at := c.dir + host.Addr(slot*entryBytes)
	text := ""
	if block != 0 {
		text = name(file)
	}
	putEntry(c.space.Bytes(at, entryBytes), block, text)
	if err := c.transfer(writeBlock, uint32(c.dirOf[file]), slot*entryBytes, entryBytes, at, false); err != nil {
		return err
	}
	return c.wait()
}

// list reads the names of a directory, whose lock the caller holds.
func (c *client) list(dir int) error {
	c.step(StepDirectory)
	if err := c.fetchDir(dir); err != nil {
		return err
	}
	var names []string
	b := c.space.Bytes(c.dir, blockBytes)
	for i := range dirEntries {
		if block, text := entry(b[i*entryBytes:]); block != 0 {
			names = append(names, text)
		}
	}
	c.x.Compute(host.Work{Ints: dirEntries * searchWork.Ints, Loads: dirEntries * searchWork.Loads, Read: blockBytes})
	slices.Sort(names)
	if want := c.model.list(dir); !slices.Equal(names, want) {
		return fmt.Errorf("directory %d holds %v, want %v", dir, names, want)
	}
	return nil
}
