package proof

import (
	"crypto/sha256"
	"encoding/binary"
)

// Part returns which of n parts a server of the table belongs to, from 0. It depends
// only on the kind and the name, so a new server moves no other to another shard or
// sample.
func Part(k Kind, name string, n int) int {
	sum := sha256.Sum256([]byte(string(k) + " " + name))
	return int(binary.BigEndian.Uint64(sum[:8]) % uint64(n))
}
