// Package sample says what go test tries of a long list. With -tags slow it tries
// all, as the nightly job does, and with -short nothing. Otherwise the hash of a name
// decides, so that a new entry moves no other one into the sample or out of it. It is
// for tests alone.
package sample

import (
	"hash/fnv"
	"slices"
	"testing"
)

// Has reports whether the entry with a name is tried, where one in so many is.
func Has(name string, oneIn int) bool {
	return !testing.Short() && (all || part(name, oneIn) == 0)
}

// Of keeps the names that are tried, where one in so many is.
func Of(names []string, oneIn int) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !Has(name, oneIn) })
}

// OneIn skips a test that is outside the sample: one test in so many is run, by its
// name.
func OneIn(t testing.TB, oneIn int) {
	t.Helper()
	if !Has(t.Name(), oneIn) {
		t.Skip("outside the sample: -tags slow runs it")
	}
}

// Slow skips a test unless all are run. It is for one that cannot be made cheap and
// whose subject other tests have too.
func Slow(t testing.TB) {
	t.Helper()
	if !all || testing.Short() {
		t.Skip("slow: -tags slow runs it")
	}
}

// Long skips a test if -short is given.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("long: -short leaves it out")
	}
}

// part is the number below n that a name is in.
func part(name string, n int) int {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // it never fails
	return int(h.Sum64() % uint64(n))
}
