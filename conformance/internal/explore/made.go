package explore

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/internal/limits"
)

// made keeps what the run made and an operation can delete. Many may use it at the
// same time.
type made struct {
	mu sync.Mutex
	// makers are by the operation that makes, deleted by the one that deletes, and kept by
	// the actions on a resource, which show that it is there.
	makers, deleted, kept map[*openapi.Operation][]*maker
	resources             []*madeResource // in the order in which they were made
	lost                  map[string]int  // counts what nothing can delete, by the reason
	// first is the first key in the answers 200 of a POST that may make something. It is empty once
	// another key came.
	first map[*openapi.Operation]string
	reach *resource.Map
	at    map[string]int
	bytes int
	stores
}

// maker is a way in which an operation makes what another one deletes.
type maker struct {
	deletes    *openapi.Operation
	needs      []resource.Need // all that the path of deletes names; the last is the resource
	dependency resource.Dependency
}

// madeResource is what one request made. There may be hundreds of thousands.
type madeResource struct {
	*maker
	keys   []key // what names it in the request that deletes it, as maker.needs
	likely bool  // its way is the first one by which the answer names what was made
	other  bool  // the other principal made it
	gone   bool  // it was deleted, and not restored since
	// answered is when the last answer that gives its key was complete. A server may give the key of a
	// deleted resource again before the answer to the deletion is read.
	answered time.Time
}

// put makes a message about the resource. Places whose values the document lists are not bound, so it
// sets them.
func (t *madeResource) put(m *message.Message, values map[string]*jsontree.Value) *message.Message {
	m = m.Put(values)
	for _, n := range t.needs {
		if m.Bound[n.Path] == nil {
			m.Set(n.Path, values[n.Path])
		}
	}
	return m
}

// key is a text or a number.
type key struct {
	kind jsontree.Kind
	text string
}

// keyOf copies a value, so that the answer that it was in can be forgotten.
func keyOf(v *jsontree.Value) key { return key{v.Kind, strings.Clone(v.Text)} }

// values returns what names a resource, by path.
func (t *madeResource) values() map[string]*jsontree.Value {
	out := map[string]*jsontree.Value{}
	for i, n := range t.needs {
		out[n.Path] = &jsontree.Value{Kind: t.keys[i].kind, Text: t.keys[i].text}
	}
	return out
}

// madeBytes bounds what is kept of the resources, and madeAnswer the answers that are
// read for it.
const (
	madeBytes  = 32 << 20
	madeAnswer = 64 << 10
)

// newMade finds the operations that make what others delete.
func newMade(c *openapi.Contract, m *resource.Map) *made {
	out := &made{lost: map[string]int{}, first: map[*openapi.Operation]string{}, reach: m, makers: map[*openapi.Operation][]*maker{}, deleted: map[*openapi.Operation][]*maker{}, kept: map[*openapi.Operation][]*maker{}, at: map[string]int{}, stores: newStores()}
	if c == nil {
		return out
	}
	byPath := map[string][]*maker{}
	for _, op := range c.Operations {
		needs := inPath(m.Of(op))
		if op.Method != http.MethodDelete || len(needs) == 0 {
			continue
		}
		for _, name := range openapi.Expressions(op.Path) { // also those of which the document lists the values
			path := openapi.PathPlace(name)
			if !slices.ContainsFunc(needs, func(n resource.Need) bool { return n.Path == path }) {
				needs = append([]resource.Need{{Path: path}}, needs...)
			}
		}
		for _, w := range needs[len(needs)-1].Dependencies {
			if w.Makes() && !subsumed(c, op) {
				by := &maker{op, needs, w}
				out.makers[w.From] = append(out.makers[w.From], by)
				out.deleted[op] = append(out.deleted[op], by)
			}
		}
		byPath[op.Path] = out.deleted[op]
	}
	for _, action := range c.Operations {
		if action.Method != http.MethodPost {
			continue
		}
		for i, c := range action.Path {
			if c == '/' {
				out.kept[action] = append(out.kept[action], byPath[action.Path[:i]]...)
			}
		}
	}
	return out
}

// subsumed reports whether an operation deletes what lies below a resource that another one deletes.
func subsumed(c *openapi.Contract, op *openapi.Operation) bool {
	above, below := parent(op.Path)
	return below && slices.ContainsFunc(c.Operations, func(o *openapi.Operation) bool {
		return o.Method == http.MethodDelete && samePlace(o.Path, above)
	})
}

// inPath keeps the needs of path parameters.
func inPath(needs []resource.Need) []resource.Need {
	var out []resource.Need
	for _, n := range needs {
		if strings.HasPrefix(n.Path, "path/") {
			out = append(out, n)
		}
	}
	return out
}

// note learns from an exchange what was made or deleted.
func (k *made) note(m *message.Message, e *exchange.Exchange) {
	if !e.Success() {
		return
	}
	for _, by := range k.deleted[m.Op.First()] {
		k.mark(by, m, func(x *madeResource) { x.gone = x.gone || !e.Began.Before(x.answered) })
	}
	for _, by := range k.kept[m.Op.First()] {
		k.mark(by, m, func(x *madeResource) { x.gone = false })
	}
	created := e.Status() == http.StatusCreated
	if m.Op.Method != http.MethodPost && !created {
		return // what a PUT replaced was there before
	}
	list := k.makers[m.Op.First()]
	if len(list) == 0 {
		switch {
		case m.Op.Method != http.MethodPost || k.below(m):
		case created:
			k.lose(m.Op, "made what no operation deletes")
		default:
			k.perhaps(m, e)
		}
		return
	}
	got := &asked{message: m, e: e}
	if len(e.Response.Content) <= madeAnswer {
		if doc, err := jsontree.Parse(e.Response.Content); err == nil {
			got.answer = doc.Root
		}
	}
	kept, first := false, map[*openapi.Operation]bool{}
	for _, by := range list {
		likely := created && !first[by.deletes]
		for _, one := range got.each(by.dependency) {
			if keys := by.named(one); keys != nil {
				first[by.deletes] = true
				kept = k.add(&madeResource{maker: by, keys: keys, other: m.Other, likely: likely, answered: e.Began.Add(e.Took)}) || kept
			}
		}
	}
	switch {
	case kept:
		k.holds(m.Op.First())
	case created:
		k.lose(m.Op, "did not name what it made")
	}
}

// below reports whether a request makes something below a resource of the run, with which it is deleted.
func (k *made) below(m *message.Message) bool {
	return slices.ContainsFunc(k.kept[m.Op.First()], func(by *maker) bool { return k.has(by.deletes, m) })
}

// named returns the keys that name what an exchange made, or nil if one of them is not
// known.
func (by *maker) named(got *asked) []key {
	out := make([]key, len(by.needs))
	for i, n := range by.needs {
		v := got.message.At(n.Path)
		if i == len(by.needs)-1 {
			v = got.value(by.dependency)
		}
		if v == nil {
			return nil
		}
		out[i] = keyOf(fit(by.deletes, n.Path, v))
	}
	return out
}

// add keeps a resource. It returns false if there is no room for it.
func (k *made) add(t *madeResource) bool {
	id := t.id()
	k.mu.Lock()
	defer k.mu.Unlock()
	if at, known := k.at[id]; known {
		x := k.resources[at]
		x.gone = false // its id is used again
		if t.answered.After(x.answered) {
			x.answered = t.answered
		}
		return true
	}
	if k.bytes+len(id) > madeBytes {
		return false
	}
	k.bytes += len(id)
	k.at[id] = len(k.resources)
	k.resources = append(k.resources, t)
	return true
}

// has reports whether the run made the resource that a message names, which an operation deletes.
func (k *made) has(deletes *openapi.Operation, m *message.Message) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.ContainsFunc(k.deleted[deletes], func(by *maker) bool {
		t := by.about(m)
		if t == nil {
			return false
		}
		_, known := k.at[t.id()]
		return known
	})
}

// about returns the resource that a message names, or nil if it names none.
func (by *maker) about(m *message.Message) *madeResource {
	t := &madeResource{maker: by}
	for _, n := range by.needs {
		v := m.At(n.Path)
		if v == nil {
			return nil
		}
		t.keys = append(t.keys, key{v.Kind, v.Text})
	}
	return t
}

// mark records what became of the resource that a message names, if the run made it.
func (k *made) mark(by *maker, m *message.Message, record func(*madeResource)) {
	t := by.about(m)
	if t == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if at, known := k.at[t.id()]; known {
		record(k.resources[at])
	}
}

// id identifies a resource and the way to it.
func (t *madeResource) id() string { return t.dependency.String() + " " + t.name() }

// name identifies a resource: what deletes it, and its values.
func (t *madeResource) name() string {
	var out strings.Builder
	out.WriteString(t.deletes.Slug)
	for _, k := range t.keys {
		out.WriteString(" " + k.text)
	}
	return out.String()
}

// Located returns the address of a resource by the Location of the answer that made it, with its
// query and from the root of the server. It is empty if that is the address of the request,
// which reads the resource, or one that the request says nothing about: that of another
// server, one of another kind, or the same below a longer prefix, as what stands before the
// server may add it (RFC 9110, 10.2.2 and 15.3.2). That of a 202 must end with the key of
// the resource: it may name a job else.
func (t *Target) Located(res *Resource, m *message.Message) string {
	response := res.by.e.Response
	given := response.Values("Location")
	later := response.Status == http.StatusAccepted
	if response.Status != http.StatusCreated && !later || len(given) != 1 {
		return ""
	}
	target := t.Endpoint.Target
	base, err := url.Parse(target.String() + res.by.message.Path())
	if err != nil {
		return ""
	}
	to, err := base.Parse(given[0])
	if err != nil || to.Scheme != base.Scheme || !strings.EqualFold(to.Host, base.Host) {
		return ""
	}
	own, err := url.PathUnescape(target.Prefix + m.Path())
	is := strings.TrimSuffix(to.Path, "/")
	nested := strings.HasPrefix(is, strings.TrimSuffix(base.Path, "/")+"/") && strings.TrimSuffix(own, "/") != is
	if err != nil || is == "" || !nested && strings.HasSuffix(is, strings.TrimSuffix(own, "/")) {
		return ""
	}
	below, found := strings.CutPrefix(to.EscapedPath(), target.Prefix)
	if (later || !(found && m.Fits(below))) && !names(path.Base(to.Path), m.Key()) {
		return ""
	}
	to.Fragment, to.RawFragment = "", ""
	return to.RequestURI()
}

// names reports whether the end of a path is the key of a resource.
func names(end string, key *jsontree.Value) bool {
	return key != nil && (key.Kind == jsontree.String || key.Kind == jsontree.Number) && key.Text == end
}

// markerSeed is the same for every run, whatever its seed: each run leaves the
// marker values of its run number, and the next run finds them.
const markerSeed = 0x706C616E74

// earlier finds the run number: how many runs, with any seed, left data in the
// target. Values that all seeds share, such as the largest integer, are then used
// up. Only a target that refuses repeated values shows this.
func (p *preflight) earlier(ctx context.Context) {
	for i := range limits.GenerationTries {
		round := laterGeneration(0, i)
		id := plan.Identity{Seed: markerSeed, Generation: round, Told: &p.t.Facts.told, Unguessed: &p.t.Facts.unguessed, Choices: &p.t.Facts.choices}
		free := true
		for _, marker := range message.Values(p.op, p.t.Baseline(p.t.Plan.Preflight(p.op, id, plan.Marker)).Tree) {
			// All other values are fresh, so that the request as a whole is no
			// repeat.
			m := p.t.Baseline(p.t.Fresh(p.op))
			m.Tree.Set(marker.Name, marker.Value)
			if p.try(ctx, m) {
				continue
			}
			if p.last == nil || p.last.Failure != nil || !refusesRepeats(p.last.Status()) {
				return
			}
			if free = false; !p.facts.Unique() {
				// A repeat was accepted a moment ago, but this older value is not.
				p.facts.Repeats = nil
				p.repeats(ctx, m)
			}
		}
		if free || !p.facts.Unique() {
			p.t.Facts.EarlierRuns = round
			return
		}
	}
}
