package generate

import (
	"strconv"
	"time"
)

// Fresh values come from numbers. A window of numbers belongs to a seed and a
// dataset generation, and no two windows overlap, so a run repeats no value,
// neither its own nor one of an earlier generation. Inside a window each purpose
// has its own range (see Ranges).
const (
	FirstOffset = 64         // of the cases
	LastOffset  = window / 2 // after the cases
	Slack       = 2          // more than a message is known to take
	RetryStride = 32         // numbers of a retry place
	window      = 1 << 19
	windows     = (1<<31 - 1) / window
	// insteadOfFirst is the window that stands in for the first one. It has no power of two or ten,
	// and its own turn is so many generations away that no target has values of both.
	insteadOfFirst = windows / 3
	// Generations is the number of generations that can be tried.
	Generations = windows
)

// The ranges for requests that belong to no case. No message takes as many numbers
// as each of the last four holds.
const (
	Opening     = 0 // the first request of the pre-flight
	widest      = 8 << 10
	LongOpening = window - 4*widest // the same, if it takes more than FirstOffset numbers
	Example     = window - 3*widest // what shrinking puts in the place of a value
	Waiting     = window - 2*widest // requests to a target that is starting
	Marker      = window - widest   // what tells later runs of this one
)

// Range is a part of the numbers of a window.
type Range struct {
	Purpose    string
	First, End int // End is the first number after it
}

// Ranges lists the ranges of a window in order.
func Ranges() []Range {
	return []Range{
		{"the first request of the pre-flight", Opening, FirstOffset},
		{"cases", FirstOffset, LastOffset},
		{"retries, controls and all else that is sent once", LastOffset, LongOpening},
		{"a long first request", LongOpening, Example},
		{"examples for shrinking", Example, Waiting},
		{"waiting for the target", Waiting, Marker},
		{"markers for later runs", Marker, window},
	}
}

// Identity says which fresh values a request takes.
type Identity struct {
	Seed       uint64
	Generation int
	// RunNumber is above 0 if earlier runs, with any seed, left their data.
	// Neighbours differ from one run number to the next.
	RunNumber int
	// Retry is 0 for the case itself, and otherwise the first retry id of a repeat:
	// the same case with other fresh values.
	Retry int
	// Neighbour, if above 0, also replaces the values that the case is about by
	// others of their class.
	Neighbour int
	// Space separates the values of operations: each has all numbers for itself. It
	// is empty where there is only one operation.
	Space string
	// Small are the operations that get only small numbers: no more may be ordered than are in
	// stock, say. Past and Soon are those that get dates in the past, or in the next weeks, where
	// they would lie in the far future. Nil stands for none.
	Small, Past, Soon *Operations
	// Today is the day from which the next weeks count.
	Today time.Time
	// Choices are the operations that get other values of enums than the first; nil if none does.
	Choices *Choices
	// Given are the operations that get the values of examples; nil if none does.
	Given *Given
	// Refused are the optional members that requests go without which only lead to others; nil for
	// none.
	Refused *Refused
	// Lap counts how often the numbers of retries began again.
	Lap int
}

// space names the numbers and words that the identity draws from.
func (id Identity) space() string {
	if id.Lap == 0 {
		return id.Space
	}
	return id.Space + "#" + strconv.Itoa(id.Lap)
}

// Later returns the identity for a retry id. After the last number, another lap starts.
func (id Identity) Later(retry int) Identity {
	id.Lap = max(0, retry-1) / ((LongOpening - LastOffset) / RetryStride)
	return id
}

// RetryNumber returns the first fresh number of a retry id, which counts from 1.
// After about seven thousand ids the numbers start again.
func RetryNumber(retry int) int {
	return LastOffset + (retry-1)%((LongOpening-LastOffset)/RetryStride)*RetryStride
}

// Owns reports whether a number is one of the fresh numbers of this identity's
// window.
func (id Identity) Owns(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > 0 && uint64(n-1)/window == id.window()
}

// window returns the window of an identity. It is never the first one: that has the small numbers
// that cases are about, such as 1, 10 and 255, which are not fresh.
func (id Identity) window() uint64 {
	w := (Mix("window", id.space(), id.Seed)%windows + uint64(id.Generation)) % windows
	if w == 0 {
		return insteadOfFirst
	}
	return w
}
