package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// late knows the operations that do not find a resource at once after it was made. Many may
// use it at the same time.
type late struct {
	mu   sync.Mutex
	took map[*openapi.Operation]time.Duration // until it was found
	vain int                                  // how often nothing was found
	// stock are resources that were made before they are needed, by the operation that makes
	// them, the oldest first. Many that wait at the same time cost one wait.
	stock map[*openapi.Operation][]stocked
	// drawn is how many resources were taken, by the operation that makes them.
	drawn map[*openapi.Operation]int
}

// stocked is a resource that no request named yet.
type stocked struct {
	res *asked
	at  time.Time
}

// maxStocked is how many resources are made before they are needed: about as many as a run makes
// until the first of them shows, if each request needs one.
const maxStocked = 512

// maxWaits is how many operations are asked for the whole time that resources may take to
// show, if that never helps: an operation may refuse for any other reason.
const maxWaits = 2

// lateFactor is how many times longer than it took once a resource has to show.
const lateFactor = 2

// until returns how long after it was made an operation should find a resource.
func (l *late) until(op *openapi.Operation, maximum time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return min(maximum, lateFactor*l.took[op])
}

// put adds a resource to the stock. It takes out the oldest, and returns when that one shows. It
// drops resources that are older than that by more than maximum: they may be gone.
func (l *late) put(from *openapi.Operation, made *asked, until, maximum time.Duration) (oldest *asked, shows time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stock == nil {
		l.stock, l.drawn = map[*openapi.Operation][]stocked{}, map[*openapi.Operation]int{}
	}
	list := append(l.stock[from], stocked{made, time.Now()})
	for time.Since(list[0].at) > until+maximum {
		list = list[1:]
	}
	l.stock[from] = list[1:]
	l.drawn[from]++
	return list[0].res, list[0].at.Add(until)
}

// short reports whether the stock should grow while a request waits. It never holds more resources
// than were drawn from it: the run may need no others.
func (l *late) short(from *openapi.Operation) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.stock[from]) < min(l.drawn[from], maxStocked)
}

// add puts a resource into the stock.
func (l *late) add(from *openapi.Operation, made *asked) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stock[from] = append(l.stock[from], stocked{made, time.Now()})
}

// shown gets what a way names from the target, and waits until an operation should find it.
// Where resources show late, it takes one that was made before, and makes others for later while
// it waits.
func (t *Target) shown(ctx context.Context, s Session, op *openapi.Operation, w resource.Dependency, depth int) (*asked, error) {
	made, err := t.ask(ctx, s, w, depth)
	until := t.late.until(op, t.Settle)
	if err != nil || !w.Makes() || until == 0 {
		return made, err
	}
	if slices.ContainsFunc(t.Contract.Operations, t.Clears) {
		client.Pause(ctx, until) // what was made before may be gone
		return made, nil
	}
	oldest, shows := t.late.put(w.From, made, until, t.Settle)
	for time.Now().Before(shows) && t.late.short(w.From) && ctx.Err() == nil {
		another, err := t.ask(ctx, s, w, depth)
		if err != nil {
			break
		}
		t.late.add(w.From, another)
	}
	client.Pause(ctx, time.Until(shows))
	return oldest, nil
}

// found records how long it took until an operation found a resource.
func (l *late) found(op *openapi.Operation, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.took == nil {
		l.took = map[*openapi.Operation]time.Duration{}
	}
	l.took[op] = took
}

// lost records that nothing was found.
func (l *late) lost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.vain++
}

// hopeless reports whether it is not worth waiting: it never helped.
func (l *late) hopeless() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.took) == 0 && l.vain >= maxWaits
}

// shows asks again for a resource that was made and is not found, for as long as the user
// lets it take to show. It reports whether it did.
func (p *preflight) shows(ctx context.Context, dependencies map[string]resource.Dependency) bool {
	made := slices.ContainsFunc(p.t.Reach.Of(p.op), func(n resource.Need) bool { return dependencies[n.Path].Makes() })
	if !made || p.t.Settle <= 0 || p.last == nil || p.last.Failure != nil || p.last.Response.Status != http.StatusNotFound || p.t.late.hopeless() {
		return false
	}
	defer p.t.Waits.For("waiting for what was made to show (--settle)")()
	for retry := client.NewRetry(); retry.Within(p.t.Settle) && retry.Pause(ctx); {
		p.last = p.t.Send(ctx, p.s, p.message, "preflight", "preflight")
		// Any other answer says that it is there: it may be refused for what else is wrong.
		if p.last != nil && p.last.Failure == nil && p.last.Response.Status != http.StatusNotFound {
			p.t.late.found(p.op, retry.Took())
			p.facts.Accepted = Accepted(p.op, p.last)
			return p.facts.Accepted
		}
	}
	p.t.late.lost()
	return false
}

// share is the part of the time limit after which the pre-flight asks no more. The rest is for
// the cases: a run that only explored tells nothing.
const share = 1.0 / 3

// LearnInShare is Learn for a run of cases: operations that are not reached in its share of the
// time limit are left out. A run without a time limit has all the time.
func (t *Target) LearnInShare(ctx context.Context) bool {
	end, limited := ctx.Deadline()
	if !limited {
		return t.Learn(ctx)
	}
	asking, enough := context.WithTimeout(ctx, time.Duration(float64(time.Until(end))*share))
	defer enough()
	return t.learn(ctx, asking)
}

// inTime reports whether an operation was accepted before the time was over. Otherwise it counts as
// not reached: what was learned about it may be only half of the truth.
func (p *preflight) inTime(asking context.Context, accepted bool) bool {
	if asking.Err() == nil {
		return accepted
	}
	if accepted && p.message != nil && p.last != nil {
		p.t.Hold(Opening{Op: p.op, Message: p.message, Exchange: p.last})
	}
	p.facts.Accepted, p.facts.Reached, p.facts.Needs = false, nil, nil
	return false
}

// cancelled reports whether a run was interrupted.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// NoTime is why an operation is not reached if the time limit left no time to find out how.
const NoTime = "the pre-flight had no time for it (see --max-time)"

// outOfTime records which operations are not reached because the time was over. What was
// answered meanwhile is judged.
func (t *Target) outOfTime(refused []*preflight) {
	for _, p := range refused {
		if r := p.refused; r != nil && p.facts.Unreached == "" && !p.facts.Accepted && r.Exchange.Failure == nil {
			p.facts.Status = r.Exchange.Response.Status
			if p.facts.Status >= 500 {
				t.Hold(*r) // no request may be answered so
			}
		}
	}
	n := 0
	for _, op := range t.tried() {
		if f := t.Facts.ops[op]; !f.Accepted && f.Unreached == "" && f.Refused == "" {
			f.Unreached, f.Help = NoTime, "give more time with --max-time"
			n++
		}
	}
	if n > 0 {
		t.Because(fmt.Sprintf("%d operations are not reached: the pre-flight had no time for them: give more time with --max-time", n))
	}
}
