package causal

// transfers share the bus of a node if the engine serves all at once: each gets the same part of
// what one has alone.
type transfers struct {
	at, moved int64 // ps; what each could have moved by then, in ps of one alone
	active    []transfer
}

type transfer struct {
	piece int32
	until int64 // of moved
}

// flow begins to move the bytes of a transfer.
func (r *rerun) flow(i int32) {
	node := r.Pieces[i].Instance
	t := r.sharing[node]
	if t == nil {
		t = &transfers{}
		r.sharing[node] = t
	}
	t.advance(r.now)
	length, _ := r.length(i)
	t.active = append(t.active, transfer{i, t.moved + max(length-r.setup, 0)})
	r.await(t, node)
}

// flowed ends a transfer of a node if one has moved all.
func (r *rerun) flowed(node int32) {
	t := r.sharing[node]
	t.advance(r.now)
	for k, f := range t.active {
		if f.until-t.moved <= int64(len(t.active)) { // what is lost by rounding
			t.active = append(t.active[:k], t.active[k+1:]...)
			r.leave(f.piece)
			r.await(t, node)
			return
		}
	}
}

// advance moves bytes up to now.
func (t *transfers) advance(now int64) {
	if n := int64(len(t.active)); n > 0 {
		t.moved += (now - t.at) / n
	}
	t.at = now
}

// await makes the event at which the next transfer of a node ends, if no other begins before.
func (r *rerun) await(t *transfers, node int32) {
	if len(t.active) == 0 {
		return
	}
	least := t.active[0].until
	for _, f := range t.active {
		least = min(least, f.until)
	}
	r.add(event{at: r.now + max(least-t.moved, 0)*int64(len(t.active)), what: flowed, index: node})
}
