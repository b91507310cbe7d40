package plan

import (
	"cmp"
	"fmt"
	"slices"
)

// Shard returns the cases of one of several parts, counted from 1, in their order. All
// parts together have each case once. The cases of a class stay together, so that what is
// said of a class needs no other part. Parts have about the same number of requests. The
// error says how many parts are possible.
func Shard(cases []*Case, number, of int) ([]*Case, error) {
	requests := map[*Class]int{}
	var classes []*Class
	for _, c := range cases {
		if requests[c.Class] == 0 {
			classes = append(classes, c.Class)
		}
		requests[c.Class] += max(1, c.Steps())
	}
	if of > len(classes) {
		return nil, fmt.Errorf("%d shards are too many for the classes of this plan: use at most %d", of, len(classes))
	}
	// The largest class goes first, each to the part that has the fewest requests.
	slices.SortFunc(classes, func(a, b *Class) int {
		return cmp.Or(cmp.Compare(requests[b], requests[a]), cmp.Compare(a.Slug, b.Slug))
	})
	load := make([]int, of)
	mine := map[*Class]bool{}
	for _, class := range classes {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		load[least] += requests[class]
		mine[class] = least == number-1
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c *Case) bool { return !mine[c.Class] }), nil
}
