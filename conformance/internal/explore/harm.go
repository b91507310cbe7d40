package explore

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
)

// changes are the accepted requests since the last control that change what all share, and so may
// have turned others off. Many may use it at the same time.
type changes struct {
	mu   sync.Mutex
	list []change
	// worked is when an operation was accepted last, and calm a request after which controls worked.
	worked map[*openapi.Operation]int
	calm   map[*openapi.Operation]*message.Message
	shares map[*openapi.Operation]bool // the operations that change what all share
	// searches is how often changes were tried alone.
	searches int
}

// change is an accepted request, and how many the run had sent before.
type change struct {
	message *message.Message
	at      int
}

// maxChanges bounds the requests that are kept. To find the one that turned others off, at most
// maxSuspects are sent again, or maxLateSuspects if the effect of each has to be waited for.
// maxUndos bounds the requests that are tried to turn them on again.
const (
	maxChanges      = 1024
	maxSuspects     = 64
	maxLateSuspects = 16
	maxUndos        = 24
)

// changed notes an accepted request.
func (t *Target) changed(m *message.Message, e *exchange.Exchange) {
	if t.Contract == nil || !Accepted(m.Op, e) {
		return
	}
	op, at := m.Op.First(), t.Exchanges()
	c := &t.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.worked == nil {
		c.worked, c.shares = map[*openapi.Operation]int{}, map[*openapi.Operation]bool{}
	}
	c.worked[op] = at
	shares, known := c.shares[op]
	if !known {
		shares = t.lateness(op) > 0
		c.shares[op] = shares
	}
	if shares && len(c.list) < maxChanges && t.Facts.Of(op).Off == nil {
		c.list = append(c.list, change{m.Clone(), at})
	}
}

// settled keeps a request after which controls worked.
func (c *changes) settled(m *message.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calm == nil {
		c.calm = map[*openapi.Operation]*message.Message{}
	}
	c.calm[m.Op.First()] = m.Clone()
}

// calmly returns that request, or nil.
func (c *changes) calmly(op *openapi.Operation) *message.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calm[op.First()]
}

// take returns what changed since the last control and forgets it.
func (c *changes) take() []change {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	return list
}

// Harm is what a control found at the end of a stage.
type Harm struct {
	*Off
	op *openapi.Operation // nil if it is not known which one did it
	// Since is how many requests were sent before the first one that may have done it. Statuses are
	// those of the answers of the operations that were turned off.
	Since    int
	Statuses []int
}

// Refusal is an operation that refused a request without a reason in the request. At is how many
// requests were sent before.
type Refusal struct {
	Op *openapi.Operation
	At int
}

// Harmed sends controls at the end of a stage in which requests changed what all share. If
// operations that worked are refused, it looks for a request that turns them on again, and for the
// one that turned them off: sent again alone, it does so again. A later request may have turned
// them on meanwhile: then the changes right before the refusals of the stage are tried alone. It
// returns nil if nothing was turned off, or if nothing shows by what: a target has reasons of its
// own to refuse. If nothing turns them on again, the run cannot go on, and Ended says so. Before it
// searches it calls alone, which waits until nobody else sends requests.
func (t *Target) Harmed(ctx context.Context, refused []Refusal, alone func()) *Harm {
	list := t.changes.take()
	if len(list) == 0 || len(t.controls) == 0 || ctx.Err() != nil {
		return nil
	}
	s := t.Client.Session()
	defer s.Close()
	noted := t.broken.noted()
	controls := slices.DeleteFunc(slices.Clone(t.controls), func(c *control) bool { return t.lateness(c.op) > 0 }) // they might turn it back
	byNeeds(t, controls)
	var harm *Harm
	if x := (&search{t: t, s: s}); x.off(ctx, controls) {
		alone()
		harm = t.blamed(ctx, s, append(list, t.changes.take()...), controls, noted)
	} else if refused = others(list, refused); len(refused) >= minRefused && t.changes.searches < maxSearches {
		t.changes.searches++
		alone()
		harm = t.suspected(ctx, s, list, controls, refused, noted)
	}
	if harm != nil {
		t.broken.drop(harm.Statuses)
		harm.Since = (&search{list: list}).since(harm.op)
	}
	t.changes.take() // those of the search
	return harm
}

// minRefused is how many refusals start a search although all controls work, and maxSearches how
// many such searches a run makes.
const (
	minRefused  = 2
	maxSearches = 3
)

// others leaves out the refusals of operations that changed something themselves.
func others(list []change, refused []Refusal) []Refusal {
	return slices.DeleteFunc(slices.Clone(refused), func(r Refusal) bool {
		return slices.ContainsFunc(list, func(c change) bool { return c.message.Op.First() == r.Op.First() })
	})
}

// suspected repeats the changes that came right before refusals, the most frequent first, until a
// control is refused.
func (t *Target) suspected(ctx context.Context, s Session, list []change, controls []*control, refused []Refusal, noted int) *Harm {
	defer t.broken.forget(noted)
	failing := map[*openapi.Operation]int{}
	votes := make([]int, len(list))
	for _, r := range refused {
		failing[r.Op.First()]++
		for n, at := 0, len(list)-1; at >= 0 && n < votesEach; at-- {
			if list[at].at <= r.At {
				n++
				votes[at] += votesEach - n + 1
			}
		}
	}
	slices.SortStableFunc(controls, func(a, b *control) int { return cmp.Compare(failing[b.op], failing[a.op]) })
	sorted := distinct(list, votes, maxSuspected)
	sorted = distinct(slices.Concat(sorted, distinct(list, nil, maxLateSuspects)), nil, 0)
	x := &search{t: t, s: s}
	for i := range sorted {
		if x.send(ctx, []*message.Message{sorted[i].message}); x.off(ctx, controls) { // the effect of the change before it may show late
			return t.blamed(ctx, s, sorted[:i+1], controls, noted)
		}
	}
	for i := range sorted[:min(len(sorted), maxSlow)] { // another one may have undone what shows late
		x.send(ctx, []*message.Message{sorted[i].message})
		for wait := client.NewRetry(); wait.Within(slowTime) && wait.Pause(ctx); {
			if x.off(ctx, controls) {
				return t.blamed(ctx, s, sorted[i:i+1], controls, noted)
			}
		}
	}
	return nil
}

// distinct drops repeated changes. Those with the most votes come first, then those that were sent
// most often: many cases send a value that the document states. It returns at most so many; if most
// is 0 it returns all, in their order.
func distinct(list []change, votes []int, maximum int) (out []change) {
	sum, times := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for i, c := range list {
		text := sentAs(c.message)
		if times[text]++; votes != nil {
			sum[text] += votes[i]
		}
		if !seen[text] {
			seen[text] = true
			out = append(out, c)
		}
	}
	if maximum == 0 {
		return out
	}
	slices.SortStableFunc(out, func(a, b change) int {
		x, y := sentAs(a.message), sentAs(b.message)
		return cmp.Or(cmp.Compare(sum[y], sum[x]), cmp.Compare(times[y], times[x]))
	})
	return out[:min(len(out), maximum)]
}

// votesEach is how many changes before a refusal are suspected, maxSuspected how many changes are
// tried, and maxSlow how many of them are waited for, for slowTime each.
const (
	votesEach    = 3
	maxSuspected = 16
	maxSlow      = 8
	slowTime     = limits.ControlTime / 4
)

// byNeeds puts first the controls that do least harm and need least.
func byNeeds(t *Target, controls []*control) {
	slices.SortStableFunc(controls, func(a, b *control) int {
		return cmp.Or(cmp.Compare(t.lateness(a.op), t.lateness(b.op)), cmp.Compare(len(a.op.Bind), len(b.op.Bind)))
	})
}
