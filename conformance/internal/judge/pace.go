package judge

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
)

// pace measures how fast the target answers.
type pace struct {
	mu      sync.Mutex
	took    []time.Duration
	slowest time.Duration
	// justified is what justifies gave when looked answers were known.
	justified time.Duration
	looked    int
	lockouts  time.Duration // waited for targets that throttle wrong credentials
}

const (
	paceKept = 512 // answers that are remembered
	paceStep = 32  // further ones after which the pace is looked at anew
)

func (p *pace) answered(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slowest = max(p.slowest, d)
	if len(p.took) < paceKept {
		p.took = append(p.took, d)
	}
}

func (p *pace) median() time.Duration {
	if len(p.took) == 0 {
		return 0
	}
	s := slices.Clone(p.took)
	slices.Sort(s)
	return s[len(s)/2]
}

func (p *pace) summary() (median, slowest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.median(), p.slowest
}

// affords tells whether the run may wait so long for a target that throttles
// wrong credentials, and counts the wait.
func (p *pace) affords(d time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lockouts+d > lockoutWait {
		return false
	}
	p.lockouts += d
	return true
}

// justifies is a wait that nearly every answer so far came within.
func (p *pace) justifies() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.took); n >= p.looked+paceStep || p.looked == 0 && n > 0 {
		s := slices.Clone(p.took)
		slices.Sort(s)
		p.justified, p.looked = max(paceFactor*s[n/2], 2*s[n*99/100]), n
	}
	return p.justified
}

// gate holds every worker back while the target asks for fewer requests.
type gate struct {
	mu    sync.Mutex
	until time.Time
}

func (g *gate) close(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t := time.Now().Add(d); t.After(g.until) {
		g.until = t
	}
}

// pass waits until the gate is open or the context ends.
func (g *gate) pass(ctx context.Context) {
	g.mu.Lock()
	d := time.Until(g.until)
	g.mu.Unlock()
	pause(ctx, d)
}

func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// throttled tells whether an answer asks for patience, and for how much: 429,
// or 503 with Retry-After (RFC 6585, 4; RFC 9110, 15.6.4 and 10.2.3).
func throttled(e *exchange.Exchange, tries int) (time.Duration, bool) {
	r := e.Response
	if r == nil || e.Failure != nil || r.Status != 429 && r.Status != 503 {
		return 0, false
	}
	hint := r.Get("Retry-After")
	if hint == "" && r.Status == 503 {
		return 0, false
	}
	if n, err := strconv.Atoi(hint); err == nil && n >= 0 {
		return min(time.Duration(n), 3600) * time.Second, true
	}
	if t, err := time.Parse(time.RFC1123, hint); err == nil {
		return max(0, time.Until(t)), true
	}
	return throttleFirst << min(tries, 6), true
}
