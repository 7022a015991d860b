package gam

// Window returns how many tokens a node has for each peer.
func (l *Layer) Window() int { return l.window }
