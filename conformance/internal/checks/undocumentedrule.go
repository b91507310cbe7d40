package checks

import (
	"cmp"
	"fmt"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// undocumentedRule: a valid request is accepted, whatever values it has.
var undocumentedRule = rule.Rule{
	Name:        "undocumented-rule",
	Rank:        rule.Class,
	Role:        rule.RoleOpen,
	Doc:         "A must-accept request is a success, although the document does not list its values. It fails only where the refusal has a documented status and may be due to such values (Input.Open); any other refusal is for the rules about acceptance.",
	Explanation: "A valid request succeeds, whatever its values are. If the server refuses values that the document does not list, with a status that the document lists, it may have a rule that no schema states: a name that must exist, a filter with a syntax of its own. With \"valid: accepted\" in the requirements file, every such refusal is a failure.",
	Fix:         "State the rule in the document, as a pattern, an enum, a bound or a format, or accept the value.",
	Check: func(p *rule.Input) rule.Outcome {
		switch {
		case p.Sent.Expectation() != message.Accept || p.Got == nil:
			return rule.None
		case p.Got.Accepts():
			return rule.Passed
		case len(p.Open) == 0:
			return rule.None
		}
		out := rule.Failed(signature(p), "a success, or a rule in the document about "+strings.Join(p.Open, ", "), strings.TrimSpace(fmt.Sprintf("%d %s", p.Got.Status, words(p))))
		out.Members = strings.Join(p.Open, "\n")
		return out
	},
}

// wording are the members in which servers say why they refuse a request: those of RFC 9457, 3.1, and
// usual ones.
var wording = []string{"message", "detail", "error_description", "error", "title", "errors"}

// wordsLength bounds them, in bytes.
const wordsLength = 200

// words returns what the body of an answer says: the text of such a member, or its first line.
func words(p *rule.Input) string {
	if p.Exchange.Response == nil {
		return ""
	}
	content := p.Exchange.Response.Content
	text := ""
	if doc, err := jsontree.Parse(content); err == nil {
		text = wordsIn(doc.Root, 3)
	}
	if text == "" {
		text, _, _ = strings.Cut(strings.TrimSpace(string(content)), "\n")
	}
	return p.Shorten(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "), wordsLength)
}

func wordsIn(v *jsontree.Value, depth int) string {
	switch {
	case v == nil || depth < 0:
		return ""
	case v.Kind == jsontree.String:
		return v.Text
	case v.Kind == jsontree.Array && len(v.Items) > 0:
		return wordsIn(v.Items[0], depth-1)
	}
	text := ""
	for _, name := range wording {
		text = cmp.Or(text, wordsIn(v.Get(name), depth-1))
	}
	return text
}
