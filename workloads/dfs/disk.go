package dfs

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// What lies in blocks. Block numbers are of the whole disk; 0 is the first
// directory and so stands for no block in files.
//
//	directory   entries of 32 B: inode block (4 B, 0: free), name (28 B, zeros behind it)
//	inode       mark, size in bytes, then the file's blocks in order (0: a hole of zeros)
const (
	entryBytes = 32
	nameBytes  = entryBytes - 4
	dirEntries = blockBytes / entryBytes
	inodeMark  = 0x69736676
	// range of the disk out of which a client takes blocks
	clientBlocks = 1 << 15
)

// geometry says where things are.
type geometry struct {
	servers int
	dirs    int
	nodes   int
}

// home returns the server of a block and the block's place there.
func (g *geometry) home(block uint32) (server int, place uint32) {
	return int(block) % g.servers, block / uint32(g.servers)
}

// blocks returns the size of the disk.
func (g *geometry) blocks() uint32 { return uint32(g.dirs + g.nodes*clientBlocks) }

// first returns the first block of a client's range.
func (g *geometry) first(client int) uint32 { return uint32(g.dirs + client*clientBlocks) }

// Locks are numbered like names first, then directories.
func (d *DFS) nameLock(file int) uint32 { return uint32(file) }
func (d *DFS) dirLock(dir int) uint32   { return uint32(d.spec.Files + dir) }

// lockHome returns the server of a lock.
func (g *geometry) lockHome(lock uint32) int { return int(lock) % g.servers }

// name returns the name of a file.
func name(file int) string { return fmt.Sprintf("file-%06d", file) }

// spread puts every name into a directory by its hash, in as many directories
// as it takes for none to overflow.
func spread(files int) (dirs int, of []int) {
	of = make([]int, files)
next:
	for dirs = (files + dirEntries/4 - 1) / (dirEntries / 4); ; dirs++ {
		used := make([]int, dirs)
		for f := range of {
			h := uint32(2166136261)
			for _, c := range []byte(name(f)) {
				h = (h ^ uint32(c)) * 16777619
			}
			of[f] = int(h % uint32(dirs))
			if used[of[f]]++; used[of[f]] > dirEntries {
				continue next
			}
		}
		return dirs, of
	}
}

// putEntry encodes a directory's entry.
func putEntry(b []byte, inode uint32, name string) {
	clear(b[:entryBytes])
	binary.LittleEndian.PutUint32(b, inode)
	copy(b[4:entryBytes], name)
}

// entry decodes one.
func entry(b []byte) (inode uint32, name string) {
	text := b[4:entryBytes]
	if i := bytes.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	return binary.LittleEndian.Uint32(b), string(text)
}

// inode describes a file.
type inode struct {
	size   int
	blocks []uint32 // as many as any file can have
}

func inodeBytes(fileBytes int) int { return inodeHead + 4*blocksOf(fileBytes) }

func blocksOf(bytes int) int { return (bytes + blockBytes - 1) / blockBytes }

func (n *inode) put(b []byte) {
	binary.LittleEndian.PutUint32(b, inodeMark)
	binary.LittleEndian.PutUint32(b[4:], uint32(n.size))
	for i, v := range n.blocks {
		binary.LittleEndian.PutUint32(b[inodeHead+4*i:], v)
	}
}

// take decodes b, which is inodeBytes long, for a disk of that many blocks.
func (n *inode) take(b []byte, disk uint32) error {
	if mark := binary.LittleEndian.Uint32(b); mark != inodeMark {
		return fmt.Errorf("inode with mark %#x, want %#x", mark, inodeMark)
	}
	size := binary.LittleEndian.Uint32(b[4:])
	count := (len(b) - inodeHead) / 4
	if uint64(size) > uint64(count)*blockBytes {
		return fmt.Errorf("inode of %d B in at most %d blocks", size, count)
	}
	n.size, n.blocks = int(size), n.blocks[:0]
	for i := range count {
		v := binary.LittleEndian.Uint32(b[inodeHead+4*i:])
		if v >= disk || v != 0 && i >= blocksOf(n.size) {
			return fmt.Errorf("inode of %d B with block %d as its %dth, of a disk of %d", size, v, i, disk)
		}
		n.blocks = append(n.blocks, v)
	}
	return nil
}
