package checks

import (
	"html"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// written returns the body of an accepted request that makes, replaces or patches the
// thing, without its envelope, and nil for any other. What changes it after 202 may be stored
// later, and what becomes of an invalid body is not known.
func written(p *requirement.Input, e *requirement.TraceStep) *jsontree.Value {
	root := bodyOf(p, e)
	if root == nil || root.Kind != jsontree.Object {
		return nil
	}
	at, _ := envelope(e.Op.Body)
	if in := root.At(at); in != nil {
		return in
	}
	return jsontree.NewObject() // it gives no member
}

// bodyOf is written for a body of any kind, such as a text.
func bodyOf(p *requirement.Input, e *requirement.TraceStep) *jsontree.Value {
	whole := e == p.Made() || !e.Aside && (e.Op.Method == http.MethodPut || e.Op.Method == http.MethodPatch)
	later := e != p.Made() && e.Got != nil && e.Got.Status == http.StatusAccepted
	if !whole || later || !e.Got.Success() || e.Sent.Body == nil || e.Sent.Body.Kind >= schema.Invalid {
		return nil
	}
	return e.Sent.Body.Root()
}

// sentBefore returns the value of a member in the last accepted request before a place of
// the history that has it, or nil.
func sentBefore(p *requirement.Input, end int, name string) *jsontree.Value {
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
func knownBefore(p *requirement.Input, end int, name string) (v *jsontree.Value, seen bool) {
	var shown *jsontree.Value
	for i := end - 1; i >= 0; i-- {
		e := &p.History[i]
		switch {
		case e.Reads():
			if shown == nil && e.Got.Success() && !e.Aside {
				shown = resourceIn(p, answerOf(e)).Get(name)
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

// resourceIn returns the object of an answer that has members of some request about the resource.
// It is the answer itself if none has any.
func resourceIn(p *requirement.Input, root *jsontree.Value) *jsontree.Value {
	for i := range p.History {
		if is := unwrapped(root, written(p, &p.History[i])); is != nil {
			return is
		}
	}
	return root
}

// namesBefore lists the members that accepted requests before a place of the history have,
// in the order in which they came first.
func namesBefore(p *requirement.Input, end int) []string {
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

// changedRest compares what was read with what was known of the resource before a request of
// the history. It leaves out members of the object without; nil leaves out none.
func changedRest(p *requirement.Input, at int, without *jsontree.Value, what string) requirement.Outcome {
	is, compared := resourceIn(p, p.Got.Reading.Root()), false
	if is == nil {
		return requirement.None
	}
	for _, name := range namesBefore(p, at) {
		if without.Get(name) != nil || secret(name) {
			continue
		}
		a, seen := knownBefore(p, at, name)
		b := is.Get(name)
		if without != nil && b != nil && assumed(p.History[at].Op, name, b) {
			continue
		}
		if a == nil || b == nil && !seen {
			continue
		}
		if a = given(p, at, name, a); a == nil {
			continue
		}
		compared = true
		if b == nil || !kept(a, b) {
			return requirement.Failed("changed "+name, name+" as before the "+what, name+" "+shown(p, b))
		}
	}
	if !compared {
		return requirement.None
	}
	return requirement.Passed
}

// assumed reports whether a member has the default that the body of a PUT documents for it: a PUT that
// leaves it out may mean that.
func assumed(op *openapi.Operation, name string, is *jsontree.Value) bool {
	if op.Method != http.MethodPut {
		return false
	}
	s := takes(op, name)
	return s != nil && s.Default != nil && kept(s.Default, is)
}

// given leaves those members of an object that requests before a place of the history gave: the
// others, such as the time of the last change, belong to the server. It is nil if none is left.
func given(p *requirement.Input, end int, name string, v *jsontree.Value) *jsontree.Value {
	if v.Kind != jsontree.Object || len(v.Members) == 0 {
		return v
	}
	out := jsontree.NewObject()
	for _, m := range v.Members {
		for i := range end {
			if written(p, &p.History[i]).Get(name).Get(m.Name) != nil {
				out.Set(m.Name, m.Value)
				break
			}
		}
	}
	if len(out.Members) == 0 {
		return nil
	}
	return out
}

// lastRead returns the thing as the last read of a part of the history shows it, or nil.
func lastRead(p *requirement.Input, from, to int) *jsontree.Value {
	if e := lastReadOf(p, from, to); e != nil {
		return resourceIn(p, answerOf(e))
	}
	return nil
}

// lastReadOf returns the request that lastRead is about, or nil.
func lastReadOf(p *requirement.Input, from, to int) *requirement.TraceStep {
	for i := to - 1; i >= from; i-- {
		if e := &p.History[i]; e.Reads() && !e.Aside && e.Got.Success() {
			return e
		}
	}
	return nil
}

// readsOf returns the last request of a part of the history that read one thing, or nil.
func readsOf(p *requirement.Input, from, to int) *requirement.TraceStep {
	for i := to - 1; i >= from; i-- {
		if e := &p.History[i]; e.Op.Method == http.MethodGet && strings.HasSuffix(strings.TrimSuffix(e.Op.Path, "/"), "}") && e.Key != nil && !e.Aside && e.Got.Success() {
			return e
		}
	}
	return nil
}

// damaged reports whether a value is what is left of another one: an integer that went
// through a double, a decimal that went through a float, a number without its decimals, a text
// that was cut off or lost letters to a character set, a map without one of its members. Any
// other value may be one that the server sets itself. The schema is that of the answer, and may
// be nil.
func damaged(s *schema.Schema, want, got *jsontree.Value) bool {
	if want.Kind != got.Kind || jsontree.Equal(want, got) {
		return false
	}
	switch want.Kind {
	case jsontree.Number:
		return inexact(s, want.Text, got.Text) || truncated(s, want.Text, got.Text) || widened(s, want.Text, got.Text)
	case jsontree.String:
		free := s == nil || s.Format == "" && s.Pattern == "" && len(s.Enum) == 0
		return free && remains(want.Text, got.Text)
	case jsontree.Object:
		return damagedObject(s, want, got)
	case jsontree.Array:
		return damagedArray(s, want, got)
	}
	return false
}

// inexact reports whether an integer has only the double in common with another one.
func inexact(s *schema.Schema, want, got string) bool {
	a, errA := strconv.ParseFloat(want, 64)
	b, errB := strconv.ParseFloat(got, 64)
	return errA == nil && errB == nil && a == b && !strings.ContainsAny(want, ".eE") && (s == nil || s.Format == "int64" || s.Type() == "integer")
}

// truncated reports whether a number lost all its decimals, where the schema of the answer
// allows them.
func truncated(s *schema.Schema, want, got string) bool {
	whole, decimals, found := strings.Cut(want, ".")
	return s != nil && s.Type() == "number" && found && !strings.ContainsAny(want+got, "eE") && strings.Trim(decimals, "0") != "" && jsontree.Compare(whole, got) == 0
}

// widened reports whether a decimal went through a 32-bit float and shows digits that were never
// sent: 19.99 comes back as 19.989999771118164. Where the format is float, that is allowed.
func widened(s *schema.Schema, want, got string) bool {
	single, errA := strconv.ParseFloat(want, 32)
	double, errB := strconv.ParseFloat(got, 64)
	return errA == nil && errB == nil && single == double && len(got) > len(want)+4 && s != nil && s.Format != "float"
}

// remains reports whether a text is the beginning of another one, or has marks instead of
// its letters.
func remains(want, got string) bool {
	const marks = "?\uFFFD"
	if strings.ContainsAny(got, marks) && !strings.ContainsAny(want, marks) && letters(got) != letters(want) {
		return true
	}
	if plain := strings.ReplaceAll(got, "\uFFFD", "?"); got != "" && (squeezed(want) == plain || lost(want) == plain) {
		return true
	}
	x, y := letters(want), letters(got)
	return y != "" && y != x && strings.HasPrefix(x, y)
}

// squeezed and lost return a text whose characters beyond U+FFFF became marks, one for each or
// for each half of it in UTF-16. A text without such characters is not one of them.
func squeezed(text string) string { return beyond(text, "?") }
func lost(text string) string     { return beyond(text, "??") }

func beyond(text, mark string) string {
	found := false
	var b strings.Builder
	for _, r := range text {
		if r > 0xFFFF {
			found = true
			b.WriteString(mark)
			continue
		}
		b.WriteRune(r)
	}
	if !found {
		return ""
	}
	return b.String()
}

// letters returns the letters and digits of a text in small letters, with no other signs.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(html.UnescapeString(text)))
}

// damagedObject looks at the members that were sent. One that the schema does not name must
// be there, if the schema gives it a schema.
func damagedObject(s *schema.Schema, want, got *jsontree.Value) bool {
	for _, m := range want.Members {
		var of *schema.Schema
		if s != nil {
			if q := s.Property(m.Name); q != nil {
				of = q.Schema
			}
		}
		v := got.Get(m.Name)
		switch {
		case secret(m.Name) || of != nil && (of.ReadOnly || of.WriteOnly):
		case v == nil && of == nil && s != nil && s.Extra != nil && !empty(m.Value):
			return true
		case v != nil && damaged(of, m.Value, v):
			return true
		}
	}
	return false
}

// longList is the length of a list from which on what is left of it is told from a list
// without items that the server does not know.
const longList = 5

// damagedArray compares item with item. A list of another length may leave out what the
// server does not know, but not all items behind some place of a long list.
func damagedArray(s *schema.Schema, want, got *jsontree.Value) bool {
	var item *schema.Schema
	if s != nil {
		item = s.Items
	}
	for i, v := range want.Items {
		if len(got.Items) == len(want.Items) && damaged(item, v, got.Items[i]) {
			return true
		}
	}
	return beginning(item, want.Items, got.Items)
}

// beginning reports whether a list is the beginning of a long one whose items are all
// different: the others were lost. Items of a choice may be those that the server knows.
func beginning(item *schema.Schema, want, got []*jsontree.Value) bool {
	if len(want) < longList || len(got) == 0 || len(got) >= len(want) || item != nil && len(item.Enum) > 0 {
		return false
	}
	for i, v := range want {
		if i < len(got) && !jsontree.Equal(v, got[i]) || slices.ContainsFunc(want[:i], func(w *jsontree.Value) bool { return kept(v, w) }) {
			return false
		}
	}
	return true
}

// empty reports whether a store may leave out a value.
func empty(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		return v.Text == ""
	case jsontree.Number:
		return jsontree.Compare(v.Text, "0") == 0
	case jsontree.Array:
		return len(v.Items) == 0
	case jsontree.Object:
		return len(v.Members) == 0
	case jsontree.Bool:
		return !v.Bool
	}
	return true
}
