package judge

import "encoding/binary"

// bits is a set of requirements by their place in Judge.bound.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) has(i int) bool { return b != nil && b[i/64]&(1<<(i%64)) != 0 }

// key is the same for sets of the same members.
func (b bits) key() string {
	var out []byte
	for i, w := range b {
		if w != 0 {
			out = binary.LittleEndian.AppendUint64(binary.AppendUvarint(out, uint64(i)), w)
		}
	}
	return string(out)
}

func (b bits) add(o bits) {
	for i := range o {
		b[i] |= o[i]
	}
}
