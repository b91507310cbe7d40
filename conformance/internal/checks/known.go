package checks

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// written returns the body of an accepted request that makes, replaces or patches the
// thing, and nil for any other. What changes it after 202 may be stored later, and what
// becomes of an invalid body is not known.
func written(p *rule.Input, e *rule.Earlier) *jsontree.Value {
	if root := bodyOf(p, e); root != nil && root.Kind == jsontree.Object {
		return root
	}
	return nil
}

// bodyOf is written for a body of any kind, such as a text.
func bodyOf(p *rule.Input, e *rule.Earlier) *jsontree.Value {
	whole := e == p.Made() || !e.Aside && (e.Op.Method == http.MethodPut || e.Op.Method == http.MethodPatch)
	later := e != p.Made() && e.Got != nil && e.Got.Status == http.StatusAccepted
	if !whole || later || !e.Got.Success() || e.Sent.Body == nil || e.Sent.Body.Kind >= openapi.Invalid {
		return nil
	}
	return e.Sent.Body.Root()
}

// sentBefore returns the value of a member in the last accepted request before a place of
// the history that has it, or nil.
func sentBefore(p *rule.Input, end int, name string) *jsontree.Value {
	for i := end - 1; i >= 0; i-- {
		if v := written(p, &p.History[i]).Get(name); v != nil {
			return v
		}
	}
	return nil
}

// knownBefore returns the value that a member had for certain before a place of the
// history, or nil: as a read showed it, which seen says, or as the last request that names it
// gave it. A read counts only if it shows what the last request before it gave: it may come
// from a copy that is older. Whether the making request stored its values only a read
// tells. After a PUT without the member, and after a request about a part, the value is not
// known.
func knownBefore(p *rule.Input, end int, name string) (v *jsontree.Value, seen bool) {
	var shown *jsontree.Value
	for i := end - 1; i >= 0; i-- {
		e := &p.History[i]
		switch {
		case e.Reads():
			if shown == nil && e.Got.Success() && !e.Aside {
				shown = thingIn(p, answerOf(e)).Get(name)
			}
			continue
		case e.Got.Refusal():
			continue
		}
		sent := written(p, e)
		want := sent.Get(name)
		switch {
		case e == p.Made() && want != nil:
			return shown, true
		case sent == nil, want == nil && e.Op.Method != http.MethodPatch:
			return nil, false
		case want == nil:
			continue
		}
		if given := unwrapped(answerOf(e), sent).Get(name); given != nil {
			want = given
		}
		switch {
		case want.Kind == jsontree.Null, shown != nil && !kept(want, shown):
			return nil, false
		case shown != nil:
			return shown, true
		}
		return want, false
	}
	return nil, false
}

// thingIn returns the object of an answer that has members of some request about the thing.
// It is the answer itself if none has any.
func thingIn(p *rule.Input, root *jsontree.Value) *jsontree.Value {
	for i := range p.History {
		if is := unwrapped(root, written(p, &p.History[i])); is != nil {
			return is
		}
	}
	return root
}

// namesBefore lists the members that accepted requests before a place of the history have,
// in the order in which they came first.
func namesBefore(p *rule.Input, end int) []string {
	var out []string
	seen := map[string]bool{}
	for i := range p.History[:end] {
		sent := written(p, &p.History[i])
		if sent == nil {
			continue
		}
		for _, m := range sent.Members {
			if !seen[m.Name] {
				seen[m.Name] = true
				out = append(out, m.Name)
			}
		}
	}
	return out
}

// changedRest compares what was read with what was known of the thing before a request of
// the history. It leaves out members of the object without; nil leaves out none.
func changedRest(p *rule.Input, at int, without *jsontree.Value, what string) rule.Outcome {
	is, compared := thingIn(p, p.Got.Reading.Root()), false
	if is == nil {
		return rule.None
	}
	for _, name := range namesBefore(p, at) {
		if without.Get(name) != nil || secret(name) {
			continue
		}
		a, seen := knownBefore(p, at, name)
		b := is.Get(name)
		if a == nil || b == nil && !seen {
			continue
		}
		compared = true
		if b == nil || !kept(a, b) {
			return rule.Failed("changed "+name, name+" as before the "+what, name+" "+shown(p, b))
		}
	}
	if !compared {
		return rule.None
	}
	return rule.Passed
}

// lastRead returns the thing as the last read of a part of the history shows it, or nil.
func lastRead(p *rule.Input, from, to int) *jsontree.Value {
	if e := lastReadOf(p, from, to); e != nil {
		return thingIn(p, answerOf(e))
	}
	return nil
}

// lastReadOf returns the request that lastRead is about, or nil.
func lastReadOf(p *rule.Input, from, to int) *rule.Earlier {
	for i := to - 1; i >= from; i-- {
		if e := &p.History[i]; e.Reads() && !e.Aside && e.Got.Success() {
			return e
		}
	}
	return nil
}

// readsOf returns the last request of a part of the history that read one thing, or nil.
func readsOf(p *rule.Input, from, to int) *rule.Earlier {
	for i := to - 1; i >= from; i-- {
		if e := &p.History[i]; e.Op.Method == http.MethodGet && strings.HasSuffix(strings.TrimSuffix(e.Op.Path, "/"), "}") && e.Key != nil && !e.Aside && e.Got.Success() {
			return e
		}
	}
	return nil
}
