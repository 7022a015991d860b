package fabric

// crc8 is the CRC of the polynomial x⁸+x²+x+1 over b, starting from crc.
func crc8(crc uint8, b []byte) uint8 {
	for _, x := range b {
		crc = crcTable[crc^x]
	}
	return crc
}

var crcTable = func() (t [256]uint8) {
	for i := range t {
		c := uint8(i)
		for range 8 {
			if c&0x80 != 0 {
				c = c<<1 ^ 0x07
			} else {
				c <<= 1
			}
		}
		t[i] = c
	}
	return t
}()
