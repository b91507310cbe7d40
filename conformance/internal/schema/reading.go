package schema

import (
	"errors"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Kind classifies bodies by what a server has to do with them.
type Kind uint8

// The kinds, from must be accepted to must be refused.
const (
	MustAccept Kind = iota // every implementation must take it
	MayRefuse              // may be taken or refused
	Undecided              // a pattern could not be decided: nothing is judged by it
	Invalid                // breaks the schema
	NotJSON                // breaks RFC 8259
)

// String returns the kind as reports name it.
func (k Kind) String() string {
	return [...]string{"must-accept", "may-refuse", "undecided", "invalid", "not JSON"}[k]
}

// Reading is what the exact judge says of the bytes of a body.
type Reading struct {
	Kind Kind
	// Document is nil if the body is not JSON.
	Document *jsontree.Document
	// Values are the parameters, an object with a member for each section. It is nil
	// without parameters.
	Values *jsontree.Value
	// Syntax says why it is not JSON.
	Syntax error
	// Violations are the violated keywords, in a fixed order.
	Violations []Violation
	// Open is the pattern that could not be decided, if the body is undecided.
	Open string
	// Work is the work of the reading, counted and not timed: a byte counts as one,
	// a schema that was applied to a value as stepWork.
	Work int
	// Reasons say why a valid body may be refused, each with its place.
	Reasons []Reason
	// Unusual are the paths with a must-accept value that is not a baseline value,
	// in order.
	Unusual []string
	// Respelled reports whether the same value has a simpler text: without white
	// space or escapes, or with another order of members.
	Respelled bool
	// Empty reports whether the body has no bytes.
	Empty bool
	// shape is the one that an undecided value was read with. A whole request has two
	// readings instead.
	shape        *Shape
	body, params *Reading
}

// Odd reports whether parsers may refuse the text of the body, whatever its values are.
func (r *Reading) Odd() bool {
	if r.params != nil {
		r = r.body
	}
	if r == nil || r.Document == nil {
		return r != nil && len(r.Reasons) > 0
	}
	return len(r.Document.Issues) > 0 || r.Document.Depth > mustAcceptDepth
}

// stepWork is the work of one schema, in bytes read.
const stepWork = 16

// Reason is a reason why some implementations refuse a valid value.
type Reason struct {
	Path string // "*" stands for array indices
	What string // "empty string", "unknown member", ...
}

// Violates reports whether the key is among the violations. A "*" in the path of
// the key matches any one segment.
func (r *Reading) Violates(k Key) bool { return r.First(k) != nil }

// First returns the first violation of a key, or nil.
func (r *Reading) First(k Key) *Violation {
	i := slices.IndexFunc(r.Violations, func(v Violation) bool { return v.Of(k) })
	if i < 0 {
		return nil
	}
	return &r.Violations[i]
}

// Of reports whether the violation is the one that a key names.
func (v *Violation) Of(k Key) bool {
	return v.Keyword == k.Keyword && v.Name == k.Name && v.Under == k.Under && covers(k.Path, v.Path)
}

// Beyond returns the first violation of none of these keys, or nil.
func (r *Reading) Beyond(keys []Key) *Violation {
	i := slices.IndexFunc(r.Violations, func(v Violation) bool {
		return !slices.ContainsFunc(keys, func(k Key) bool { return v.Of(k) })
	})
	if i < 0 {
		return nil
	}
	return &r.Violations[i]
}

// Root returns the value, or nil.
func (r *Reading) Root() *jsontree.Value {
	if r == nil || r.Document == nil {
		return nil
	}
	return r.Document.Root
}

// Read classifies the bytes of a body. If the text is JSON that readers understand
// differently (duplicate names, invalid UTF-8, lone surrogates, a byte order mark:
// RFC 8259, sections 4 and 8), it is may-refuse, whatever the schema says of one
// reading. So is a valid text in UTF-16 or UTF-32.
func (s *Shape) Read(body []byte) *Reading { return s.ReadBound(body, Bindings{}) }

// Bindings say what is known of the values of a request.
type Bindings struct {
	// Bound has the values that the target gave, by their JSON pointers. Such a value must be
	// accepted at its place, and any other may be refused.
	Bound map[string]*jsontree.Value
	// Unguessed says that a text need not be of the kind that its name suggests.
	Unguessed bool
}

// ReadBound is Read for a request of which something is known.
func (s *Shape) ReadBound(body []byte, given Bindings) *Reading {
	if len(given.Bound) > 0 || given.Unguessed {
		return s.read(body, given)
	}
	if known := s.before.find(body); known != nil {
		return known
	}
	r := s.read(body, given)
	s.before.keep(body, r)
	return r
}

func (s *Shape) read(body []byte, given Bindings) *Reading {
	r := &Reading{Empty: len(body) == 0}
	doc, err := jsontree.Parse(body)
	if err != nil {
		var deep *jsontree.DepthError
		if errors.As(err, &deep) {
			r.Kind, r.Reasons = MayRefuse, []Reason{{What: "nesting"}}
			return r
		}
		r.Kind, r.Syntax = NotJSON, err
		if text, why := otherText(body); why != "" && s.Direction != Answers && s.Read(text).Kind < Invalid {
			r.Kind, r.Syntax, r.Reasons = MayRefuse, nil, []Reason{{What: why}}
		}
		return r
	}
	r.Document = doc
	for _, i := range doc.Issues {
		r.mayRefuse("", i.Kind.String())
	}
	if s.judge(r, body, len(body), given) {
		r.Respelled = r.Respelled || string(doc.Root.Emit()) != string(body)
	}
	return r
}

// ReadValue classifies a value that did not come as JSON: the parameters of a
// request, or a body of another media type. Reasons say why its text may be refused.
func (s *Shape) ReadValue(v *jsontree.Value, reasons []Reason, given Bindings) *Reading {
	r := &Reading{Document: &jsontree.Document{Root: v}, Reasons: reasons}
	if s.judge(r, nil, v.Size(), given) {
		r.Respelled = false // the order of members has no meaning on the wire
	}
	r.tolerateReasons(reasons)
	return r
}

// judge asks the exact judge about the value of a reading, and says what kind it is.
// It reports whether the value is valid and its spelling matters. The body is nil if the value
// did not come as JSON.
func (s *Shape) judge(r *Reading, body []byte, size int, given Bindings) bool {
	doc := r.Document
	open, work, err := decide(s.exact, doc.Root.NativeTo(schemaDepth))
	r.Work = size + stepWork*work
	switch {
	case open != "":
		r.Kind, r.Open, r.shape = Undecided, open, s
		return false
	case err != nil:
		r.Violations = s.violations(doc.Root, err)
		r.tolerate(s)
		s.asDouble(r)
		s.trimmed(r)
		s.withoutNulls(r)
	}
	switch {
	case len(r.Violations) > 0 && len(doc.Issues) > 0:
		r.Kind = MayRefuse
		return false
	case len(r.Violations) > 0:
		r.Kind = Invalid
		return false
	}
	if s.Direction == Answers {
		return false
	}
	if doc.Depth > mustAcceptDepth {
		r.mayRefuse("", "nesting")
	}
	p := plainness{s: s, r: r, body: body, given: given}
	p.value(s.Schema, doc.Root, "", 0)
	if len(r.Reasons) > 0 {
		r.Kind = MayRefuse
	}
	r.Respelled = p.reordered
	return true
}

// Beside adds the reading of the parameters of a request to that of its body, which
// is nil if the operation has none. The paths of parameters begin with their section:
// query/limit.
func (r *Reading) Beside(parameters *Reading) *Reading {
	out := &Reading{}
	if r != nil {
		copied := *r
		out = &copied
	}
	out.body, out.params = r, parameters
	out.Kind, out.Values, out.Work = max(out.Kind, parameters.Kind), parameters.Root(), out.Work+parameters.Work
	if out.Open == "" {
		out.Open = parameters.Open
	}
	// Clipped, because a reading that is remembered must not change.
	out.Violations, out.Reasons, out.Unusual = slices.Clip(out.Violations), slices.Clip(out.Reasons), slices.Clip(out.Unusual)
	for _, v := range parameters.Violations {
		v.Path, v.Pointer = strings.TrimPrefix(v.Path, "/"), strings.TrimPrefix(v.Pointer, "/")
		out.Violations = append(out.Violations, v)
	}
	for _, why := range parameters.Reasons {
		out.Reasons = append(out.Reasons, Reason{strings.TrimPrefix(why.Path, "/"), why.What})
	}
	for _, path := range parameters.Unusual {
		out.Unusual = append(out.Unusual, strings.TrimPrefix(path, "/"))
	}
	return out
}

// MayRefuse makes a valid reading may-refuse, for a reason that its schema does not know.
func (r *Reading) MayRefuse(path, what string) {
	r.mayRefuse(path, what)
	r.Kind = max(r.Kind, MayRefuse)
}

func (r *Reading) mayRefuse(path, what string) {
	if why := (Reason{path, what}); !slices.Contains(r.Reasons, why) {
		r.Reasons = append(r.Reasons, why)
	}
}

func (r *Reading) unusual(path string) {
	if n := len(r.Unusual); n == 0 || r.Unusual[n-1] != path {
		r.Unusual = append(r.Unusual, path)
	}
}

func covers(pattern, path string) bool {
	if pattern == path || !strings.Contains(pattern, "*") {
		return pattern == path
	}
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if want[i] != "*" && want[i] != have[i] {
			return false
		}
	}
	return true
}

// Sound reports whether every reader gets the same value from the bytes.
func (r *Reading) Sound() bool { return r.Document != nil && len(r.Document.Issues) == 0 }

// At returns the value at a path of the request: of the body or of a parameter. It
// is nil if there is none.
func (r *Reading) At(path string) *jsontree.Value {
	if r != nil && path != "" && !strings.HasPrefix(path, "/") {
		return r.Values.At("/" + path)
	}
	return r.Root().At(path)
}
