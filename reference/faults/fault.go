// Package faults is the catalogue of wrong servers: each is the reference
// server with one deliberate deviation, in the form in which real code gets it
// wrong, and names the requirement that it breaks.
package faults

import (
	"fmt"
	"slices"
	"sync/atomic"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
	"plantstore/reference/kit"
)

// Fault is one deliberate deviation of the reference server.
type Fault struct {
	// Name is a slug, unique in the catalogue.
	Name string
	// Doc is one sentence: what the server does, and who really does it.
	Doc string
	// Breaks is the id of the requirement that does not hold any more.
	Breaks string
	// Also are further requirements that the same deviation breaks by nature.
	Also []string
	// Values are values that the suite is told that it takes: POINTER=VALUE.
	Values []string
	// Rare says that it shows on one request in many, in a certain order of
	// requests, or with one value in a class only.
	Rare bool

	alter alter.Change
}

// New makes a server with this fault. No two servers share any state.
func (f Fault) New(cfg reference.Config) *reference.Server { return alter.Server(cfg, f.Alter) }

// Alter makes the deviation in a server that is being made, so that it can be
// combined with others through [reference.Config].
func (f Fault) Alter(s *reference.Stages) {
	alter.HTTP1(s)
	f.alter(s)
}

// Validate checks that every entry is complete and none stands twice.
func Validate(list []Fault) error {
	return kit.Validate("fault", list, func(f Fault) (name, doc, flaw string) {
		switch {
		case !kit.Slug.MatchString(f.Breaks):
			flaw = fmt.Sprintf(": %q is not the id of a requirement", f.Breaks)
		case f.alter == nil:
			flaw = " changes nothing"
		}
		return f.Name, f.Doc, flaw
	})
}

// List gives every fault, family by family.
func List() []Fault {
	return slices.Concat(
		syntax(), surroundings(),
		shape(), members(), idTypes(), idRange(), texts(),
		idRefused(), nameRefused(), spelling(), moods(),
		success(), plants(), echoes(), tagEchoes(), sharing(),
		refusals(), errorBodies(),
		credentials(), comparisons(), sessions(),
		crashes(), wear(), wire(), transport(), contexts(), orders(), knowing(), again(),
		heads(), framings(), blocks(), crossings(), sizes(), grammar(), marks(), beside(), inside(),
	)
}

// Find gives the fault of a name.
func Find(name string) (Fault, bool) {
	return kit.First(List(), func(f Fault) bool { return f.Name == name })
}

// counter gives a function that says of each of its calls whether it is due:
// each server counts for itself.
type counter func() func() bool

// counting is a counter by the number of the call, from 1 on.
func counting(due func(n int64) bool) counter {
	return func() func() bool {
		var calls atomic.Int64
		return func() bool { return due(calls.Add(1)) }
	}
}

func each() func() bool { return func() bool { return true } }

// every is due at each n-th call.
func every(n int64) counter { return counting(func(call int64) bool { return call%n == 0 }) }

// first is due at the first n calls.
func first(n int64) counter { return counting(func(call int64) bool { return call <= n }) }

// after is due behind the first n calls.
func after(n int64) counter { return counting(func(call int64) bool { return call > n }) }
