package openapi

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// forgive removes the violations that some readers do not see, and gives each as a
// reason why the value may be refused.
func (r *Reading) forgive(s *Shape) {
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

// asDouble forgives all violations if a reader of doubles sees none: it reads a number
// whose fraction is too small as a whole one. Unlike forgive, it also covers the keywords
// around a number, such as oneOf, contains and not.
func (s *Shape) asDouble(r *Reading) {
	if s.Direction == Answers {
		return
	}
	s.forgiveChanged(r, tinyFraction, func(_ string, v *jsontree.Value) bool {
		lost := v.Kind == jsontree.Number && jsontree.FractionLost(v.Text)
		if lost {
			v.Text = jsontree.Rounded(v.Text)
		}
		return lost
	})
}

// trimmed forgives all violations if there are none without the white space around texts that have a
// format: many servers remove it before they look at the text.
func (s *Shape) trimmed(r *Reading) {
	if s.Direction == Answers {
		return
	}
	s.forgiveChanged(r, "white space around a text with a format", func(pointer string, v *jsontree.Value) bool {
		inFormat := slices.ContainsFunc(r.Violations, func(one Violation) bool { return one.Keyword == "format" && one.Pointer == pointer })
		short := strings.TrimSpace(v.Text)
		if !inFormat || v.Kind != jsontree.String || short == v.Text {
			return false
		}
		v.Text = short
		return true
	})
}

// forgiveChanged forgives all violations if there are none after some values were changed, and
// gives why as the reason. Change reports whether it changed a value.
func (s *Shape) forgiveChanged(r *Reading, why string, change func(pointer string, v *jsontree.Value) bool) {
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
