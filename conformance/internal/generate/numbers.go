package generate

import "strconv"

// Fresh values come from numbers. A window of numbers belongs to a seed and an
// generation, and never meets another's, so a run never repeats a value, nor one of an
// earlier generation. Inside a window each purpose has a range of its own (Ranges).
const (
	FirstOffset = 64         // of the cases
	LastOffset  = window / 2 // behind the cases
	Slack       = 2          // more than a message is known to take
	RetryStride = 32         // numbers of a retry place
	window      = 1 << 19
	windows     = (1<<31 - 1) / window
	// Generations is the number of generations that can be tried.
	Generations = windows
)

// The ranges of what belongs to no case. No message takes as many numbers as
// the last four of them hold.
const (
	Opening     = 0 // the first request of the pre-flight
	widest      = 8 << 10
	LongOpening = window - 4*widest // the same, where it takes more than FirstOffset numbers
	Example     = window - 3*widest // what shrinking puts in the place of a value
	Waiting     = window - 2*widest // requests to a target that is starting
	Marker      = window - widest   // what tells later runs of this one
)

// Range is a part of the numbers of a window.
type Range struct {
	Purpose    string
	First, End int // End is the first number behind it
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

// Identity says which fresh values a build takes.
type Identity struct {
	Seed       uint64
	Generation int
	// RunNumber is above 0 where earlier runs, of whatever seed, left their data:
	// neighbours differ from round to round.
	RunNumber int
	// Retry is 0 for the case itself, else the first retry place of a repeat: the
	// same thing with other fresh values.
	Retry int
	// Neighbour, above 0, also moves values that are the subject of the case to
	// another one of their class.
	Neighbour int
}

// RetryNumber is the first fresh number of a retry place, from 1. After some seven
// thousand places the first ones come again.
func RetryNumber(retry int) int {
	return LastOffset + (retry-1)%((LongOpening-LastOffset)/RetryStride)*RetryStride
}

// Owns reports whether a number is one of the fresh ones of this identity's
// window.
func (id Identity) Owns(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	first := Mix("window", "", id.Seed) % windows
	w := (first + uint64(id.Generation)) % windows
	return err == nil && n > 0 && uint64(n-1)/window == w
}
