package faults

import "sync/atomic"

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
