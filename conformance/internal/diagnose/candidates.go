package diagnose

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// candidates returns the requests that are one step smaller, large steps first:
// fields, framing, spelling, members, values, and at last single characters.
func candidates(m, baseline *message.Message) iter.Seq[*message.Message] {
	return func(yield func(*message.Message) bool) {
		if !heads(m, yield) {
			return
		}
		if m.Params != nil && !trees(m, baseline, paramsOf, sections(baseline.Params), yield) {
			return
		}
		if m.Raw != nil {
			bytesLess(m, m.Raw, yield)
			return
		}
		if m.Tree == nil {
			return
		}
		if m.Style != (jsontree.Style{}) {
			c := m.Clone()
			c.Style = jsontree.Style{}
			if !yield(c) {
				return
			}
		}
		if !trees(m, baseline, bodyOf, []string{""}, yield) || m.Op != nil && m.Op.Body != nil && m.Op.Body.Form() {
			return
		}
		bytesLess(m, m.Body(), yield)
	}
}

func heads(m *message.Message, yield func(*message.Message) bool) bool {
	for i, f := range m.Fields {
		c := m.Clone()
		c.Fields = append(append([]exchange.Field(nil), m.Fields[:i]...), m.Fields[i+1:]...)
		if !yield(c) {
			return false
		}
		if isLongField(f) {
			c := m.Clone()
			c.Fields[i].Value = strings.TrimRight(f.Value[:len(f.Value)/2], " ")
			if !yield(c) {
				return false
			}
		}
	}
	for i := range m.Drop {
		c := m.Clone()
		c.Drop = append(append([]string(nil), m.Drop[:i]...), m.Drop[i+1:]...)
		if !yield(c) {
			return false
		}
	}
	for _, x := range []struct {
		odd   bool
		usual func(c *message.Message)
	}{
		{m.Query != "", func(c *message.Message) { c.Query = "" }},
		{m.Names != nil, func(c *message.Message) { c.Names = nil }},
		{m.PathSpelling != message.PathAsUsual, func(c *message.Message) { c.PathSpelling = message.PathAsUsual }},
		{m.Gap != message.OneBlank, func(c *message.Message) { c.Gap = message.OneBlank }},
		{m.Order != message.UsualOrder, func(c *message.Message) { c.Order = message.UsualOrder }},
		{m.Rest != message.RestNever, func(c *message.Message) { c.Rest = message.RestNever }},
		{m.Ends, func(c *message.Message) { c.Ends = false }},
		{m.Version != "", func(c *message.Message) { c.Version = "" }},
		{m.Framing != message.Length && m.Framing != message.AsIs, func(c *message.Message) { c.Framing = message.Length }},
	} {
		if !x.odd {
			continue
		}
		c := m.Clone()
		if x.usual(c); !yield(c) {
			return false
		}
	}
	return true
}

// tree returns one of the two trees of a message.
type tree func(*message.Message) **jsontree.Value

func bodyOf(m *message.Message) **jsontree.Value   { return &m.Tree }
func paramsOf(m *message.Message) **jsontree.Value { return &m.Params }

// sections lists the places of the sections of parameters.
func sections(params *jsontree.Value) []string {
	var out []string
	if params != nil {
		for _, in := range params.Members {
			out = append(out, "/"+in.Name)
		}
	}
	return out
}

// trees simplifies one place of the body or of the parameters, or adds a member to one
// of the roots.
func trees(m, baseline *message.Message, of tree, roots []string, yield func(*message.Message) bool) bool {
	for _, p := range places(*of(m)) {
		v := (*of(m)).At(p)
		if p != "" {
			c := m.Clone()
			if (*of(c)).RemoveAt(p) && !yield(c) {
				return false
			}
		}
		if w := (*of(baseline)).At(p); w != nil && p != "" && !jsontree.Equal(v, w) && (v.Kind != w.Kind || simpler(w, v)) {
			if !replace(m, of, p, w, yield) {
				return false
			}
		}
		for w := range smaller(v) {
			if !replace(m, of, p, w, yield) {
				return false
			}
		}
	}
	for _, root := range roots {
		if !missing(m, (*of(baseline)).At(root), root, of, yield) {
			return false
		}
	}
	return true
}

func simpler(w, v *jsontree.Value) bool {
	return v.Kind != jsontree.String && v.Kind != jsontree.Number || len(w.Text) < len(v.Text) || !plainText(v.Text)
}

func plainText(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' && s[i] < 'A' || s[i] > 'z' {
			return false
		}
	}
	return true
}

func replace(m *message.Message, of tree, p string, w *jsontree.Value, yield func(*message.Message) bool) bool {
	c := m.Clone()
	if p == "" {
		*of(c) = w.Clone()
	} else if !(*of(c)).SetAt(p, w.Clone()) {
		return true
	}
	return yield(c)
}

// missing adds members that the baseline request has at a place: a request with
// several defects then has one fewer.
func missing(m *message.Message, baseline *jsontree.Value, at string, of tree, yield func(*message.Message) bool) bool {
	if v := (*of(m)).At(at); v == nil || v.Kind != jsontree.Object || baseline == nil {
		return true
	}
	for _, member := range baseline.Members {
		if (*of(m)).At(at).Get(member.Name) == nil {
			c := m.Clone()
			(*of(c)).At(at).Set(member.Name, member.Value.Clone())
			// A longer text is only smaller if it removes a defect. The size of
			// candidates counts defects first.
			if !yield(c) {
				return false
			}
		}
	}
	return true
}

// places lists the pointers of a tree, at most 200, the root last.
func places(v *jsontree.Value) []string {
	var out []string
	v.Walk(func(pointer string, _ *jsontree.Value) {
		if pointer != "" && len(out) < 200 && len(pointer) < 200 {
			out = append(out, pointer)
		}
	})
	return append(out, "")
}

// smaller returns simpler values of the same kind, each made on demand, because all
// those of a large value do not fit into memory.
func smaller(v *jsontree.Value) iter.Seq[*jsontree.Value] {
	return func(yield func(*jsontree.Value) bool) {
		switch v.Kind {
		case jsontree.String:
			for s := range shorter(v.Text) {
				if !yield(jsontree.NewString(s)) {
					return
				}
			}
		case jsontree.Number:
			for s := range shorter(v.Text) {
				if jsontree.ValidNumber(s) && !yield(jsontree.NewNumber(s)) {
					return
				}
			}
		case jsontree.Array:
			if len(v.Items) > 1 && !yield(jsontree.NewArray(v.Items[:len(v.Items)/2]...)) {
				return
			}
			if len(v.Items) > 0 {
				yield(jsontree.NewArray())
			}
		case jsontree.Object:
			if len(v.Members) > 0 {
				yield(jsontree.NewObject())
			}
		}
	}
}

const singleLength = 80

// shorter leaves out pieces of a text: halves first, then single characters.
func shorter(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !utf8.ValidString(s) {
			return
		}
		r := []rune(s)
		minimum := 2
		if len(r) <= singleLength {
			minimum = 1
		}
		for size := max(len(r)/2, 1); size >= minimum; size /= 2 {
			for from := 0; from+size <= len(r); from += size {
				if !yield(string(r[:from]) + string(r[from+size:])) {
					return
				}
			}
		}
	}
}

// bytesLess leaves out pieces of the bytes of the body.
func bytesLess(m *message.Message, body []byte, yield func(*message.Message) bool) {
	units := split(body)
	for size := max(len(units)/2, 1); size >= 1; size /= 2 {
		if size == 1 && len(units) > 2*singleLength {
			return
		}
		for from := 0; from+size <= len(units); from += size {
			c := m.Clone()
			c.Tree, c.Style = nil, jsontree.Style{}
			c.Raw = join(units[:from], units[from+size:])
			if !yield(c) {
				return
			}
		}
	}
}

// largeUnit is what a body of more than largeUnits characters is cut into.
const (
	largeUnit  = 256
	largeUnits = 32 << 10
)

// split cuts bytes into characters, and large bodies into pieces. Bytes that are no
// character are pieces of their own.
func split(b []byte) [][]byte {
	large := len(b) > largeUnits
	var out [][]byte
	for len(b) > 0 {
		_, n := utf8.DecodeRune(b)
		if large {
			n = min(largeUnit, len(b))
		}
		out = append(out, b[:n])
		b = b[n:]
	}
	return out
}

func join(a, b [][]byte) []byte {
	out := []byte{}
	for _, list := range [][][]byte{a, b} {
		for _, u := range list {
			out = append(out, u...)
		}
	}
	return out
}

// fewer leaves out one step after another of a case about one thing, but the first, which
// makes it, and the last, which shows the failure. Each candidate makes another resource with
// fresh values: what is left of the one before is changed or deleted.
func (s *Shrinker) fewer() {
	kept := make([]int, len(s.Best.Steps))
	for i := range kept {
		kept[i] = i
	}
	for again := true; again; {
		again = false
		for i := len(kept) - 2; i > 0 && !again; i-- {
			candidate := slices.Delete(slices.Clone(kept), i, i+1)
			if again = s.stillFails(candidate); again {
				kept = candidate
			}
		}
	}
}

// stillFails sends the named steps of the case, and keeps them if the last one fails the
// same requirement in the same way.
func (s *Shrinker) stillFails(kept []int) bool {
	if s.spent() {
		s.filled = true
		return false
	}
	s.left -= len(kept)
	s.Own.Fresh()
	id := s.Best.Identity
	id.Retry = s.target.RetryOf(s.Case)
	all := s.run.Build(s.Case, id)
	steps := make([]plan.Step, len(kept))
	for i, k := range kept {
		steps[i] = all[k]
	}
	r, err := s.run.Insist(s.ctx, s.Case, id, steps, s.Own, 1)
	if err != nil {
		return false
	}
	i := slices.IndexFunc(r.Failures, func(f judge.Failure) bool {
		return f.At == s.Best.At && f.Outcome.Signature == s.Best.Outcome.Signature && f.Step == len(steps)-1
	})
	if i < 0 {
		return false
	}
	s.Best = r.Failures[i]
	return true
}
