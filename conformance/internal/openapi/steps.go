package openapi

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/pattern"
)

// Limits of how many schemas may be applied to one value before the exact judge
// gives up: nested alternatives multiply, and a validator cannot be stopped. The
// limit grows with the value, so that a long answer is judged like a short one.
const (
	minSteps   = 200_000
	valueSteps = 32  // for each value in it
	maxPlaces  = 200 // schemas around one place: what refers to itself has no end
)

// tooMany is the reason of an undecided value that would take more steps.
const tooMany = "more alternatives than can be tried"

// TooMuch reports whether a body is undecided because of its alternatives.
func (r *Reading) TooMuch() bool { return r.Kind == Undecided && r.Open == tooMany }

// steps counts how many schemas a validator would apply to a value. It stops at the
// limit, which it then returns.
func steps(s *jsonschema.Schema, v any) (taken int, within bool) {
	c := counter{left: minSteps + valueSteps*values(v)}
	maximum := c.left
	c.value(s, v, 0)
	return maximum - max(c.left, 0), c.left >= 0
}

func values(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += values(item)
		}
	case map[string]any:
		for _, item := range v {
			n += values(item)
		}
	}
	return n
}

type counter struct{ left int }

// value follows the validator as if it had to try every branch; around counts the
// schemas that apply to the same value.
func (c *counter) value(s *jsonschema.Schema, v any, around int) {
	if c.left--; s == nil || s.Bool != nil || c.left < 0 || around > maxPlaces {
		return
	}
	for _, one := range []*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else} {
		if one != nil {
			c.value(one, v, around+1)
		}
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, one := range list {
			c.value(one, v, around+1)
		}
	}
	if s.Enum != nil {
		c.left -= len(s.Enum.Values) / 16
		if _, ok := v.(json.Number); ok {
			c.left -= len(s.Enum.Values) / 2 // each is read as a number again
		}
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, around)
	case []any:
		c.array(s, v)
	case string:
		c.left -= len(v) / 64
		if m, ok := s.Pattern.(matcher); ok {
			c.match(m, v)
		}
	case json.Number:
		c.left -= len(v) / 64
	}
}

func (c *counter) object(s *jsonschema.Schema, v map[string]any, around int) {
	extra, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for name, member := range v {
		if c.left < 0 {
			return
		}
		own := s.Properties[name]
		if own != nil {
			c.value(own, member, 0)
		}
		for re, below := range s.PatternProperties {
			if c.left--; c.match(re.(matcher), name) {
				own = below
				c.value(below, member, 0)
			}
		}
		if own == nil && extra != nil {
			c.value(extra, member, 0)
		}
		if s.PropertyNames != nil {
			c.value(s.PropertyNames, name, 0)
		}
		if s.UnevaluatedProperties != nil {
			c.value(s.UnevaluatedProperties, member, 0)
		}
	}
	for name, below := range s.DependentSchemas {
		if _, has := v[name]; has {
			c.value(below, v, around+1)
		}
	}
}

func (c *counter) array(s *jsonschema.Schema, v []any) {
	for i, item := range v {
		if c.left < 0 {
			return
		}
		switch {
		case i < len(s.PrefixItems):
			c.value(s.PrefixItems[i], item, 0)
		case s.Items2020 != nil:
			c.value(s.Items2020, item, 0)
		}
		if s.Contains != nil {
			c.value(s.Contains, item, 0)
		}
		if s.UnevaluatedItems != nil {
			c.value(s.UnevaluatedItems, item, 0)
		}
	}
}

// patternSteps is how many steps of a pattern count as one schema.
const patternSteps = 64

// match reports whether a pattern matches. A pattern that is not known is tried.
func (c *counter) match(m matcher, text string) bool {
	answer, took := m.Decide(text)
	c.left -= took / patternSteps
	return answer != pattern.No
}

// resources notes which members of bodies have the id of a resource under its bare name, or whose
// description says so: project, where POST /projects makes resources whose id is of the same type.
func (c *Contract) resources() {
	made := map[string]*Schema{}
	for _, op := range c.Operations {
		path := strings.TrimSuffix(op.Path, "/")
		word := hints.One(path[strings.LastIndexByte(path, '/')+1:])
		if key := op.key(); op.Method == http.MethodPost && word != "" && key != nil {
			made[word] = key
		}
	}
	for _, op := range c.Rows() {
		if op.Body == nil || op.Body.Shape == nil {
			continue
		}
		for _, p := range op.Body.Shape.Schema.Properties {
			name := p.Name
			if made[hints.One(name)] == nil && p.holdsIDs() {
				name = cmp.Or(hints.IDOf(c.root.At(p.Schema.Pointer).TextAt("/description")), name)
			}
			if key := made[hints.One(name)]; key != nil && p.mayName(key) {
				p.Resource = hints.Flat(name)
			}
		}
	}
}

// key returns the schema of the id in a success of an operation, or nil.
func (o *Operation) key() *Schema {
	for _, r := range o.Documented(2) {
		for _, m := range r.Media {
			if m.Shape == nil {
				continue
			}
			if p := m.Shape.Schema.Property("id"); p != nil {
				return p.Schema
			}
		}
	}
	return nil
}

// holdsIDs reports whether a member has whole numbers without an upper bound, or UUIDs: other values
// often mean something by themselves.
func (p *Property) holdsIDs() bool {
	s := p.Schema
	return s.Type() == "integer" && s.Maximum == "" && s.Below == "" || s.Type() == "string" && s.Format == "uuid"
}

// mayName reports whether a member can hold an id with this schema.
func (p *Property) mayName(key *Schema) bool {
	s := p.Schema
	return p.holdsIDs() && names(s) && !s.ReadOnly && s.Default == nil && s.Type() == key.Type() && cmp.Or(s.Format, key.Format) == key.Format &&
		!hints.IsKey(p.Name) && hints.Refers(p.Name) == ""
}

// Refers is RefersAt for a member in a section of a request, or in its body if that is empty.
func (m Member) Refers(section string) string {
	return cmp.Or(hints.RefersAt(section, m.Name), m.Resource)
}

// Bounds of what a shape remembers, in bytes of bodies. ForOne is for a single run, which
// reads a body when it is drawn and again when it is sent. ForMore has room for all bodies
// of a plan, for runs that send them again.
const (
	rememberedBody = 2 << 10
	ForOne         = 32 << 10
	ForMore        = 4 << 20
)

// readings are the readings of bodies that were read before: a reading depends on the bytes and the
// domains alone. The shared parts are never changed; each caller gets its own copy of the rest.
type readings struct {
	mu      sync.RWMutex
	of      map[string]Reading
	order   []string // the oldest first
	held    int
	maximum int
}

// Suggests reports whether names and sentences suggest the kind or the order of some values.
func (o *Operation) Suggests() bool {
	return o.Body != nil && o.Body.Shape != nil && len(o.Body.Shape.Schema.Sequences) > 0 ||
		slices.ContainsFunc(o.Members(), func(m Member) bool {
			return m.Schema.Drawn() != nil || m.Schema.Past || len(m.Schema.Sequences) > 0
		})
}

// TellsKinds reports whether sentences alone tell of the kinds of some texts.
func (o *Operation) TellsKinds() bool {
	return slices.ContainsFunc(o.Members(), func(m Member) bool {
		return m.Schema.Told != nil || m.Schema.Items != nil && m.Schema.Items.Told != nil
	})
}

// Beside lists the operation, and its copies that share its parameters or body.
func (o *Operation) Beside() []*Operation {
	own := o.shapes()
	return slices.DeleteFunc(o.First().Rows(), func(row *Operation) bool {
		return row != o && !slices.ContainsFunc(row.shapes(), func(s *Shape) bool { return slices.Contains(own, s) })
	})
}

func (o *Operation) shapes() []*Shape {
	var out []*Shape
	if o.Params != nil {
		out = append(out, o.Params)
	}
	if o.Body != nil && o.Body.Shape != nil {
		out = append(out, o.Body.Shape)
	}
	return out
}

// newReadings returns nil, which remembers nothing, if there is no room.
func newReadings(maximum int) *readings {
	if maximum == 0 {
		return nil
	}
	return &readings{of: map[string]Reading{}, maximum: maximum}
}

// again returns readings of the same size that remember nothing yet.
func (r *readings) again() *readings {
	if r == nil {
		return nil
	}
	return newReadings(r.maximum)
}

// find returns the caller's own copy of a reading, or nil.
func (r *readings) find(body []byte) *Reading {
	if r == nil || len(body) > rememberedBody {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if known, ok := r.of[string(body)]; ok {
		return &known
	}
	return nil
}

// keep remembers a reading, and forgets the oldest if there is no room.
func (r *readings) keep(body []byte, as *Reading) {
	if r == nil || len(body) > rememberedBody {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text := string(body)
	if _, known := r.of[text]; known {
		return
	}
	for r.held += len(text); r.held > r.maximum && len(r.order) > 0; r.order = r.order[1:] {
		r.held -= len(r.order[0])
		delete(r.of, r.order[0])
	}
	r.order = append(r.order, text)
	kept := *as
	// Clipped, so that an append makes a copy.
	kept.Violations, kept.Reasons, kept.Unusual = slices.Clip(as.Violations), slices.Clip(as.Reasons), slices.Clip(as.Unusual)
	r.of[text] = kept
}
