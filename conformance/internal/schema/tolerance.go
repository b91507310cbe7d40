package schema

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// tolerate removes the violations that some readers do not see, and gives each as a
// reason why the value may be refused.
func (r *Reading) tolerate(s *Shape) {
	r.Violations = slices.DeleteFunc(r.Violations, func(v Violation) bool {
		why := s.unseen(v, r.Document.Root.At(v.Pointer))
		if why != "" {
			r.mayRefuse(v.Path, why)
		}
		return why != ""
	})
}

// tinyFraction is a reason: interoperability goes no further than doubles (RFC 8259,
// section 6).
const tinyFraction = "fraction too small for a double"

// asDouble tolerates all violations if a reader of doubles sees none: it reads a number
// whose fraction is too small as a whole one. Unlike tolerate, it also covers the keywords
// around a number, such as oneOf, contains and not.
func (s *Shape) asDouble(r *Reading) {
	if s.Direction == Answers {
		return
	}
	s.tolerateChanged(r, tinyFraction, func(_ string, v *jsontree.Value) bool {
		lost := v.Kind == jsontree.Number && jsontree.FractionLost(v.Text)
		if lost {
			v.Text = jsontree.Rounded(v.Text)
		}
		return lost
	})
}

// trimmed tolerates all violations if there are none without the white space around texts that have a
// format: many servers remove it before they look at the text.
func (s *Shape) trimmed(r *Reading) {
	if s.Direction == Answers {
		return
	}
	s.tolerateChanged(r, "white space around a text with a format", func(pointer string, v *jsontree.Value) bool {
		inFormat := slices.ContainsFunc(r.Violations, func(one Violation) bool { return one.Keyword == "format" && one.Pointer == pointer })
		short := strings.TrimSpace(v.Text)
		if !inFormat || v.Kind != jsontree.String || short == v.Text {
			return false
		}
		v.Text = short
		return true
	})
}

// tolerateChanged tolerates all violations if there are none after some values were changed, and
// gives why as the reason. Change reports whether it changed a value.
func (s *Shape) tolerateChanged(r *Reading, why string, change func(pointer string, v *jsontree.Value) bool) {
	if len(r.Violations) == 0 {
		return
	}
	other, changed := r.Document.Root.Clone(), false
	other.Walk(func(pointer string, v *jsontree.Value) { changed = change(pointer, v) || changed })
	if !changed {
		return
	}
	if open, _, err := decide(s.exact, other.NativeTo(schemaDepth)); open == "" && err == nil {
		r.Violations = nil
		r.mayRefuse("", why)
	}
}

// unseen returns why some readers do not see the violation of a value, or an empty
// string.
func (s *Shape) unseen(v Violation, value *jsontree.Value) string {
	switch {
	case value == nil:
	case value.Kind == jsontree.Null:
		if s.mayNull(v.Pointer) {
			return unclearNull
		}
	case v.rest && inherited(v.Pointer):
		return "a name that every object of JavaScript has"
	case s.Direction == Answers: // the others are about requests
	case v.spaced:
		return "a listed text with white space around it"
	case value.Kind == jsontree.String && v.Keyword == "format" && loose(v.format, value.Text):
		return "a spelling that some readers take"
	case value.Kind == jsontree.String && v.pattern != "" && matchesWide(v.pattern, value.Text):
		return "a character that \\d, \\w or \\s is in some languages"
	case value.Kind == jsontree.Number && v.Keyword == "type" && jsontree.FractionLost(value.Text):
		return tinyFraction
	case value.Kind == jsontree.Number && v.Keyword == "format" && roundsInto(v.format, value.Text):
		return "a number that a double rounds into the range"
	}
	return ""
}

// inherited reports whether the last name of a pointer is one that every object of JavaScript has. A
// validator that keeps the names of evaluated members in an object finds it there.
func inherited(pointer string) bool {
	return slices.Contains([]string{"__proto__", "constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf",
		"propertyIsEnumerable", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"}, pointer[strings.LastIndexByte(pointer, '/')+1:])
}

// matchesWide reports whether a text matches a pattern whose \d, \w and \s are those of Unicode,
// as in Python, Rust and .NET. JSON Schema warns of such escapes (2020-12 Core, 6.4).
func matchesWide(text, value string) bool {
	ascii := strings.IndexFunc(value, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	if ascii || !strings.Contains(text, `\`) {
		return false
	}
	p, err := pattern.CompileWide(text)
	return err == nil && p.Match(value) == pattern.Yes
}

// roundsInto reports whether a reader that takes numbers with a fraction or an exponent for
// doubles reads one as a value inside the range of a format.
func roundsInto(name, text string) bool {
	f := findFormat(name)
	if f == nil || f.low == "" || !strings.ContainsAny(text, ".eE") {
		return false
	}
	double, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false // out of the range of doubles too
	}
	whole, _ := big.NewFloat(double).Int(nil)
	low, high := f.within()
	return whole.Cmp(low) >= 0 && whole.Cmp(high) <= 0
}

// tolerateReasons removes the violations at the places of the reasons why a text may be read
// otherwise, and above and below them: another reading may be valid. If none is left,
// the value may be refused.
func (r *Reading) tolerateReasons(reasons []Reason) {
	if r.Kind != Invalid || len(reasons) == 0 {
		return
	}
	r.Violations = slices.DeleteFunc(r.Violations, func(v Violation) bool {
		place := v.Path
		if v.Name != "" {
			place += "/" + jsontree.EscapePointer(v.Name)
		}
		return slices.ContainsFunc(reasons, func(why Reason) bool { return inside(place, why.Path) || inside(why.Path, place) })
	})
	if len(r.Violations) == 0 {
		r.Kind = MayRefuse
	}
}

// inside reports whether a path is another one or below it.
func inside(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '/')
}

// unclearNull is the reason of a null that a nullable may or may not allow.
const unclearNull = "null where nullable is unclear"

// openNull returns the first of the schemas of a place that leaves null open; nil for none.
func openNull(s *Schema, way []string, depth int) *Schema {
	if s == nil || depth > mustAcceptDepth*4 {
		return nil
	}
	if len(way) == 0 && s.MayNull {
		return s
	}
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		if found := openNull(one, way, depth+1); found != nil {
			return found
		}
	}
	if len(way) == 0 {
		return nil
	}
	name, _ := jsontree.UnescapePointer(way[0])
	if p := s.Property(name); p != nil {
		return openNull(p.Schema, way[1:], depth+1)
	}
	return cmp.Or(openNull(s.Items, way[1:], depth+1), openNull(s.Extra, way[1:], depth+1))
}

// mayNull reports whether null at a place is left open, or may be: the walk did not come
// there, and the document leaves some nulls open.
func (s *Shape) mayNull(pointer string) bool {
	way := strings.Split(pointer, "/")[1:]
	return openNull(s.Schema, way, 0) != nil || s.Cut != "" && s.document.openNulls > 0 && !leads(s.Schema, way, 0)
}

// leads reports whether the walk came to a place.
func leads(s *Schema, way []string, depth int) bool {
	if s == nil || depth > mustAcceptDepth*4 {
		return false
	}
	if len(way) == 0 {
		return !s.Recursive
	}
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		if leads(one, way, depth+1) {
			return true
		}
	}
	name, _ := jsontree.UnescapePointer(way[0])
	if p := s.Property(name); p != nil {
		return leads(p.Schema, way[1:], depth+1)
	}
	return leads(s.Items, way[1:], depth+1) || leads(s.Extra, way[1:], depth+1)
}

// withoutNulls tolerates all violations if none is left when every null that is left open gets
// another value. A keyword around such a null, such as anyOf, does not say that the null is why.
func (s *Shape) withoutNulls(r *Reading) {
	s.tolerateChanged(r, unclearNull, func(pointer string, v *jsontree.Value) bool {
		if v.Kind != jsontree.Null {
			return false
		}
		open := openNull(s.Schema, strings.Split(pointer, "/")[1:], 0)
		if open != nil {
			*v = *standIn(open, 0)
		}
		return open != nil
	})
}

// standIn returns a value of a schema other than null, as far as that is easily found.
func standIn(s *Schema, depth int) *jsontree.Value {
	switch {
	case s == nil || depth > mustAcceptDepth:
		return jsontree.NewString("")
	case s.Const != nil:
		return s.Const.Clone()
	case len(s.Enum) > 0:
		return s.Enum[0].Clone()
	case s.Default != nil && s.Default.Kind != jsontree.Null:
		return s.Default.Clone()
	case len(s.OneOf) > 0 && len(s.Properties) == 0:
		return standIn(s.OneOf[0], depth+1)
	case len(s.AnyOf) > 0 && len(s.Properties) == 0:
		return standIn(s.AnyOf[0], depth+1)
	}
	switch s.Type() {
	case "boolean":
		return jsontree.NewBool(false)
	case "integer", "number":
		return jsontree.NewNumber(cmp.Or(s.Minimum, s.Maximum, "1"))
	case "array":
		v := jsontree.NewArray()
		for s.MinItems != nil && len(v.Items) < min(*s.MinItems, mustAcceptDepth) {
			v.Items = append(v.Items, standIn(s.Item(len(v.Items)), depth+1))
		}
		return v
	case "string":
		length := 0
		if s.MinLength != nil {
			length = min(*s.MinLength, 1<<10)
		}
		return jsontree.NewString(strings.Repeat("x", length))
	}
	v := jsontree.NewObject()
	for _, p := range s.Properties {
		if p.Required {
			v.Set(p.Name, standIn(p.Schema, depth+1))
		}
	}
	return v
}
