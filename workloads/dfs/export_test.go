package dfs

// OpenLocks makes the lock service grant everything at once: the protocol
// variant that the model has to notice.
func OpenLocks(d *DFS) { d.openLocks = true }

// KeepTails leaves out the zeros behind the end of a file that was cut.
func KeepTails(d *DFS) { d.keepTails = true }

// Damage changes a byte of a file's first block on the disk, if it has one.
func Damage(d *DFS) bool {
	for f := range d.model.files {
		if b := d.block(f, 0); b != 0 {
			d.at(b)[0] ^= 1
			return true
		}
	}
	return false
}

// Lose makes a client forget a free block, or share it.
func Lose(d *DFS, share bool) bool {
	for _, c := range d.clients {
		if k := len(c.free); k > 0 {
			if share {
				c.free = append(c.free, c.free[k-1])
			} else {
				c.free = c.free[:k-1]
			}
			return true
		}
	}
	return false
}

// Forget takes a file out of its directory.
func Forget(d *DFS) bool {
	for dir := range d.disk.dirs {
		b := d.at(uint32(dir))
		for i := range dirEntries {
			if block, _ := entry(b[i*entryBytes:]); block != 0 {
				putEntry(b[i*entryBytes:], 0, "")
				return true
			}
		}
	}
	return false
}

// block returns a file's block by index, on a disk that nobody uses.
func (d *DFS) block(file, index int) uint32 {
	if !d.model.files[file].exists || len(d.model.files[file].data) <= index*blockBytes {
		return 0
	}
	b := d.at(uint32(d.dirOf[file]))
	for i := range dirEntries {
		if block, text := entry(b[i*entryBytes:]); block != 0 && text == name(file) {
			var n inode
			if n.take(d.at(block)[:inodeBytes(d.spec.FileBytes)], d.disk.blocks()) == nil {
				return n.blocks[index]
			}
		}
	}
	return 0
}

// ParseRequest decodes a request and encodes it again.
func ParseRequest(b []byte) ([requestBytes]byte, error) {
	var out [requestBytes]byte
	r, err := parseRequest(b)
	if err == nil {
		r.put(&out)
	}
	return out, err
}

// ParseReply does so with a reply.
func ParseReply(b []byte) ([replyBytes]byte, error) {
	var out [replyBytes]byte
	r, err := parseReply(b)
	if err == nil {
		r.put(&out)
	}
	return out, err
}

// ParseInode does so with an inode.
func ParseInode(b []byte, disk uint32) ([]byte, error) {
	var n inode
	if err := n.take(b, disk); err != nil {
		return nil, err
	}
	out := make([]byte, len(b)/4*4)
	n.put(out)
	return out, nil
}

// MinInode is the shortest inode.
const MinInode = inodeHead
