// Package nearest finds the known names that a misspelled one may stand for.
package nearest

import (
	"math"
	"slices"
	"strings"
)

const (
	maximum = 3   // names that are offered
	enough  = 3   // bytes that tell names apart
	longest = 200 // bytes of names whose letters are compared one by one
)

// Names returns the known names nearest to an unknown one: up to three that are
// equally near, those of the most similar length first. There are none if no known
// name is near: a few letters apart, or with a part more or less.
func Names(name string, known []string) []string {
	type candidate struct {
		name        string
		edits, more int
	}
	var near []candidate
	for _, k := range known {
		if d := edits(name, k); d <= max(2, len(name)/4) {
			near = append(near, candidate{k, d, max(len(k)-len(name), len(name)-len(k))})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		if a.edits != b.edits {
			return a.edits - b.edits
		}
		return a.more - b.more
	})
	var out []string
	for _, c := range near[:min(len(near), maximum)] {
		if c.edits == near[0].edits {
			out = append(out, c.name)
		}
	}
	return out
}

// Hint asks whether the known names nearest to an unknown one are meant. It is empty if
// there are none.
func Hint(name string, known []string) string {
	near := Names(name, known)
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(near, ", ") + "?"
}

// edits is the distance of two names. To put in or leave out one part, or all
// around it, counts as two edits, however long it is.
func edits(a, b string) int {
	short, long := min(len(a), len(b)), max(len(a), len(b))
	d := math.MaxInt
	if long <= longest {
		d = distance(a, b)
	}
	if len(a) <= enough && d > 1 {
		d = math.MaxInt // with two other letters, nothing is left of a short name
	}
	if len(a) >= enough && strings.Contains(b, a) || commonEnds(a, b) == short && 2*short > long {
		return min(d, 2)
	}
	return d
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

// distance is the number of bytes to insert, delete or replace, and of neighbours to
// swap.
func distance(a, b string) int {
	var before []int // the row before the last
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := row[j]
			if a[i] != b[j] {
				cost++
			}
			next[j+1] = min(cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
