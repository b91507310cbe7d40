package explore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// CleanUp deletes what the run made, where an operation was seen to delete such a
// resource: what lies deepest first, and the newest first. It returns nil if no operation
// deletes what the run made.
func (t *Target) CleanUp(ctx context.Context) *report.CleanUp {
	resources, untried := t.deletable()
	if len(resources)+len(untried)+len(t.kept.order)+len(t.made.lost) == 0 {
		return nil
	}
	c, ctx, end := t.cleaner(ctx)
	defer end()
	c.made = len(resources)
	maps.Copy(c.left, t.made.lost)
	for why, n := range untried {
		c.made += n
		c.left[why] += n
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
	if out.Made+out.Changed+len(out.Left) == 0 {
		return nil
	}
	return out
}

// lose counts a resource that nothing can delete.
func (k *made) lose(op *openapi.Operation, why string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lost[op.First().Name()+" "+why]++
}

// perhaps counts things, such as sent messages, that a POST may have made although it is answered with
// 200: the answer has a key that the request lacks and that other operations ask for. A POST that always
// gives the same key makes nothing.
func (k *made) perhaps(m *message.Message, e *exchange.Exchange) {
	if len(e.Response.Content) > madeAnswer || !k.reach.Gives(m.Op) {
		return
	}
	doc, err := jsontree.Parse(e.Response.Content)
	if err != nil || doc.Root.Kind != jsontree.Object {
		return
	}
	op := m.Op.First()
	why := op.Name() + " gave a new key each time, and may have made what no operation deletes"
	for _, of := range doc.Root.Members {
		v := of.Value
		if !hints.IsKey(of.Name) || v.Kind != jsontree.String && v.Kind != jsontree.Number || v.Text == "" || strings.Contains(m.Path(), v.Text) || hasText(m.Tree, v.Text) {
			continue
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		first, known := k.first[op]
		switch {
		case !known:
			k.first[op] = strings.Clone(v.Text)
		case first == v.Text:
		case first == "":
			k.lost[why]++
		default:
			k.first[op] = ""
			k.lost[why] += 2 // the first one too
		}
		return
	}
}

// hasText reports whether a value has a text or a number anywhere.
func hasText(v *jsontree.Value, text string) (found bool) {
	v.Walk(func(_ string, v *jsontree.Value) { found = found || v.Text == text })
	return found
}

// deletable returns the resources whose way was taken by a request that deleted one, or that a POST
// to their collection or a PUT at their own path made, and counts the others by the reason.
func (t *Target) deletable() (out []*madeResource, untried map[string]int) {
	t.made.mu.Lock()
	defer t.made.mu.Unlock()
	untried = map[string]int{}
	known := map[string]bool{} // of several ways to a resource
	var beside []*madeResource
	for _, x := range slices.Backward(t.made.resources) {
		switch facts, name := t.Facts.Of(x.deletes), x.name(); {
		case x.gone, t.borrowed(x.dependency):
		case t.sure(x):
			known[name] = true
			out = append(out, x)
		case facts.Accepted:
			beside = append(beside, x)
		case !known[name]:
			known[name] = true
			untried[x.deletes.Name()+" was not tried"]++
		}
	}
	for _, x := range beside {
		above, _ := parent(x.deletes.Path)
		from, name := x.dependency.From.First(), x.name()
		switch way := t.way(x); {
		case known[name] || !x.likely || way.From != nil && way.From.First() == from:
			continue // the same request named it in the way that was taken
		case from.Path == x.deletes.Path, from.Method == http.MethodPost && samePlace(strings.TrimSuffix(from.Path, "/"), above):
			out = append(out, x)
		default:
			untried[from.Name()+" made what was not deleted"]++
		}
		known[name] = true
	}
	slices.SortStableFunc(out, func(a, b *madeResource) int { return cmp.Compare(len(b.needs), len(a.needs)) })
	return out, untried
}

// way is the one that requests which delete such a resource took.
func (t *Target) way(x *madeResource) resource.Dependency {
	if r := t.Facts.Of(x.deletes).Reached; r != nil {
		return r.Ways[x.needs[len(x.needs)-1].Path]
	}
	return resource.Dependency{}
}

// sure reports whether a request deleted such a resource that was named in the same way.
func (t *Target) sure(x *madeResource) bool {
	return t.Facts.Of(x.deletes).Accepted && t.way(x).String() == x.dependency.String()
}

// cleaner deletes resources on as many connections as the target serves.
type cleaner struct {
	t             *Target
	stuck         *time.Timer // ends it where nothing has been deleted for a while
	mu            sync.Mutex
	made, deleted int
	left          map[string]int // counts what was not deleted, by reason
	refused       []*madeResource
	how           map[*madeResource]string // the answers to the refused ones
	proved        map[string]bool          // ways by which something was deleted
}

// cleaner returns a cleaner, and a context that is canceled when nothing was deleted for a while.
func (t *Target) cleaner(ctx context.Context) (*cleaner, context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stuck := time.AfterFunc(limits.CleanUpTime, cancel)
	c := &cleaner{t: t, stuck: stuck, left: map[string]int{}, how: map[*madeResource]string{}, proved: map[string]bool{}}
	return c, ctx, func() { stuck.Stop(); cancel() }
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
	values := x.values()
	if r := t.Facts.Of(op).Reached; r != nil { // nil before it was tried
		_ = t.state(ctx, s, op, r, values) // without an entity tag the answer says best what is the matter
	}
	m := x.put(t.Baseline(t.Fresh(op)), values)
	m.Other = x.other
	switch e := t.Send(ctx, s, m, cleaning, cleaning); {
	case e == nil:
		c.note(x, "was not sent in time", false)
	case e.Failure != nil:
		c.note(x, "got no answer", false)
	case Accepted(op, e), e.Status() == http.StatusGone, e.Status() == http.StatusNotFound && c.proves(x):
		c.note(x, "", false)
	default:
		c.note(x, fmt.Sprintf("was answered with %d", e.Status()), true)
	}
}

// proves reports whether its way is known to name a resource: else 404 says nothing.
func (c *cleaner) proves(x *madeResource) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proved[x.dependency.String()] || c.t.sure(x)
}

// note counts a resource that was deleted, if nothing says how it was not.
func (c *cleaner) note(x *madeResource, how string, refused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case how == "":
		c.deleted++
		c.stuck.Reset(limits.CleanUpTime)
		c.proved[x.dependency.String()] = true
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

// maxStuck is how many resources in a row may resist every action before the others are left alone.
const maxStuck = 8

// act sends the actions on each resource, and tries to delete the resource after each action.
func (c *cleaner) act(ctx context.Context) {
	s := c.t.Client.Session()
	defer s.Close()
	held := 0
	for _, x := range c.refusals() {
		stays := true
		if held < maxStuck {
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

// samePlace reports whether two paths are alike but for the names of their parameters.
func samePlace(a, b string) bool {
	one, other := strings.Split(a, "/"), strings.Split(b, "/")
	return slices.EqualFunc(one, other, func(x, y string) bool { return x == y || strings.HasPrefix(x, "{") && strings.HasPrefix(y, "{") })
}
