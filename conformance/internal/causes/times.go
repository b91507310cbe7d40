package causes

const (
	// least is how many cases of each kind it takes to compare when they came.
	// Two are enough if there are manyMore of the other.
	least    = 5
	manyMore = 150
	// enough is how many cases that passed before have to fail if they are sent again.
	enough = 3
	// early is the part of the run that is its beginning.
	early = 10
	// beside is how many requests may be under way beside one, so that their order is
	// not known.
	beside = 8
)

// distance returns what is between each place and the next, if that is always the same and
// there are at least three.
func distance(at []int) (n int, regular bool) {
	if len(at) < 3 {
		return 0, false
	}
	n = at[1] - at[0]
	for i := range at[1:] {
		if at[i+1]-at[i] != n {
			return 0, false
		}
	}
	return n, true
}
