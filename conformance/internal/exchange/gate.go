package exchange

import (
	"sync"
	"time"
)

// Gate holds back the last piece of a request that is cut, so that requests on other
// connections come between its pieces.
type Gate struct {
	held, open chan struct{}
	hold, lift sync.Once
}

// NewGate returns a closed gate.
func NewGate() *Gate { return &Gate{held: make(chan struct{}), open: make(chan struct{})} }

// Held is closed once all but the last piece were written.
func (g *Gate) Held() <-chan struct{} { return g.held }

// Open lets the last piece pass.
func (g *Gate) Open() { g.lift.Do(func() { close(g.open) }) }

// Wait is called after the last piece but one. It returns when the gate is open, or after
// the longest wait.
func (g *Gate) Wait(longest time.Duration) {
	g.hold.Do(func() { close(g.held) })
	end := time.NewTimer(longest)
	defer end.Stop()
	select {
	case <-g.open:
	case <-end.C:
	}
}
