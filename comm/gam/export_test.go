package gam

// Window returns how many tokens a node has for each peer.
func (l *Layer) Window() int { return l.window }

// Window returns how many tokens a node of so many has for each peer.
func (s *Spec) Window(nodes int) (int, error) { return s.window(nodes) }
