package explore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// broken keeps the requests beside the cases, of the pre-flight, of set-ups, controls and the
// clean-up, that were answered with a server error or not at all: no request may be.
type broken struct {
	mu   sync.Mutex
	list []Opening
	seen map[brokenKey]bool
}

// lost keeps a request that got no answer while many others did: one of several at once.
func (b *broken) lost(m *message.Message, e *exchange.Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, Opening{Op: m.Op, Message: m.Clone(), Exchange: e, AtOnce: true})
}

// brokenKey tells two kinds of broken answers apart.
type brokenKey struct {
	op     *openapi.Operation
	answer string
}

// beside are the senders of requests that no case judges.
var beside = []string{"preflight", "set-up", "control", cleaning, taken}

// taken is the sender of a request that was answered and took the target down.
const taken = "taken down"

// cleaning is the sender of the requests that delete what the run made.
const cleaning = "clean-up"

// note keeps an exchange if it is broken, one for each operation and answer.
func (b *broken) note(m *message.Message, e *exchange.Exchange, sender string) {
	if !slices.Contains(beside, sender) {
		return
	}
	key := brokenKey{m.Op, "none"}
	switch {
	case e.Failure != nil && e.Failure.Unreached() && sender != taken:
		return
	case e.Failure == nil && e.Response.Status < 500:
		return
	case e.Failure == nil:
		key.answer = strconv.Itoa(e.Response.Status)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen[key] {
		return
	}
	if b.seen == nil {
		b.seen = map[brokenKey]bool{}
	}
	b.seen[key] = true
	b.list = append(b.list, Opening{Op: m.Op, Message: m.Clone(), Exchange: e})
}

// Broken returns the exchanges beside the cases that no request may end in, and forgets them.
func (t *Target) Broken() []Opening {
	t.broken.mu.Lock()
	defer t.broken.mu.Unlock()
	list := t.broken.list
	t.broken.list = nil
	return list
}

// noted counts the exchanges that are kept; forget drops the later ones.
func (b *broken) noted() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.list)
}

func (b *broken) forget(noted int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range b.list[noted:] {
		for key := range b.seen {
			if key.op == o.Op {
				delete(b.seen, key)
			}
		}
	}
	b.list = b.list[:noted]
}

// drop forgets those that were answered with one of these statuses: their operation was turned off.
func (b *broken) drop(statuses []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = slices.DeleteFunc(b.list, func(o Opening) bool {
		return o.Exchange.Failure == nil && slices.Contains(statuses, o.Exchange.Response.Status)
	})
}

// ClosedOnHead reports whether the target closed the connection without an answer,
// on a head so large that servers may stop reading it.
func ClosedOnHead(e *exchange.Exchange) bool {
	return closed(e) && len(e.Request.Head) > exchange.LargeHead
}

// closed reports whether the connection ended before any byte of an answer.
func closed(e *exchange.Exchange) bool {
	return e.Failure != nil && !e.Excused() && (e.Failure.Kind == exchange.Dropped || e.Failure.Kind == exchange.DroppedWriting)
}

// CleanUp deletes what the run made, where an operation was seen to delete such a
// thing: what lies deepest first, and the newest first. It returns nil if no operation
// deletes what the run made.
func (t *Target) CleanUp(ctx context.Context) *report.CleanUp {
	resources, untried := t.deletable()
	if len(resources)+len(untried)+len(t.kept.order) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limits.CleanUpTime)
	defer cancel()
	c := &cleaner{t: t, made: len(resources), left: map[string]int{}, how: map[*madeResource]string{}}
	for op, n := range untried {
		c.made += n
		c.left[op.Name()+" was not tried"] = n
	}
	for len(resources) > 0 {
		depth := len(resources[0].needs)
		n := slices.IndexFunc(resources, func(x *madeResource) bool { return len(x.needs) != depth })
		if n < 0 {
			n = len(resources)
		}
		c.all(ctx, resources[:n])
		resources = resources[n:]
	}
	c.again(ctx)
	out := c.result()
	var left []string
	out.Changed, out.Restored, left = t.putBack(ctx)
	out.Left = append(out.Left, left...)
	if out.Made+out.Changed == 0 {
		return nil
	}
	return out
}

// deletable returns the resources whose way was taken by a request that deleted one, and
// counts those of operations that never deleted one.
func (t *Target) deletable() (out []*madeResource, untried map[*openapi.Operation]int) {
	t.made.mu.Lock()
	defer t.made.mu.Unlock()
	untried, known := map[*openapi.Operation]int{}, map[string]bool{}
	for _, x := range slices.Backward(t.made.resources) {
		if x.gone {
			continue
		}
		facts, name := t.Facts.Of(x.deletes), x.name()
		last := x.needs[len(x.needs)-1].Path
		switch {
		case !facts.Accepted && !known[name]:
			known[name] = true // of several ways to it
			untried[x.deletes]++
		case facts.Accepted && facts.Reached != nil && facts.Reached.Ways[last].String() == x.dependency.String():
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b *madeResource) int { return cmp.Compare(len(b.needs), len(a.needs)) })
	return out, untried
}

// cleaner deletes resources on as many connections as the target serves.
type cleaner struct {
	t             *Target
	mu            sync.Mutex
	made, deleted int
	left          map[string]int // counts what was not deleted, by reason
	refused       []*madeResource
	how           map[*madeResource]string // the answers to the refused ones
}

func (c *cleaner) all(ctx context.Context, list []*madeResource) {
	next := make(chan *madeResource, len(list))
	for _, x := range list {
		next <- x
	}
	close(next)
	var group parallel.Group
	for range max(1, min(c.t.Facts.Connections, len(list))) {
		group.Go(func() {
			s := c.t.Client.Session()
			defer s.Close()
			for x := range next {
				c.one(ctx, s, x)
			}
		})
	}
	group.Wait()
}

// one deletes a resource. What is gone already, with what it belonged to, is as good.
func (c *cleaner) one(ctx context.Context, s Session, x *madeResource) {
	t, op := c.t, x.deletes
	// Without an entity tag the answer says best what is the matter.
	values := x.values()
	_ = t.state(ctx, s, op, t.Facts.Of(op).Reached, values)
	m := x.put(t.Baseline(t.Fresh(op)), values)
	m.Other = x.other
	switch e := t.Send(ctx, s, m, cleaning, cleaning); {
	case e == nil:
		c.note(x, "was not sent in time", false)
	case e.Failure != nil:
		c.note(x, "got no answer", false)
	case Accepted(op, e), e.Response.Status == http.StatusNotFound, e.Response.Status == http.StatusGone:
		c.note(x, "", false)
	default:
		c.note(x, fmt.Sprintf("was answered with %d", e.Response.Status), true)
	}
}

// note counts a resource that was deleted, if nothing says how it was not.
func (c *cleaner) note(x *madeResource, how string, refused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case how == "":
		c.deleted++
	case refused:
		c.refused = append(c.refused, x)
		c.how[x] = how
	default:
		c.left[x.deletes.Name()+" "+how]++
	}
}

// again repeats the refused deletions as long as that helps: another resource that is gone now may have
// held the resource, or it is in a state that an action ends.
func (c *cleaner) again(ctx context.Context) {
	for before := -1; before != c.deleted && len(c.refused) > 0 && ctx.Err() == nil; {
		before = c.deleted
		if c.all(ctx, c.refusals()); before == c.deleted {
			c.act(ctx)
		}
	}
}

// refusals returns what was refused and forgets it.
func (c *cleaner) refusals() []*madeResource {
	list := c.refused
	c.refused = nil
	return list
}

// mostStuck is how many resources in a row may resist every action before the others are left alone.
const mostStuck = 8

// act sends the actions on each thing, and tries to delete the resource after each action.
func (c *cleaner) act(ctx context.Context) {
	s := c.t.Client.Session()
	defer s.Close()
	held := 0
	for _, x := range c.refusals() {
		stays := true
		if held < mostStuck {
			for _, action := range c.t.Contract.Operations {
				if !slices.ContainsFunc(c.t.made.kept[action], func(by *maker) bool { return by.deletes == x.deletes }) ||
					len(openapi.Expressions(action.Path)) > len(x.needs) || !c.t.Facts.Of(action).Accepted || c.t.Unasked[action] {
					continue
				}
				values, n := x.values(), len(c.refused)
				_ = c.t.state(ctx, s, action, c.t.Facts.Of(action).Reached, values)
				c.t.Send(ctx, s, x.put(c.t.Baseline(c.t.Fresh(action)), values), cleaning, cleaning)
				c.one(ctx, s, x)
				if stays = len(c.refused) > n; !stays {
					break
				}
				c.refused = c.refused[:n]
			}
		}
		if held++; stays {
			c.refused = append(c.refused, x)
		} else {
			held = 0
		}
	}
}

func (c *cleaner) result() *report.CleanUp {
	for _, x := range c.refused {
		c.left[x.deletes.Name()+" "+c.how[x]]++
	}
	out := &report.CleanUp{Made: c.made, Deleted: c.deleted}
	for _, why := range slices.Sorted(maps.Keys(c.left)) {
		out.Left = append(out.Left, fmt.Sprintf("%s (%d)", why, c.left[why]))
	}
	return out
}

// watchServed waits until all connections are answered, or until it is certain that
// some are not served: the shortest wait is over, and the connection that is served
// was answered many more times since. On a busy machine that connection is slow
// too, so no clock decides whether a target is slow or serves fewer.
func (t *Target) watchServed(ctx context.Context, op *openapi.Operation, served Session, all <-chan struct{}, minimum time.Duration) {
	timer := time.NewTimer(minimum)
	defer timer.Stop()
	select {
	case <-all:
		return
	case <-ctx.Done():
		return
	case <-timer.C:
	}
	for range limits.ServedAnswers {
		select {
		case <-all:
			return
		default:
		}
		m := t.Baseline(t.Fresh(op))
		if e := t.Send(ctx, served, m, "preflight", "preflight"); e == nil || e.Failure != nil {
			return
		}
	}
}
