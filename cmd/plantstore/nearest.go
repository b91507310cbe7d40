package main

import (
	"fmt"
	"slices"
	"strings"
)

func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, v := range list {
		out = append(out, name(v))
	}
	return out
}

// unknown is the error for a name that is not in a catalogue.
func unknown(kind, name string, known []string) error {
	hint := ""
	if near := nearest(name, known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? "
	}
	return fmt.Errorf(`unknown %s %q: %s"plantstore %ss" lists them`, kind, name, hint, kind)
}

// maxHints is how many names are offered.
const maxHints = 3

// nearest gives the known names that a typing error apart are name, or that
// hold it, nearest first.
func nearest(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, k := range known {
		d := distance(name, k)
		if strings.Contains(k, name) {
			d = min(d, 2)
		}
		if d <= max(2, len(name)/4) {
			near = append(near, candidate{k, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var out []string
	for _, c := range near[:min(len(near), maxHints)] {
		out = append(out, c.name)
	}
	return out
}

// distance is the number of characters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
