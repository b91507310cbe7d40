package checks

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// shownValue is how much of a value of an answer a sentence shows, in bytes.
const shownValue = 80

// wrong returns the outcome with the place of what is wrong in the answer and the value there,
// which is nil if nothing is there.
func wrong(p *requirement.Input, o requirement.Outcome, at string, v *jsontree.Value) requirement.Outcome {
	o.Found, o.At = true, at
	if v != nil {
		o.Value = p.Shorten(v.String(), shownValue)
	}
	return o
}

// inResource returns the outcome with the place of a member of the resource that an answer is about, if
// it stands in the answer or in a member of it.
func inResource(p *requirement.Input, res *jsontree.Value, name string, o requirement.Outcome) requirement.Outcome {
	if root := p.Got.Reading.Root(); res != root {
		for _, m := range root.Members {
			if m.Value == res {
				return wrong(p, o, "/"+jsontree.EscapePointer(m.Name)+"/"+jsontree.EscapePointer(name), res.Get(name))
			}
		}
		return o
	}
	return wrong(p, o, "/"+jsontree.EscapePointer(name), res.Get(name))
}

// isAt says what stands at a place: "/3/base_url is null". A place without a value is missing.
func isAt(o requirement.Outcome) string {
	at := o.At
	if at == "" {
		at = "the body"
	}
	if o.Value == "" {
		return "no " + at
	}
	return at + " is " + o.Value
}

// allowed is the sentence of a requirement about an answer, with what the document allows there: the
// sentence about a list of values, or about a bound, does not name them.
func allowed(p *requirement.Input, key schema.Key) string {
	sentence, s := p.Requirement.Sentence, p.Got.Form.Shape.Schema.At(key.Path)
	if s == nil {
		return sentence
	}
	text := map[string]string{"minimum": s.Minimum, "maximum": s.Maximum, "exclusiveMinimum": s.Above, "exclusiveMaximum": s.Below, "multipleOf": s.Multiple, "format": s.Format, "pattern": s.Pattern}[key.Keyword]
	switch {
	case key.Keyword == "enum":
		var list []string
		for _, v := range s.Enum {
			list = append(list, v.String())
		}
		text = strings.Join(list, ", ")
	case key.Keyword == "const" && s.Const != nil:
		text = s.Const.String()
	}
	if text == "" {
		return sentence
	}
	return strings.TrimSuffix(sentence, ".") + ": " + jsontree.Cut(text, 2*shownValue)
}
