package judge

import (
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// likeness is what the refusals of repeats have in common: the body of one of
// them, with the values of its request and what differs from answer to answer
// left open. Another refusal that fits may be of a repeat too.
type likeness struct {
	json   bool
	fields map[string]*regexp.Regexp // by JSON pointer
}

// volatile are the words of a message that differ from answer to answer: request
// numbers, times, hashes, which may be negative.
var volatile = regexp.MustCompile(`-?[0-9a-fA-F]*[0-9][0-9a-fA-F-]*|\*+`)

// Of a refusal that is larger, the rest is not compared: a target may send any
// amount, and every text compared becomes an expression as long.
const (
	likenessFields = 64
	likenessText   = 2 << 10
)

// anything stands for a text that is not compared.
var anything = regexp.MustCompile("")

// likenessOf learns from the refusal of a repeat.
func likenessOf(op *contract.Operation, s *request.Sent, g *rule.Got) likeness {
	root := bodyOf(g)
	l := likeness{json: root != nil, fields: map[string]*regexp.Regexp{}}
	if root == nil {
		return l
	}
	var values []string
	if s.Body != nil {
		for _, m := range request.Values(op, s.Body.Root()) {
			values = append(values, m.Value.Text)
		}
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	root.Walk(func(pointer string, v *jsontree.Value) {
		if v.Kind != jsontree.String && v.Kind != jsontree.Number || len(l.fields) >= likenessFields {
			return
		}
		if len(v.Text) > likenessText {
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

// fits tells whether a refusal may be of the same kind.
func (l likeness) fits(g *rule.Got) bool {
	root := bodyOf(g)
	if root == nil || !l.json {
		return (root != nil) == l.json
	}
	same, n := true, 0
	root.Walk(func(pointer string, v *jsontree.Value) {
		if v.Kind != jsontree.String && v.Kind != jsontree.Number {
			return
		}
		if n++; n > likenessFields {
			return
		}
		re := l.fields[pointer]
		same = same && re != nil && (re == anything || len(v.Text) <= 2*likenessText && re.MatchString(v.Text))
	})
	return same && min(n, likenessFields) == len(l.fields)
}

func bodyOf(g *rule.Got) *jsontree.Value {
	if g == nil {
		return nil
	}
	return g.Reading.Root()
}
