package schema

import (
	"bytes"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// plainness walks a valid value and records what keeps it from being a must-accept
// or a baseline value.
type plainness struct {
	s         *Shape
	r         *Reading
	body      []byte // nil if the value did not come as JSON
	reordered bool
	// around are the schemas whose alternative is being walked. A member that they
	// name is not unknown.
	around []surrounding
	given  Bindings
}

type surrounding struct {
	path   string
	schema *Schema
}

func (p *plainness) value(s *Schema, v *jsontree.Value, path string, depth int) {
	if named := p.named(path); named != nil {
		switch {
		case jsontree.Equal(v, named) && v.Text == named.Text:
			return
		case jsontree.Equal(v, named):
			p.r.mayRefuse(path, "number spelled "+spelling(v.Text))
		default:
			p.r.mayRefuse(path, "another value than the one named")
		}
	}
	if s == nil || depth > mustAcceptDepth {
		if depth > 0 && v.Kind != jsontree.Null {
			p.r.mayRefuse(path, "value without a schema")
		}
		return
	}
	if s.MayNull && v.Kind == jsontree.Null {
		p.r.mayRefuse(path, unclearNull)
		return
	}
	if s.Enum != nil || s.Const != nil {
		if len(s.Enum) > 0 && !jsontree.Equal(v, s.Enum[0]) {
			p.r.unusual(path)
		}
		return
	}
	if why := p.s.other(s, v); why != "" {
		p.r.mayRefuse(path, why)
		return
	}
	alt := p.alternative(s, v, path)
	if alt != nil {
		p.around = append(p.around, surrounding{path, s})
		p.value(alt, v, path, depth+1)
		p.around = p.around[:len(p.around)-1]
	}
	told := alt != nil && !s.limits() // the alternative has said all about a text or a number
	switch v.Kind {
	case jsontree.Object:
		p.object(s, v, path, depth)
	case jsontree.Array:
		if alt == nil || s.Items != nil || len(s.Prefix) > 0 {
			p.array(s, v, path, depth) // else the alternative has the schemas of the items
		}
	case jsontree.String:
		if timed(s.Format) && p.escaped(v) {
			p.r.mayRefuse(path, "escapes in a "+s.Format)
		}
		if !told {
			p.text(s, v.Text, path)
		}
	case jsontree.Number:
		if !told {
			p.number(s, v.Text, path)
		}
	case jsontree.Null:
		p.r.unusual(path)
	case jsontree.Bool:
		if !v.Bool {
			p.r.unusual(path)
		}
	}
}

// limits reports whether a schema itself says which texts or numbers are valid.
func (s *Schema) limits() bool {
	return s.Pattern != "" || s.Format != "" || s.Code != nil || s.MinLength != nil || s.MaxLength != nil || s.Minimum != "" || s.Maximum != "" || s.Above != "" || s.Below != ""
}

// named returns the one value of a place that the target accepts, as the user or the
// target itself said, or nil.
func (p *plainness) named(path string) *jsontree.Value {
	if v := p.given.Bound[path]; v != nil {
		return v
	}
	return p.s.Domains[path].Value
}

// alternative returns the first branch of anyOf or oneOf that accepts the value.
func (p *plainness) alternative(s *Schema, v *jsontree.Value, path string) *Schema {
	for _, list := range [][]*Schema{s.OneOf, s.AnyOf} {
		for i, b := range list {
			ok, known := keeps(p.s.branch(b.Pointer), v.Native())
			if !known {
				p.r.mayRefuse(path, "alternative that a pattern leaves open")
			}
			if ok {
				if i > 0 {
					p.r.unusual(path)
				}
				return b
			}
		}
	}
	return nil
}

func (p *plainness) object(s *Schema, v *jsontree.Value, path string, depth int) {
	for _, pair := range p.s.Pairs(s, false) {
		if !pair.Told && pair.Inverted(v) {
			p.r.mayRefuse(path+"/"+jsontree.EscapePointer(pair.High.Name), "it is not above "+pair.Low.Name)
		}
	}
	if name := p.s.incomplete(v, path); name != "" {
		p.r.mayRefuse(path, "it lacks "+name+", which the whole has to have")
	}
	last, whole := -1, p.s.For(s, v)
	for _, m := range v.Members {
		at := path + "/" + jsontree.EscapePointer(m.Name)
		i := index(whole, m.Name)
		if i < 0 {
			if !p.surrounded(path, m.Name) {
				p.extra(s, m, at, depth)
			}
			continue
		}
		prop := whole.Properties[i]
		turn := i // a baseline request has the required members before others, and before those that a condition asks for
		if i >= len(s.Properties) || !s.Properties[i].Required {
			turn += len(whole.Properties)
		}
		if turn < last {
			p.reordered = true
		}
		last = max(last, turn)
		if other := p.s.unpaired(s, v, m, path); other != "" {
			p.r.mayRefuse(at, unpaired+other+", which is stored")
		}
		switch {
		case p.named(at) == nil && refers(path, m, prop):
			p.r.mayRefuse(at, UnknownKey)
		case p.named(at) == nil && crossed(m):
			p.r.mayRefuse(at, "its lower corner does not come first")
		case p.named(at) == nil && numbersPage(path, m):
			p.r.mayRefuse(at, UnknownPage)
		case p.s.Patch && (m.Name == "path" || m.Name == "from") && strings.Count(path, "/") == 1:
			p.r.mayRefuse(at, "a place that may not be there")
		}
		if !prop.Required {
			switch named := p.named(at); {
			case named != nil && !jsontree.Equal(m.Value, named): // may be refused, whatever it is
			case named == nil && p.s.Domains[at].Given == "may-refuse":
				p.r.mayRefuse(at, GivenValue)
			default:
				p.r.unusual(at)
			}
		}
		p.value(prop.Schema, m.Value, at, depth+1)
	}
}

// surrounded reports whether a schema around this one names the member.
func (p *plainness) surrounded(path, name string) bool {
	for _, a := range p.around {
		if a.path == path && index(a.schema, name) >= 0 {
			return true
		}
	}
	return false
}

// extra walks a member that no property names.
func (p *plainness) extra(s *Schema, m jsontree.Member, at string, depth int) {
	for _, alt := range append(append([]*Schema{}, s.OneOf...), s.AnyOf...) {
		if index(alt, m.Name) >= 0 {
			return
		}
	}
	value, named := s.Extra, s.Extra != nil || s.Names != nil || s.MinProps != nil && len(s.Properties) == 0
	for _, k := range s.Patterns {
		if re := p.s.Pattern(k.Pattern); re != nil && re.Match(m.Name) == pattern.Yes {
			value, named = k.Schema, true
		}
	}
	if !named {
		p.r.mayRefuse(at, "unknown member")
		return
	}
	if s.MinProps == nil || len(s.Properties) > 0 {
		p.r.unusual(at) // otherwise the baseline value has such members
	}
	p.text(&Schema{Pattern: "stated"}, m.Name, at)
	if value != nil {
		p.value(value, m.Value, at, depth+1)
	}
}

func (p *plainness) array(s *Schema, v *jsontree.Value, path string, depth int) {
	if len(v.Items) > mustAcceptItems && (s.MaxItems == nil || len(v.Items) > *s.MaxItems) {
		p.r.mayRefuse(path, "long array")
	}
	if len(v.Items) == 0 && s.MinItems == nil {
		p.r.mayRefuse(path, "empty array")
	}
	if len(v.Items) > max(1, deref(s.MinItems, 1)) {
		p.r.unusual(path)
	}
	for i, item := range v.Items {
		sub := s.Items
		if i < len(s.Prefix) {
			sub = s.Prefix[i]
		} else if sub == nil && s.Contains != nil && p.s.Matches(s.Contains, item) {
			sub = s.Contains
		}
		p.value(sub, item, path+"/*", depth+1)
	}
}

func (p *plainness) number(s *Schema, text, path string) {
	if p.s.outside(s, text, path) {
		p.r.mayRefuse(path, "number out of the plain range")
	}
	digits := len(text)
	_, plainInt := jsontree.Int64(text)
	plainInt = plainInt && spelledWhole(text)
	switch {
	case text[0] == '-' && !jsontree.IsInteger(text), jsontree.Compare(text, "0") <= 0:
		if !statesLow(s) {
			p.r.mayRefuse(path, "zero or negative number")
		}
	}
	if s.Whole() || jsontree.IsInteger(text) {
		if !spelledWhole(text) || text == "-0" {
			p.r.mayRefuse(path, "number spelled "+spelling(text))
		}
	} else if digits > doubleDigits || hasExponent(text) {
		p.r.mayRefuse(path, "number beyond a double")
	}
	if jsontree.Compare(text, baselineMaximum) >= 0 || jsontree.Compare(text, "0") <= 0 || !plainInt ||
		text == s.Minimum || text == s.Maximum {
		p.r.unusual(path)
	}
}

func index(s *Schema, name string) int {
	for i, q := range s.Properties {
		if q.Name == name {
			return i
		}
	}
	return -1
}

func deref(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

// statesLow reports whether a schema mentions numbers that are not positive.
func statesLow(s *Schema) bool {
	return s.Minimum != "" || s.Above != "" || s.Maximum != "" && jsontree.Compare(s.Maximum, "0") <= 0 ||
		s.Below != "" && jsontree.Compare(s.Below, "1") <= 0
}

func hasExponent(text string) bool {
	for i := range text {
		if text[i] == 'e' || text[i] == 'E' {
			return true
		}
	}
	return false
}

func spelling(text string) string {
	switch {
	case text == "-0":
		return "-0"
	case hasExponent(text):
		return "with an exponent"
	}
	return "with a fraction"
}

// spelledWhole reports whether a number is written as digits alone.
func spelledWhole(text string) bool {
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	for i := range text {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// outside reports whether a valid number is out of the range that every
// implementation supports, on a side where the document states no bound.
func (s *Shape) outside(sc *Schema, text, path string) bool {
	d := s.Domains[path]
	low, high := d.Minimum, d.Maximum
	if high == "" {
		switch {
		case sc.Maximum != "" || sc.Below != "":
			high = int64Maximum
		case sc.Format == "int64":
			high = int64Maximum
		default:
			high = safeInteger
		}
	}
	return jsontree.Compare(text, high) > 0 || low != "" && jsontree.Compare(text, low) < 0 ||
		low == "" && jsontree.Compare(text, "-"+high) < 0
}

// timed reports whether some libraries read a text of the format from the bytes between its
// quotes: those of Go do so with times.
func timed(format string) bool { return format == "date-time" || format == "date" || format == "time" }

// escaped reports whether a string of the body is written with escapes.
func (p *plainness) escaped(v *jsontree.Value) bool {
	if v.Mark == 0 || int(v.Mark) >= len(p.body) {
		return false
	}
	text := p.body[v.Mark:] // behind the quote
	at := bytes.IndexAny(text, `"\\`)
	return at >= 0 && text[at] == '\\'
}
