package judge

import (
	"encoding/binary"
	"math/bits"
)

// Set is a set of requirements of one operation, by their place in Judge.Bound.
type Set struct {
	first int
	words []uint64
}

// Add adds a requirement to the set.
func (s Set) Add(at int) { s.words[(at-s.first)/64] |= 1 << ((at - s.first) % 64) }

// Has reports whether a requirement is in the set.
func (s Set) Has(at int) bool {
	n := at - s.first
	return n >= 0 && n/64 < len(s.words) && s.words[n/64]&(1<<(n%64)) != 0
}

// Union adds another set of the same operation.
func (s Set) Union(other Set) {
	for i := range other.words {
		s.words[i] |= other.words[i]
	}
}

// Each calls f for every requirement of the set, in order.
func (s Set) Each(f func(at int)) {
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			f(s.first + i*64 + bits.TrailingZeros64(w))
		}
	}
}

// Empty reports whether the set is empty.
func (s Set) Empty() bool {
	for _, w := range s.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// key is equal for equal sets.
func (s Set) key() string {
	out := binary.AppendUvarint(nil, uint64(s.first))
	for i, w := range s.words {
		if w != 0 {
			out = binary.LittleEndian.AppendUint64(binary.AppendUvarint(out, uint64(i)), w)
		}
	}
	return string(out)
}
