package explore

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// made keeps what the run made and an operation can delete. Many may use it at the
// same time.
type made struct {
	mu sync.Mutex
	// makers are by the operation that makes, deleted by the one that deletes, and kept by
	// the actions on a thing, which show that it is there.
	makers, deleted, kept map[*openapi.Operation][]*maker
	things                []*thing // in the order in which they were made
	at                    map[string]int
	bytes                 int
}

// maker is a way in which an operation makes what another one deletes.
type maker struct {
	deletes *openapi.Operation
	needs   []resource.Need // of deletes; the last names the thing
	way     resource.Way
}

// thing is what one request made. There may be hundreds of thousands.
type thing struct {
	*maker
	keys  []key // what names it in the request that deletes it, as maker.needs
	other bool  // the other principal made it
	gone  bool  // it was deleted, and not restored since
}

// key is a text or a number.
type key struct {
	kind jsontree.Kind
	text string
}

// keyOf copies a value, so that the answer that it was in can be forgotten.
func keyOf(v *jsontree.Value) key { return key{v.Kind, strings.Clone(v.Text)} }

// values returns what names a thing, by path.
func (t *thing) values() map[string]*jsontree.Value {
	out := map[string]*jsontree.Value{}
	for i, n := range t.needs {
		out[n.Path] = &jsontree.Value{Kind: t.keys[i].kind, Text: t.keys[i].text}
	}
	return out
}

// madeBytes bounds what is kept of the things, and madeAnswer the answers that are
// read for it.
const (
	madeBytes  = 32 << 20
	madeAnswer = 64 << 10
)

// newMade finds the operations that make what others delete.
func newMade(c *openapi.Contract, m *resource.Map) *made {
	out := &made{makers: map[*openapi.Operation][]*maker{}, deleted: map[*openapi.Operation][]*maker{}, kept: map[*openapi.Operation][]*maker{}, at: map[string]int{}}
	if c == nil {
		return out
	}
	byPath := map[string][]*maker{}
	for _, op := range c.Operations {
		needs := inPath(m.Of(op))
		if op.Method != http.MethodDelete || len(needs) == 0 {
			continue
		}
		for _, w := range needs[len(needs)-1].Ways {
			if w.Makes() {
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
	if e.Failure != nil || e.Response.Status/100 != 2 {
		return
	}
	for _, by := range k.deleted[m.Op.First()] {
		k.mark(by, m, true)
	}
	for _, by := range k.kept[m.Op.First()] {
		k.mark(by, m, false)
	}
	list := k.makers[m.Op.First()]
	if len(list) == 0 || m.Op.Method != http.MethodPost && e.Response.Status != http.StatusCreated {
		return // what a PUT replaced was there before
	}
	got := &asked{message: m, e: e}
	if len(e.Response.Content) <= madeAnswer {
		if doc, err := jsontree.Parse(e.Response.Content); err == nil {
			got.answer = doc.Root
		}
	}
	for _, by := range list {
		if keys := by.named(got); keys != nil {
			k.add(&thing{maker: by, keys: keys, other: m.Other})
		}
	}
}

// named returns the keys that name what an exchange made, or nil if one of them is not
// known.
func (by *maker) named(got *asked) []key {
	out := make([]key, len(by.needs))
	for i, n := range by.needs {
		v := got.message.At(n.Path)
		if i == len(by.needs)-1 {
			v = got.value(by.way)
		}
		if v == nil {
			return nil
		}
		out[i] = keyOf(fit(by.deletes, n.Path, v))
	}
	return out
}

func (k *made) add(t *thing) {
	id := t.id()
	k.mu.Lock()
	defer k.mu.Unlock()
	if at, known := k.at[id]; known {
		k.things[at].gone = false // its id is used again
		return
	}
	if k.bytes+len(id) > madeBytes {
		return
	}
	k.bytes += len(id)
	k.at[id] = len(k.things)
	k.things = append(k.things, t)
}

// has reports whether the run made the thing that a message names, which an operation deletes.
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

// about returns the thing that a message names, or nil if it names none.
func (by *maker) about(m *message.Message) *thing {
	t := &thing{maker: by}
	for _, n := range by.needs {
		v := m.At(n.Path)
		if v == nil {
			return nil
		}
		t.keys = append(t.keys, key{v.Kind, v.Text})
	}
	return t
}

// mark records whether the thing that a message names is gone, if the run made it.
func (k *made) mark(by *maker, m *message.Message, gone bool) {
	t := by.about(m)
	if t == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if at, known := k.at[t.id()]; known {
		k.things[at].gone = gone
	}
}

// id identifies a thing and the way to it.
func (t *thing) id() string { return t.way.String() + " " + t.name() }

// name identifies a thing: what deletes it, and its values.
func (t *thing) name() string {
	var out strings.Builder
	out.WriteString(t.deletes.Slug)
	for _, k := range t.keys {
		out.WriteString(" " + k.text)
	}
	return out.String()
}
