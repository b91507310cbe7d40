package requirement

import (
	"slices"
	"strconv"
	"strings"
)

const (
	shown    = 60 // characters of a text from a file
	listed   = 30 // names in a list
	nearMost = 3  // names that a hint offers
)

// show quotes a text from a file, so that a message stays one short line.
func show(s string) string {
	if r := []rune(s); len(r) > shown {
		return strconv.Quote(string(r[:shown])) + "..."
	}
	return strconv.Quote(s)
}

// some joins names; of very many the first.
func some(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) > listed {
		return strings.Join(names[:listed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// nearest returns the names most like a word, the nearest first.
func nearest(word string, names []string) []string {
	type near struct {
		name string
		far  int
	}
	var list []near
	for _, n := range names {
		list = append(list, near{n, distance(word, n)})
	}
	slices.SortStableFunc(list, func(a, b near) int { return a.far - b.far })
	var out []string
	for _, n := range list[:min(nearMost, len(list))] {
		out = append(out, n.name)
	}
	return out
}

// distance is the number of bytes to insert, drop or replace, of the first
// shown ones.
func distance(a, b string) int {
	a, b = a[:min(shown, len(a))], b[:min(shown, len(b))]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
