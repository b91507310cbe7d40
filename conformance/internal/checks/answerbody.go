package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// answerForm: a body that is not JSON is what its media type says.
var answerForm = requirement.Rule{
	Name:        "answer-form",
	Rank:        requirement.JSON,
	Category:    report.Answer,
	Means:       "the answer is not what its media type says",
	Doc:         "The body of an answer that is a text or a form can be read: a text is in the charset that the content type names, a form has its parts or pairs, XML is well-formed. What readers read in different ways is not judged.",
	Explanation: "The response body can be read as its media type says: a text is in the stated charset, a form has its parts or pairs, XML is well-formed.",
	Fix:         "State the charset that the text is written in, best UTF-8, and let a library write forms and XML.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !judged(p) || !p.Got.NotJSON || p.Got.Reading == nil || inPart(p) {
			return requirement.None
		}
		if p.Got.Reading.Kind == schema.NotJSON {
			return requirement.Failed("form", "a body of "+p.Got.Media, p.Got.Reading.Syntax.Error())
		}
		return requirement.Passed
	},
}

// answerJSON: the body of an answer is a JSON text in UTF-8.
var answerJSON = requirement.Rule{
	Name:        "answer-json",
	Rank:        requirement.JSON,
	Category:    report.Answer,
	Means:       "the answer is not JSON in UTF-8",
	Doc:         "The body of the answer is one JSON text in UTF-8 without a byte order mark. What the request contained may come back: lone surrogates, depth.",
	Explanation: "The response body is one JSON text in UTF-8 without a byte order mark. What the request itself contained may come back, such as lone surrogates.",
	Fix:         "Let a JSON library write the whole body, in UTF-8, with nothing before or after the value.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !judged(p) || p.Got.Form == nil || p.Got.Form.Shape == nil || p.Got.NotJSON || p.Op.Method == "HEAD" || inPart(p) {
			return requirement.None
		}
		const want = "a JSON text in UTF-8"
		r := p.Exchange.Response
		if r.ContentErr != nil {
			return requirement.None
		}
		if p.Got.Reading.Kind == schema.NotJSON {
			if len(r.Content) == 0 {
				return requirement.Failed("empty", want, "an empty body")
			}
			return requirement.Failed("syntax", want, p.Got.Reading.Syntax.Error())
		}
		d := p.Got.Reading.Document
		switch {
		case d == nil:
			return requirement.Passed
		case d.Has(jsontree.ByteOrderMark):
			return requirement.Failed("bom", want, "a byte order mark")
		case d.Has(jsontree.InvalidUTF8) && !sentIssue(p, jsontree.InvalidUTF8):
			return requirement.Failed("utf-8", want, "invalid UTF-8")
		}
		return requirement.Passed
	},
}

// uniqueNames: no object of an answer has two members of the same name.
var uniqueNames = requirement.Rule{
	Name:        "unique-names",
	Rank:        requirement.Advice,
	Category:    report.Answer,
	Means:       "the answer repeats a member name",
	Doc:         "Member names within an object of an answer are unique.",
	Explanation: "No object in a response contains the same member name twice.",
	Fix:         "Build the answer from one object. Parsers differ in which duplicate they use (RFC 8259, 4).",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		return s.Should("RFC 8259, 4", "No object in an answer has the same member name twice.").As("json-unique-names")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Got == nil || p.Got.Reading == nil || p.Got.Reading.Document == nil {
			return requirement.None
		}
		if p.Got.Reading.Document.Has(jsontree.DuplicateName) && !sentIssue(p, jsontree.DuplicateName) {
			return requirement.Failed("duplicate", "unique member names", "a duplicate name")
		}
		return requirement.Passed
	},
}

// mediaType: the media type of an answer is documented.
var mediaType = requirement.Rule{
	Name:        "media-type",
	Rank:        requirement.MediaType,
	Category:    report.Answer,
	Means:       "the answer has a media type that is not documented",
	OnePlace:    true,
	Doc:         "The answer has one of the documented media types. Case and parameters do not matter (RFC 8259, 11: a charset parameter has no effect).",
	Explanation: "The response has one of the documented media types. Case and parameters do not matter.",
	Fix:         "Set the documented Content-Type on this answer, and on errors too.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !judged(p) {
			return requirement.None
		}
		if p.Op.Method == "HEAD" && p.Got.Media == "" {
			return requirement.None // it may be left out (RFC 9110, 9.3.2)
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
			return requirement.Failed(p.Got.Media, want, signature(p)+" with "+got)
		}
		return requirement.Passed
	},
}

// answerSchema: the answer keeps one keyword at one place.
var answerSchema = requirement.Rule{
	Name:        "answer-schema",
	Tells:       report.TellsAnswer,
	Rank:        requirement.Schema,
	Category:    report.Answer,
	Means:       "the answer breaks its schema",
	OnePlace:    true,
	Doc:         "The body of the answer keeps the keyword of Key at its place, by the exact judge, or with Beyond all others. Members that the schema does not name are allowed. If a pattern cannot be decided, nothing is judged.",
	Explanation: "The response body satisfies this keyword of the documented schema. Additional members are allowed unless the schema forbids them.",
	Fix:         "Write this member with the documented type, and never omit a required one. null is not a string, and a number in quotes is not a number.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !judged(p) || inPart(p) || p.Got.Reading == nil || p.Got.Form == nil || p.Got.Reading.Root() == nil ||
			p.Got.Reading.Kind == schema.Undecided {
			return requirement.None
		}
		key := p.Requirement.Args.Key
		if keys := p.Requirement.Args.Beyond; keys != nil {
			v := p.Got.Reading.Beyond(keys)
			if v == nil {
				return requirement.Passed
			}
			out := wrong(p, requirement.Failed(v.Keyword+" "+v.Path, p.Requirement.Sentence, ""), v.At(), p.Got.Reading.Root().At(v.At()))
			out.Got = isAt(out) + ", which breaks " + v.Keyword + ", in " + describe(p)
			return out
		}
		if !p.Got.Reading.Violates(key) {
			if !hasItem(p.Got.Reading.Root(), key.Path) {
				return requirement.None // an empty list keeps everything that is said of its items
			}
			return requirement.Passed
		}
		// The signature is the kind of the wrong value: the value itself would make
		// each answer a failure of its own.
		v, way := p.Got.Reading.First(key), "missing"
		value := p.Got.Reading.Root().At(v.At())
		if value != nil {
			way = value.Kind.String()
		}
		out := requirement.Failed(key.Keyword+" "+way, allowed(p, key), "")
		if v.NearKeyword != "" {
			out = wrong(p, out, v.Near, p.Got.Reading.Root().At(v.Near))
			out.Got = isAt(out) + ", which breaks " + v.NearKeyword + " of the alternative that fits best, in " + describe(p)
			return out
		}
		out = wrong(p, out, v.At(), value)
		out.Got = isAt(out) + " in " + describe(p)
		return out
	},
}

// hasItem reports whether a value has all the items that a path leads through. "*" stands
// for any item, and for any member that the schema does not name.
func hasItem(v *jsontree.Value, path string) bool {
	before, rest, found := strings.Cut(path, "/*")
	if !found {
		return true
	}
	list := v.At(before)
	if list == nil {
		return false
	}
	for _, item := range list.Items {
		if hasItem(item, rest) {
			return true
		}
	}
	return slices.ContainsFunc(list.Members, func(m jsontree.Member) bool { return hasItem(m.Value, rest) })
}

// defaultApplied: what a request leaves out has its default.
var defaultApplied = requirement.Rule{
	Name:        "default-applied",
	Rank:        requirement.Advice,
	Category:    report.Answer,
	Means:       "a documented default is not applied",
	Doc:         "The success of a valid POST that leaves out optional members with a default has the default for each that the answer has. A member that the answer does not have is not judged.",
	Explanation: "A request that leaves out a member is answered as if it had the default of that member.",
	Fix:         "Set the default of the document where the request has no value, not that of the language or the database.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Op.Method != "POST" || !p.Got.Success() || p.Sent.Body == nil || p.Sent.Body.Kind >= schema.Invalid {
			return requirement.None
		}
		sent, came := p.Sent.Body.Root(), p.Got.Reading.Root()
		if sent == nil || came == nil || sent.Kind != jsontree.Object {
			return requirement.None
		}
		out := requirement.None
		for _, m := range p.Op.Defaulted() {
			v := came.Get(m.Name)
			if v == nil || sent.Get(m.Name) != nil {
				continue
			}
			if !jsontree.Equal(v, m.Schema.Default) {
				return requirement.Failed("no default", fmt.Sprintf("%s = %s, which is its default", m.Path, m.Schema.Default), fmt.Sprintf("%s = %s", m.Path, p.Shorten(v.String(), 200)))
			}
			out = requirement.Passed
		}
		return out
	},
}

// describe describes an answer: status, media type, and what its body is.
func describe(p *requirement.Input) string {
	switch failure := p.Exchange.Failure; {
	case p.Got != nil:
		return p.Got.String()
	case failure != nil:
		return failure.Error()
	}
	return "no answer"
}

// signature returns the part of an answer that is the same for one way of failing.
func signature(p *requirement.Input) string {
	if p.Got == nil {
		return "none"
	}
	return fmt.Sprint(p.Got.Status)
}

// expectation describes what the server has to do with the request.
func expectation(p *requirement.Input) string {
	switch p.Sent.Expectation() {
	case message.Accept:
		return statuses(p.Op.Successes(), "a success")
	case message.Refuse, message.RefuseNotJSON:
		return refusals(p.Op)
	case message.Either:
		return statuses(p.Op.Successes(), "a success") + " or " + refusals(p.Op)
	case message.RefuseCredential, message.RefuseAnyhow:
		return "a client error (4xx)"
	}
	return "a success or a client error"
}

// refusals lists the documented refusals of bad input. Where none can mean that, any is one.
func refusals(op *openapi.Operation) string {
	list := op.Documented(4)
	if !slices.ContainsFunc(list, (*openapi.Response).BadInput) {
		list = nil
	}
	return statuses(list, "a client error")
}

// statuses lists documented answers. Those that follow each other and have the same schema
// are named together.
func statuses(list []*openapi.Response, otherwise string) string {
	var groups []string
	for len(list) > 0 {
		phrase, n := phraseOf(list[0]), 1
		group := []string{list[0].Status}
		for ; n < len(list) && phrase != "" && phraseOf(list[n]) == phrase; n++ {
			group = append(group, list[n].Status)
		}
		text := either(group)
		if phrase != "" {
			text += " with " + phrase
		}
		groups, list = append(groups, text), list[n:]
	}
	return cmp.Or(strings.Join(groups, " or "), otherwise)
}

// phraseOf names the schema of an answer; it is empty if that has no name.
func phraseOf(r *openapi.Response) string {
	if len(r.Media) == 0 || r.Media[0].Shape == nil {
		return ""
	}
	return r.Media[0].Shape.Schema.Phrase()
}

// either joins words: 400, 401 or 422.
func either(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// expected returns a pass, or a failure that says what the server has to do.
func expected(ok bool, p *requirement.Input) requirement.Outcome {
	if ok {
		return requirement.Passed
	}
	return verdictOf(false, p, expectation(p))
}

// verdictOf returns a pass, or a failure with a description of what was wanted.
func verdictOf(ok bool, p *requirement.Input, want string) requirement.Outcome {
	if ok {
		return requirement.Passed
	}
	return requirement.Failed(signature(p), want, describe(p))
}
