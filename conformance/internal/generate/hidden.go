package generate

// hidden returns the place of a fresh number in its window. Fresh numbers are
// counted in the order of the plan, which is public, so a plain number as an id
// would tell a target which class it belongs to. Two numbers of a window never have
// the same place, and the place cannot be reversed without the seed.
func (g *Gen) hidden(number int64) int64 {
	if g.key == 0 {
		g.key = Mix("hidden", "", g.id.Seed) | 1
	}
	first := (number - 1) / window * window
	at := uint64(number - 1 - first)
	for {
		// A place outside the window is permuted again, so the whole stays a
		// permutation (cycle walking; Black and Rogaway, 2002).
		if at = shuffled(at, g.key); at < window {
			return first + int64(at) + 1
		}
	}
}

// halfBits is the size of the halves of a place that the Feistel network works on;
// both together hold a window.
const halfBits = 10

// shuffled permutes the numbers of 2*halfBits bits by a key (a Feistel network).
func shuffled(n, key uint64) uint64 {
	const suppress = 1<<halfBits - 1
	left, right := n>>halfBits, n&suppress
	for round := range uint64(6) {
		s := splitmix{state: key ^ right<<8 ^ round}
		left, right = right, left^s.Uint64()&suppress
	}
	return left<<halfBits | right
}
