package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
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
	// polls is how often a job was read before an operation found its result.
	polls map[*openapi.Operation]int
	vain  int // how often nothing was found
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
	if err == nil && w.Makes() {
		t.poll(ctx, s, op, made)
	}
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

// polled records how often a resource was read until an operation found its result.
func (l *late) polled(op *openapi.Operation, polls int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.polls == nil {
		l.polls = map[*openapi.Operation]int{}
	}
	l.polls[op] = polls
}

func (l *late) pollsOf(op *openapi.Operation) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.polls[op]
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
	return len(l.took) == 0 && len(l.polls) == 0 && l.vain >= maxWaits
}

// shows asks again for a resource that was made and is not found, or for the result of a job that is
// not done, for as long as the user lets it take to show. It reports whether it did.
func (p *preflight) shows(ctx context.Context, dependencies map[string]resource.Dependency) bool {
	made := slices.ContainsFunc(p.t.Reach.Of(p.op), func(n resource.Need) bool { return dependencies[n.Path].Makes() })
	if !made || p.t.Settle <= 0 || !p.early() || p.t.late.hopeless() {
		return false
	}
	defer p.t.Waits.For("waiting for what was made to show (--settle)")()
	retry := client.NewRetry()
	for retry.Obey(p.last); retry.Within(p.t.Settle) && retry.Pause(ctx); retry.Obey(p.last) {
		p.last = p.t.Send(ctx, p.s, p.message, "preflight", "preflight")
		if p.last == nil || p.last.Failure != nil {
			break
		}
		// Any other answer says that it is there: it may be refused for what else is wrong.
		if !p.early() {
			p.t.late.found(p.op, retry.Took())
			p.facts.Accepted = Accepted(p.op, p.last)
			return p.facts.Accepted
		}
	}
	if p.early() && p.lookedAt(ctx) {
		return true
	}
	p.t.late.lost()
	return false
}

// early reports whether the last answer says that something is not there yet: 404, and for a read 409
// and 425 too.
func (p *preflight) early() bool {
	if p.last == nil || p.last.Failure != nil {
		return false
	}
	switch p.last.Status() {
	case http.StatusNotFound:
		return true
	case http.StatusConflict, http.StatusTooEarly:
		return reads(p.op)
	}
	return false
}

// lookedAt reads a job and its result by turns, as a waiting client does: some servers work on a job
// only when it is read. It reports whether the result came.
func (p *preflight) lookedAt(ctx context.Context) bool {
	above := p.t.above(p.op)
	for polls := 1; above != nil && polls <= maxPolls && ctx.Err() == nil; polls++ {
		m := p.t.Baseline(p.t.Fresh(above))
		for _, name := range openapi.Expressions(above.Path) {
			if v := p.message.At(openapi.PathPlace(name)); v != nil {
				m.Set(openapi.PathPlace(name), v.Clone())
			}
		}
		p.t.Send(ctx, p.s, m, "preflight", "preflight")
		if p.last = p.t.Send(ctx, p.s, p.message, "preflight", "preflight"); p.last == nil || p.last.Failure != nil {
			return false
		}
		if p.facts.Accepted = Accepted(p.op, p.last); p.facts.Accepted {
			p.t.late.polled(p.op, polls)
			return true
		}
	}
	return false
}

// maxPolls is how often a job is read while its result is not there.
const maxPolls = 8

// above returns the GET of the resource that an operation is about a part of, or nil.
func (t *Target) above(op *openapi.Operation) *openapi.Operation {
	for _, of := range t.Contract.Operations {
		path := strings.TrimSuffix(of.Path, "/")
		if of.Method == http.MethodGet && strings.HasSuffix(path, "}") && strings.HasPrefix(op.Path, path+"/") && t.Facts.Of(of).Accepted {
			return of
		}
	}
	return nil
}

// poll reads what was made as often as it takes until an operation finds its result.
func (t *Target) poll(ctx context.Context, s Session, op *openapi.Operation, made *asked) {
	for range t.late.pollsOf(op) {
		m := t.Baseline(t.Fresh(t.above(op)))
		if t.BindTo(ctx, s, m, &Resource{made}) != nil {
			return
		}
		t.Send(ctx, s, m, "set-up", "set-up")
	}
}

// share is the part of the time limit after which the pre-flight explores no more. Operations that had
// no request yet may be asked until firstShare of the limit is over. The rest is for the cases: a run
// that only explored tells nothing.
const (
	share      = 1.0 / 3
	firstShare = 1.0 / 2
)

// LearnInShare is Learn for a run of cases: operations that are not reached in its share of the
// time limit are left out. A run without a time limit has all the time.
func (t *Target) LearnInShare(ctx context.Context) bool {
	end, limited := ctx.Deadline()
	if !limited {
		return t.Learn(ctx)
	}
	part := func(share float64) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, time.Duration(float64(time.Until(end))*share))
	}
	asking, enough := part(share)
	defer enough()
	once, enough := part(firstShare)
	defer enough()
	return t.learn(ctx, once, asking)
}

// end returns when a context ends; zero for never.
func end(ctx context.Context) time.Time {
	at, _ := ctx.Deadline()
	return at
}

// halfway returns when half of the time until a context ends is over. The first half is for the first
// turn of every operation.
func halfway(ctx context.Context) time.Time { return turn(end(ctx), 2) }

// turn returns when the next turn ends, if so many operations share the time until the end.
func turn(end time.Time, operations int) time.Time {
	if end.IsZero() {
		return end
	}
	return time.Now().Add(time.Until(end) / time.Duration(operations))
}

// over reports whether the turn of the operation is over, and notes that this left something out. Each
// operation may send one request.
func (p *preflight) over() bool {
	over := p.t.over()
	p.cut = p.cut || over
	return over
}

func (t *Target) over() bool { return !t.turn.IsZero() && time.Now().After(t.turn) }

// endless gives the operation a turn that does not end.
func (p *preflight) endless() { p.t.turn, p.cut = time.Time{}, false }

// tryWithoutTurn is secondTry for an operation whose turn was over too soon: all others had theirs.
func (p *preflight) tryWithoutTurn(ctx context.Context) bool {
	if !p.cut {
		return false
	}
	p.endless()
	return p.secondTry(ctx)
}

// inTurn explores something more of an operation, or leaves it for later if its turn is over.
func (p *preflight) inTurn(ctx context.Context, learn func(context.Context)) {
	if p.over() {
		p.left = append(p.left, learn)
		return
	}
	learn(ctx)
}

// learnLater explores the operations whose turn was over before, one after the other.
func (t *Target) learnLater(ctx, asking context.Context) {
	for len(t.later) > 0 && asking.Err() == nil {
		p := t.later[0]
		t.later = t.later[1:]
		p.endless()
		p.learned(ctx)
	}
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
			p.facts.Status = r.Exchange.Status()
			if p.facts.Status >= 500 {
				t.Hold(*r) // no request may be answered so
			}
		}
	}
	for _, p := range t.later {
		p.facts.Unexplored = true
		t.Hold(Opening{Op: p.op, Message: p.message, Exchange: p.last})
	}
	if n := len(t.later); n > 0 {
		t.Because(fmt.Sprintf("%d operations have only their first cases: the pre-flight had no time to explore them: give more time with --max-time", n))
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
