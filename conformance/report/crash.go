package report

import (
	"cmp"
	"slices"
	"strings"
)

// Anywhere stands for all places of a request.
const Anywhere = "anywhere"

// manyKinds is how many kinds of wrong values it takes to say that an operation fails to refuse any.
const manyKinds = 3

// crashesInstead returns the keys of places, each of one operation, at which wrong values of many kinds
// end in one form of crash, and none is refused: the code that should refuse them is broken.
func (m *merger) crashesInstead() map[string]bool {
	kinds := map[string]map[string]bool{}
	for _, f := range m.list {
		for _, at := range f.flaw().Unrefused {
			meets(kinds, unrefusedAt(f, at), f.flaw().Kind)
		}
	}
	out := map[string]bool{}
	for key, seen := range kinds {
		out[key] = len(seen) >= manyKinds
	}
	return out
}

func unrefusedAt(f *failing, at string) string {
	return strings.Join([]string{"unrefused", f.result.Operation, at, formOf(f.flaw())}, "|")
}

// crash says what ends in a server error, or without an answer.
func crash(x *Flaw, types map[string]bool) string {
	_, request, _ := strings.Cut(x.Kind, "/")
	if request == "long-field" && len(types) > 1 {
		return effect(x) + " if a header field is long"
	}
	return effect(x) + condition(request, x)
}

// effect says what a crash looks like to the client.
func effect(x *Flaw) string {
	switch form := formOf(x); form {
	case "timeout", "timed out", "no answer":
		return "there is no answer in time (--timeout)"
	case "unreachable":
		return "the target stops answering"
	case "dropped", "closed", "reset":
		return "the connection is dropped"
	default:
		if form == "" || form[0] < '0' || form[0] > '9' {
			return "there is no answer (" + form + ")"
		}
		return "the answer is " + form
	}
}

// unrefused names the part of a request at which no wrong value was refused, if all crashes of a group
// are about it; empty otherwise.
func unrefused(group []*failing) string {
	for _, at := range group[0].flaw().Unrefused {
		if slices.ContainsFunc(group, func(f *failing) bool { return !slices.Contains(f.flaw().Unrefused, at) }) {
			continue
		}
		section, name, found := strings.Cut(at, "/")
		switch {
		case at == Anywhere:
			return "the request"
		case section == "":
			return at + " in the body"
		case found:
			return name + " in the " + section
		}
		return "the " + at
	}
	return ""
}

// condition says what a request is like.
func condition(kind string, x *Flaw) string {
	in := "the " + cmp.Or(part(x), "body")
	family, rest, _ := strings.Cut(kind, "/")
	switch family {
	case "baseline", "":
		return " to an ordinary request"
	case "field":
		return ofField(rest)
	case OneOfSeveral:
		return " while several requests are under way (see suspects)"
	case NowAndThen:
		if rest == "untried" {
			return " to a request that was not tried again"
		}
		return " now and then, but not if the same request is sent again alone"
	case "empty":
		return " if the body is empty"
	case "syntax":
		if rest == "odd" {
			return " if the body is JSON that parsers may refuse"
		}
		return " if the body is not JSON"
	case "credential":
		return map[string]string{"absent": " without a credential", "scheme": " with a credential of another scheme", "token": " with a wrong credential"}[rest]
	case "type":
		return " if " + article(typeOf(x)) + " in " + in + " is " + map[string]string{"null": "null", "fraction": "a fraction", "converted": "of another type", "structure": "of another structure"}[rest]
	case "long-field":
		return " if " + typeOf(x) + " is long"
	case "long-body":
		return " if the body is large"
	case "long-string", "long-number":
		return " to a long " + map[string]string{"long-string": "text", "long-number": "number"}[family] + " in " + in
	case "without":
		return " if an optional member is left out"
	case "value":
		return " to a valid value in " + in
	case "spelling", "sent":
		return " to a request that is written in another way"
	}
	if words := forbidden(kind); words != "" {
		return " to " + words + " in " + in
	}
	return ""
}

// ofField says what a request does with a header field, which may break a keyword.
func ofField(rest string) string {
	switch name, word, _ := strings.Cut(rest, "/"); word {
	case "":
		return " if " + name + " is sent"
	case "required":
		return " without " + name
	default:
		return " if " + name + " breaks " + word
	}
}
