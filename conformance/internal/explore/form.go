package explore

import (
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// ResponseForm is what the refusals of repeats have in common: the body of one of
// them, without the values of its request and without what changes from answer to
// answer. Another refusal of this form may be the refusal of a repeat too.
type ResponseForm struct {
	json   bool
	fields map[string]*regexp.Regexp // by JSON pointer
}

// volatile matches the words of a message that change from answer to answer:
// request numbers, times and hashes. A number may be negative.
var volatile = regexp.MustCompile(`-?[0-9a-fA-F]*[0-9][0-9a-fA-F-]*|\*+`)

// Parts of a refusal above these bounds are not compared: a target may send any
// amount, and each text becomes a regular expression of that length.
const (
	formFields = 64
	formText   = 2 << 10
)

// anything matches a text that is not compared.
var anything = regexp.MustCompile("")

// FormOf returns the form of the refusal of a repeat.
func FormOf(op *openapi.Operation, s *message.Sent, g *rule.Answer) ResponseForm {
	root := bodyOf(g)
	l := ResponseForm{json: root != nil, fields: map[string]*regexp.Regexp{}}
	if root == nil {
		return l
	}
	var values []string
	if s.Body != nil {
		for _, m := range message.Values(op, s.Body.Root()) {
			values = append(values, m.Value.Text)
		}
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	root.Walk(func(pointer string, v *jsontree.Value) {
		if v.Kind != jsontree.String && v.Kind != jsontree.Number || len(l.fields) >= formFields {
			return
		}
		if len(v.Text) > formText {
			l.fields[pointer] = anything
			return
		}
		text := v.Text
		for _, value := range values {
			if len(value) > 2 {
				text = strings.ReplaceAll(text, value, "*")
			}
		}
		var pattern strings.Builder
		from := 0
		for _, at := range volatile.FindAllStringIndex(text, -1) {
			pattern.WriteString(regexp.QuoteMeta(text[from:at[0]]) + `.*`)
			from = at[1]
		}
		l.fields[pointer] = regexp.MustCompile(`(?s)^` + pattern.String() + regexp.QuoteMeta(text[from:]) + `$`)
	})
	return l
}

// Fits reports whether a refusal has this form.
func (l ResponseForm) Fits(g *rule.Answer) bool {
	root := bodyOf(g)
	if root == nil || !l.json {
		return (root != nil) == l.json
	}
	same, n := true, 0
	root.Walk(func(pointer string, v *jsontree.Value) {
		if v.Kind != jsontree.String && v.Kind != jsontree.Number {
			return
		}
		if n++; n > formFields {
			return
		}
		re := l.fields[pointer]
		same = same && re != nil && (re == anything || len(v.Text) <= 2*formText && re.MatchString(v.Text))
	})
	return same && min(n, formFields) == len(l.fields)
}

func bodyOf(g *rule.Answer) *jsontree.Value {
	if g == nil {
		return nil
	}
	return g.Reading.Root()
}

// LooksRepeated reports whether an answer looks like the refusal of a repeat, for a
// value that an earlier request may have sent. A fresh value has no earlier
// request.
func (o *OpFacts) LooksRepeated(g *rule.Answer, s *message.Sent, id generate.Identity) bool {
	for _, r := range o.Repeats {
		v := s.Body.Root().At(r.Path)
		fresh := v != nil && (v.Kind == jsontree.Number && id.Owns(v.Text) || v.Kind == jsontree.String && generate.IsFresh(v.Text))
		if r.Status == g.Status && !fresh && r.form.Fits(g) {
			return true
		}
	}
	return false
}
