package rules

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// judged tells whether the body of this answer is the row's to judge: its status
// is the row's, and nobody below the application may have written it.
func judged(p *rule.Pass) bool {
	g := p.Got
	if g == nil || g.Documented == nil || !contains(p.Requirement.Args.Statuses, g.Documented.Status) {
		return false
	}
	if g.Success() {
		return true
	}
	return p.Sent.Duty() != request.Anything && !p.Sent.CredentialTransport && len(p.Sent.Transport) == 0
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// mediaType: the documented one.
var mediaType = rule.Rule{
	Name: "media-type",
	Rank: rule.MediaType,
	Doc:  "The answer carries one of the documented media types; case and parameters are free (RFC 8259, 11: a charset parameter has no effect).",
	Mend: "set Content-Type: application/json on this answer, errors too",
	Check: func(p *rule.Pass) rule.Outcome {
		if !judged(p) {
			return rule.None
		}
		want := ""
		for i, m := range p.Got.Documented.Media {
			if i > 0 {
				want += " or "
			}
			want += m.Type
		}
		if p.Got.Form == nil {
			got := p.Got.Media
			if got == "" {
				got = "no media type"
			}
			return rule.Failed(p.Got.Media, want, signature(p)+" with "+got)
		}
		return rule.Passed
	},
}

// answerJSON: a JSON text in UTF-8.
var answerJSON = rule.Rule{
	Name: "answer-json",
	Rank: rule.JSON,
	Doc:  "The body of the answer is one JSON text in UTF-8 without a byte order mark. What the request contained may come back: lone surrogates, depth.",
	Mend: "let a JSON library write the whole body; write UTF-8 and nothing before or behind the value",
	Check: func(p *rule.Pass) rule.Outcome {
		if !judged(p) || p.Got.Form == nil || p.Got.Form.Shape == nil {
			return rule.None
		}
		const want = "a JSON text in UTF-8"
		r := p.Exchange.Response
		if r.ContentErr != nil {
			return rule.None
		}
		if p.Got.Reading.Kind == contract.NotJSON {
			if len(r.Content) == 0 {
				return rule.Failed("empty", want, "an empty body")
			}
			return rule.Failed("syntax", want, p.Got.Reading.Syntax.Error())
		}
		d := p.Got.Reading.Document
		switch {
		case d == nil:
			return rule.Passed
		case d.Has(jsontree.ByteOrderMark):
			return rule.Failed("bom", want, "a byte order mark")
		case d.Has(jsontree.InvalidUTF8) && !sentIssue(p, jsontree.InvalidUTF8):
			return rule.Failed("utf-8", want, "invalid UTF-8")
		}
		return rule.Passed
	},
}

// sentIssue tells whether the request itself had the issue.
func sentIssue(p *rule.Pass, k jsontree.IssueKind) bool {
	return p.Sent.Body != nil && (p.Sent.Body.Document.Has(k) || p.Sent.Body.Kind == contract.NotJSON)
}

// answerSchema: one keyword at one place of the answer.
var answerSchema = rule.Rule{
	Name: "answer-schema",
	Rank: rule.Schema,
	Doc:  "The body of the answer keeps the keyword of Key at its place, by the exact judge. Members beyond the schema are free. Where a pattern cannot be decided, the answer is neither.",
	Mend: "write this member with the documented type and never leave out a required one; null is no string, a number in quotes is no number",
	Check: func(p *rule.Pass) rule.Outcome {
		if !judged(p) || p.Got.Reading == nil || p.Got.Form == nil || p.Got.Reading.Root() == nil ||
			p.Got.Reading.Kind == contract.Undecided {
			return rule.None
		}
		key := p.Requirement.Args.Key
		if !p.Got.Reading.Violates(key) {
			return rule.Passed
		}
		// The kind is the way in which it fails; values would make each answer one.
		got, way := "missing", "missing"
		for _, v := range p.Got.Reading.Violations {
			if v.Keyword == key.Keyword && v.Name == key.Name && key.Keyword != "required" {
				way = p.Got.Reading.Root().At(v.Pointer).Kind.String()
				got = way
				if t := p.Got.Reading.Root().At(v.Pointer); t.Kind == jsontree.Number || t.Kind == jsontree.Bool {
					got = t.String()
				}
			}
		}
		return rule.Failed(key.Keyword+" "+way, p.Requirement.Sentence, got+" in "+describe(p))
	},
}

// uniqueNames: names within an object.
var uniqueNames = rule.Rule{
	Name: "unique-names",
	Rank: rule.Advice,
	Doc:  "Member names within an object of an answer are unique.",
	Mend: "build the answer from one object; readers differ in which duplicate they take (RFC 8259, 4)",
	Check: func(p *rule.Pass) rule.Outcome {
		if p.Got == nil || p.Got.Reading == nil || p.Got.Reading.Document == nil {
			return rule.None
		}
		if p.Got.Reading.Document.Has(jsontree.DuplicateName) && !sentIssue(p, jsontree.DuplicateName) {
			return rule.Failed("duplicate", "unique member names", "a name twice")
		}
		return rule.Passed
	},
}
