package ni

// Stepwise gives all steps of the card events.
func (n *NIC) Stepwise() { n.attend() }
