package proof

import (
	"crypto/sha256"
	"encoding/binary"
)

// Part tells which of n parts a server of the table belongs to, from 0. It
// depends on the kind and the name alone, so that a new server moves no other
// into another shard, or into a sample.
func Part(k Kind, name string, n int) int {
	sum := sha256.Sum256([]byte(string(k) + " " + name))
	return int(binary.BigEndian.Uint64(sum[:8]) % uint64(n))
}
