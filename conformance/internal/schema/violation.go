package schema

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// Violation is one keyword that one value violates.
type Violation struct {
	// Path is the JSON pointer of the place with every array index written "*".
	Path string
	// Keyword is the schema keyword. Name is the member that required or
	// additionalProperties is about.
	Keyword string
	format  string // that is violated
	pattern string // that is violated
	spaced  bool   // white space stands around a listed text
	rest    bool   // it is about a member or item that no schema evaluates
	Name    string
	// Under is the then or else that the keyword stands in, by its pointer; empty outside of them.
	Under string
	// Pointer is the JSON pointer of the value itself.
	Pointer string
	extra   string // the first member that additionalProperties does not allow
	// Near is the JSON pointer of what is wrong for the alternative that fits best, and NearKeyword
	// what it breaks there, if the value matches no alternative and one fits better than the others.
	Near, NearKeyword string
}

// At returns the JSON pointer of what is wrong: the value, or a member of it that is missing or that
// must not be there.
func (v *Violation) At() string {
	switch {
	case v.Keyword == "required":
		return v.Pointer + "/" + jsontree.EscapePointer(v.Name)
	case v.extra != "":
		return v.Pointer + "/" + jsontree.EscapePointer(v.extra)
	}
	return v.Pointer
}

// Key returns the requirement that is violated.
func (v Violation) Key() Key { return Key{v.Path, v.Keyword, v.Name, v.Under} }

// Key is a place, a keyword, for required a member, and the then or else that the keyword stands in.
type Key struct{ Path, Keyword, Name, Under string }

// violations returns what the exact judge objects to, in a fixed order.
// Where an alternative was merged, it objects with the keywords of that alternative.
func (s *Shape) violations(root *jsontree.Value, err error) []Violation {
	var top *jsonschema.ValidationError
	if !errors.As(err, &top) {
		return []Violation{{Keyword: "schema"}}
	}
	c := collector{shape: s, root: root}
	c.walk(top)
	c.withoutConsequences()
	slices.SortFunc(c.out, func(a, b Violation) int {
		return strings.Compare(a.Path+"\x00"+a.Keyword+"\x00"+a.Name+"\x00"+a.Pointer+"\x00"+a.Under,
			b.Path+"\x00"+b.Keyword+"\x00"+b.Name+"\x00"+b.Pointer+"\x00"+b.Under)
	})
	return slices.Compact(c.out)
}

type collector struct {
	shape *Shape
	root  *jsontree.Value
	under string // the then or else that is walked
	out   []Violation
}

// withoutConsequences drops violations of unevaluatedProperties and unevaluatedItems where
// the same value breaks another keyword: a schema that fails has evaluated nothing (JSON
// Schema 2020-12 Core, 7.7.1).
func (c *collector) withoutConsequences() {
	c.out = slices.DeleteFunc(slices.Clone(c.out), func(v Violation) bool {
		if !v.rest {
			return false
		}
		of := v.Pointer[:strings.LastIndexByte(v.Pointer, '/')]
		return slices.ContainsFunc(c.out, func(o Violation) bool {
			return !o.rest && (o.Pointer == of || strings.HasPrefix(o.Pointer, of+"/"))
		})
	})
}

func (c *collector) walk(e *jsonschema.ValidationError) {
	outer := c.under
	defer func() { c.under = outer }()
	c.under = cmp.Or(c.shape.conditional(e.SchemaURL), outer)
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		c.alternatives(e, "anyOf")
	case *kind.OneOf:
		c.alternatives(e, "oneOf")
	case *kind.Not:
		c.add(e, "not", "")
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		c.add(e, "contains", "")
	case *kind.PropertyNames:
		e.InstanceLocation = c.shape.holder(c.root, len(e.InstanceLocation), k.Property)
		c.add(e, "propertyNames", "")
	case *kind.Required:
		for _, m := range k.Missing {
			c.add(e, "required", m)
		}
	case *kind.DependentRequired:
		c.add(e, "dependentRequired", k.Prop)
	case *kind.AdditionalProperties:
		c.add(e, "additionalProperties", "")
		c.out[len(c.out)-1].extra = slices.Min(k.Properties)
	case *kind.Format:
		c.add(e, "format", "")
		c.out[len(c.out)-1].format = k.Want
	case *kind.Pattern:
		c.add(e, "pattern", "")
		c.out[len(c.out)-1].pattern = k.Want
	case *kind.Enum:
		c.add(e, "enum", "")
		c.out[len(c.out)-1].spaced = spaced(k.Got, k.Want...)
	case *kind.Const:
		c.add(e, "const", "")
		c.out[len(c.out)-1].spaced = spaced(k.Got, k.Want)
	case *kind.FalseSchema:
		c.add(e, "false", "")
		c.out[len(c.out)-1].rest = strings.HasSuffix(e.SchemaURL, "/unevaluatedProperties") || strings.HasSuffix(e.SchemaURL, "/unevaluatedItems")
	default:
		if len(e.Causes) == 0 {
			path := e.ErrorKind.KeywordPath()
			name := "schema"
			if len(path) > 0 {
				name = path[len(path)-1]
			}
			c.add(e, name, "")
			return
		}
		for _, cause := range e.Causes {
			c.walk(cause)
		}
	}
}

// alternatives adds what the merged alternative objects to. There are causes only if no
// alternative takes the value. If the value says that it is one of another alternative, the
// fault is that it matches none.
func (c *collector) alternatives(e *jsonschema.ValidationError, keyword string) {
	path, pointer := c.place(e)
	for _, one := range c.shape.merged[path] {
		if one.Keyword == keyword && one.Of == len(e.Causes) && !one.claimed(c.root.At(pointer)) {
			c.walk(e.Causes[one.Index])
			return
		}
	}
	c.add(e, keyword, "")
	v := &c.out[len(c.out)-1]
	v.Near, v.NearKeyword = c.nearest(e, pointer)
}

// nearest returns the first fault of the alternative that fits a value best: it has the type of the
// value and the constants of its members, and else the fewest faults. It is empty if two fit as well
// and differ.
func (c *collector) nearest(e *jsonschema.ValidationError, at string) (pointer, keyword string) {
	var best []int
	for _, cause := range e.Causes {
		in := collector{shape: c.shape, root: c.root}
		in.walk(cause)
		in.withoutConsequences()
		fit := []int{0, 0, len(in.out)}
		for _, v := range in.out {
			rest, below := strings.CutPrefix(v.Pointer, at+"/")
			listed := v.Keyword == "const" || v.Keyword == "enum"
			fit[0] += truth(v.Pointer == at && (listed || v.Keyword == "type"))
			fit[1] += truth(below && listed && !strings.Contains(rest, "/"))
		}
		if len(in.out) == 0 || best != nil && slices.Compare(fit, best) > 0 {
			continue
		}
		first := slices.MinFunc(in.out, func(a, b Violation) int { // a value before what is missing
			return cmp.Or(truth(a.Keyword == "required")-truth(b.Keyword == "required"), strings.Compare(a.At()+"\x00"+a.Keyword, b.At()+"\x00"+b.Keyword))
		})
		p, k := first.At(), first.Keyword
		if first.NearKeyword != "" {
			p, k = first.Near, first.NearKeyword
		}
		if slices.Equal(fit, best) && (p != pointer || k != keyword) {
			p, k = "", ""
		}
		best, pointer, keyword = fit, p, k
	}
	return pointer, keyword
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *collector) add(e *jsonschema.ValidationError, keyword, name string) {
	path, pointer := c.place(e)
	c.out = append(c.out, Violation{Path: path, Pointer: pointer, Keyword: keyword, Name: name, Under: c.under})
}

// place returns the path and the pointer of the value that an error is about.
func (c *collector) place(e *jsonschema.ValidationError) (path, pointer string) {
	at := c.root
	var p, q strings.Builder
	for _, seg := range e.InstanceLocation {
		esc := jsontree.EscapePointer(seg)
		q.WriteString("/" + esc)
		if at != nil && at.Kind == jsontree.Array {
			p.WriteString("/*")
		} else {
			p.WriteString("/" + esc)
		}
		at = at.At("/" + esc)
	}
	return p.String(), q.String()
}

// spaced reports whether a value is one of the wanted texts with white space around it.
func spaced(got any, want ...any) bool {
	text, isText := got.(string)
	return isText && slices.Contains(want, any(strings.TrimSpace(text)))
}

// assumption says what a validator does with a pattern that cannot be decided for a
// value. One validator reports the value as undecided. The others assume a match or
// none, and are only asked what a case would test.
type assumption uint8

const (
	decides assumption = iota
	matches
	fails
	formless // decides, and asserts no format
	assumptions
)

// engine compiles the patterns of JSON Schema, which are ECMA-262.
func (a assumption) engine(known *patterns) jsonschema.RegexpEngine {
	return func(text string) (jsonschema.Regexp, error) {
		p, err := known.compile(text)
		if err != nil {
			return nil, err
		}
		return matcher{p, a}, nil
	}
}

// patterns are those of one document. Generators produce the same one, such as that
// of a date, thousands of times.
type patterns struct {
	mu   sync.Mutex // a value of format regex is compiled while it is judged
	kept map[string]*pattern.Pattern
}

// Bounds of the patterns that are kept: values of a server can be patterns too.
const (
	maxPatterns    = 1000
	longestPattern = 300 // bytes
)

func (p *patterns) compile(text string) (*pattern.Pattern, error) {
	p.mu.Lock()
	known := p.kept[text]
	p.mu.Unlock()
	if known != nil {
		return known, nil
	}
	made, err := pattern.Compile(text)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && len(p.kept) < maxPatterns && len(text) <= longestPattern {
		p.kept[text] = made
	}
	return made, err
}

// matcher is a pattern as the validator asks for it: yes or no.
type matcher struct {
	*pattern.Pattern
	assume assumption
}

// undecided is the pattern that ended a validation. It travels as a panic, because
// a validator accepts only yes or no from a pattern. decide recovers it in the same
// goroutine.
type undecided struct{ pattern string }

func (m matcher) MatchString(s string) bool {
	switch answer := m.Match(s); {
	case answer != pattern.Unknown:
		return answer == pattern.Yes
	case m.assume == decides || m.assume == formless:
		panic(undecided{m.String()})
	}
	return m.assume == matches
}

// decide validates a value. If open is not empty, the value is neither valid nor
// invalid: open is the pattern that could not be decided, or tooMany. work is what
// it took, in steps.
func decide(s *jsonschema.Schema, v any) (open string, work int, violated error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case undecided:
			open = p.pattern
		default:
			panic(p)
		}
	}()
	work, within := steps(s, v)
	if !within {
		return tooMany, work, nil
	}
	return "", work, s.Validate(v)
}

// keeps reports whether a value satisfies a part of the schema. It returns known
// false if that cannot be decided.
func keeps(s *jsonschema.Schema, v any) (ok, known bool) {
	if s == nil {
		return false, true
	}
	open, _, err := decide(s, v)
	return err == nil && open == "", open == ""
}

// Assume reads what is undecided in a request as if the pattern matched, or did not.
func (r *Reading) Assume(match bool) *Reading {
	switch {
	case r == nil || r.Kind != Undecided:
		return r
	case r.params != nil:
		return r.body.Assume(match).Beside(r.params.Assume(match))
	}
	return r.shape.Assume(r, match)
}

// Assume reads an undecided body as if the pattern matched, or did not. It returns
// other readings unchanged.
func (s *Shape) Assume(r *Reading, match bool) *Reading {
	if r == nil || r.Kind != Undecided {
		return r
	}
	a := fails
	if match {
		a = matches
	}
	out := *r
	out.Kind, out.Violations = MustAccept, nil
	if r.Open == tooMany {
		if !match {
			out.Kind = Invalid
		}
		return &out
	}
	exact, err := s.document.compileUnder(a, s.Direction, s.pointer)
	if err != nil {
		return r
	}
	if _, _, err := decide(exact, r.Document.Root.NativeTo(schemaDepth)); err != nil {
		out.Kind, out.Violations = Invalid, s.violations(r.Document.Root, err)
	}
	return &out
}
