package conformance

import (
	"slices"
	"strings"
)

// mostNear is how many similar ids an error names.
const mostNear = 3

// nearest names the known ids that are most like one that is unknown; empty
// where none is. A word or a segment too many, too few or misspelled leaves the
// beginning and the end of an id as they are.
func nearest(id string, known []string) string {
	type match struct {
		id         string
		same, more int
	}
	var list []match
	for _, k := range known {
		same := commonEnds(id, k)
		if len(id) > 3 && strings.Contains(k, id) {
			same = len(id)
		}
		if 2*same > len(id) {
			list = append(list, match{k, same, max(len(k)-len(id), len(id)-len(k))})
		}
	}
	slices.SortStableFunc(list, func(a, b match) int {
		if a.same != b.same {
			return b.same - a.same
		}
		return a.more - b.more
	})
	var out []string
	for _, m := range list[:min(len(list), mostNear)] {
		if m.same == list[0].same {
			out = append(out, m.id)
		}
	}
	return strings.Join(out, ", ")
}

// commonEnds counts the bytes that two texts share at the beginning and at the
// end, none of them twice.
func commonEnds(a, b string) int {
	n := min(len(a), len(b))
	front := 0
	for front < n && a[front] == b[front] {
		front++
	}
	back := 0
	for back < n-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front + back
}
