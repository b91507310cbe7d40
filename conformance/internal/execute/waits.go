package execute

import (
	"sync"
	"time"
)

// waits counts how often a rule failed after the whole time that a target may take to
// show something. Many cases may fail at the same time.
type waits struct {
	mu   sync.Mutex
	vain map[string]int
}

// wholeWaits is how many cases of a rule wait that long. What they did not see, the others
// do not wait for: a target that stores nothing costs seconds, not minutes.
const wholeWaits = 3

// settle returns how long the target may take to show what a rule looks for.
func (run *Run) settle(rule string) time.Duration {
	run.waits.mu.Lock()
	defer run.waits.mu.Unlock()
	if run.waits.vain[rule] >= wholeWaits {
		return run.Settle / 16
	}
	return run.Settle
}

// noted counts a rule that failed in the end.
func (w *waits) noted(rule string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.vain == nil {
		w.vain = map[string]int{}
	}
	w.vain[rule]++
}
