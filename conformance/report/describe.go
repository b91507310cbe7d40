package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finding describes failures with one cause; the first one tells most.
func (m *merger) finding(group []*failing) Finding {
	first := group[0]
	out := Finding{Category: first.category(), Level: first.result.Level, Known: first.known(), ID: idOf(group),
		Example: first.failure.N, Replay: first.failure.Replay, Cause: first.failure.Cause}
	places, operations := map[string]bool{}, map[string]bool{}
	judged := map[string]int{}
	for _, f := range group {
		x := f.flaw()
		places[f.result.Requirement] = true
		for _, id := range x.Also {
			places[id] = true
		}
		for _, op := range m.operationsOf(f) {
			operations[op] = true
		}
		if !slices.Contains(out.Requirements, f.result.Requirement) {
			out.Requirements = append(out.Requirements, f.result.Requirement)
		}
		judged[x.Rule+"|"+keyword(x)+"|"+x.Where] = x.Alike
		out.Members = append(out.Members, Member{N: f.failure.N, Requirement: f.result.Requirement, Operation: f.result.Operation, Sent: f.failure.Sent, Got: f.failure.Got})
	}
	out.Places, out.Operations = len(places), sorted(operations)
	for _, n := range judged {
		out.Of += n
	}
	if out.Of < out.Places {
		out.Of = 0
	}
	slices.Sort(out.Requirements)
	out.Sentence = sentence(group, &out)
	return out
}

func sorted(set map[string]bool) []string {
	var out []string
	for x := range set {
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

// compareFindings orders findings of one category: MUST before SHOULD, then what more
// operations and places share.
func compareFindings(a, b *Finding) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Levels(), a.Level), slices.Index(Levels(), b.Level)),
		cmp.Compare(len(b.Operations), len(a.Operations)),
		cmp.Compare(b.Places, a.Places),
		cmp.Compare(a.Example, b.Example),
		slices.Compare(a.Requirements, b.Requirements),
		strings.Compare(a.ID, b.ID))
}

// sentence says what is wrong in a maintainer's words, and how often.
func sentence(group []*failing, f *Finding) string {
	text := what(group)
	switch {
	case len(f.Operations) == 1 && !strings.HasPrefix(text, f.Operations[0]):
		text = f.Operations[0] + ": " + text
	default:
		first, n := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	return text + extent(group, f)
}

// extent says at how many places, and in how many operations.
func extent(group []*failing, f *Finding) string {
	in := ""
	if len(f.Operations) > 1 {
		in = fmt.Sprintf(" in %d operations", len(f.Operations))
	}
	where := group[0].flaw().Where
	perPlace := where != "" && f.Places > max(1, len(f.Operations))
	same := !slices.ContainsFunc(group, func(x *failing) bool { return x.flaw().Where != where })
	switch kind, part, typed := strings.Cut(where, " in "); {
	case perPlace && same && typed && f.Of > f.Places:
		return fmt.Sprintf(": %d of %d %s in %s", f.Places, f.Of, plural(kind), plural(part)) + strings.Replace(in, " in ", ", in ", 1)
	case perPlace:
		return fmt.Sprintf(": %d places%s", f.Places, in)
	case in != "":
		return strings.Replace(in, " in ", ": ", 1)
	}
	return ""
}

func plural(noun string) string {
	switch noun {
	case "query":
		return "queries"
	case "body":
		return "bodies"
	}
	return strings.ReplaceAll(noun, " or ", "s or ") + "s"
}

// keyword is the kind of a flaw without the values that were tried.
func keyword(x *Flaw) string {
	word, _, _ := strings.Cut(x.Kind, "/")
	word, _, _ = strings.Cut(word, " ")
	return word
}

// what says what is wrong, without where.
func what(group []*failing) string {
	first := group[0]
	x := first.flaw()
	kinds, types := map[string]bool{}, map[string]bool{}
	for _, f := range group {
		kinds[f.flaw().Kind] = true
		kind, _, _ := strings.Cut(f.flaw().Where, " in ")
		types[kind] = true
	}
	switch {
	case x.Rule == "":
		return strings.TrimSuffix("this fails: "+first.result.Sentence, ".")
	case first.category() == Crash:
		if at := unrefused(group); len(kinds) >= manyKinds && at != "" {
			return effect(x) + " instead of a refusal, whatever is wrong with " + at
		}
		return crash(x, types)
	case x.Tells == TellsCredential:
		return unchecked(kinds)
	case x.Tells == TellsValue:
		return accepted(x, kinds, types)
	case x.Tells == TellsAnswer || x.Tells == TellsField:
		return answered(first, types)
	case first.category() == Refusal:
		return refused(x)
	case x.Tells == TellsStatus:
		return strings.TrimSuffix(x.Means+": "+list(sorted(kinds), "or"), ": ")
	case x.Tells == TellsMissing && x.Where != "":
		return "the answer lacks the header field " + x.Where
	case x.Means == "":
		return "rule " + x.Rule + " fails"
	}
	if x.Kind == "syntax/behind" {
		return "text behind a JSON body is accepted"
	}
	return x.Means
}

func typeOf(x *Flaw) string {
	kind, _, _ := strings.Cut(x.Where, " in ")
	return cmp.Or(kind, "value")
}

// unchecked says which wrong credentials are taken.
func unchecked(kinds map[string]bool) string {
	var ways []string
	for _, k := range [][2]string{{"absent", "without a credential"}, {"token", "with a wrong one"}, {"scheme", "with one of another scheme"}} {
		if kinds["credential/"+k[0]] {
			ways = append(ways, k[1])
		}
	}
	if len(ways) > 0 && !kinds["credential/absent"] {
		ways[0] = strings.Replace(ways[0], "one", "credential", 1)
	}
	return "requests " + list(ways, "or") + " are answered like those with the right one"
}

// accepted says which values are accepted that the schema forbids.
func accepted(x *Flaw, kinds, types map[string]bool) string {
	in := ""
	if p := part(x); p != "body" && p != "" {
		in = " in the " + p
	}
	if _, name := field(x); name != "" {
		return acceptedField(name, kinds)
	}
	if !strings.HasPrefix(x.Kind, "type/") {
		return cmp.Or(forbidden(x.Kind), "a value that breaks "+x.Kind) + in + " is accepted"
	}
	var values []string
	for _, k := range [][2]string{{"null", "null"}, {"converted", "a value of another type"}, {"fraction", "a fraction"}, {"structure", "another structure"}} {
		if kinds["type/"+k[0]] {
			values = append(values, k[1])
		}
	}
	return list(values, "or") + " is accepted where " + oneOf(types) + " is documented" + in
}

// acceptedField says what is accepted of a header field.
func acceptedField(name string, kinds map[string]bool) string {
	var ways []string
	missing := "field/" + name + "/required"
	if kinds[missing] {
		ways = append(ways, "without "+name)
	}
	if len(kinds) > 1 || !kinds[missing] {
		ways = append(ways, "with a value of "+name+" that its schema forbids")
	}
	return "a request " + list(ways, "or") + " is accepted"
}

// forbidden names a value that breaks a keyword of a schema.
func forbidden(kind string) string {
	word, format, _ := strings.Cut(kind, "/")
	switch word {
	case "required":
		if format == "letters" {
			return "a required member whose name is in another case of letters"
		}
		return "a request without a required member"
	case "additionalProperties", "unevaluatedProperties":
		return "a member that the schema does not allow"
	case "enum", "const":
		return "a value that is not listed"
	case "minimum", "exclusiveMinimum":
		return "a number below its minimum"
	case "maximum", "exclusiveMaximum":
		return "a number above its maximum"
	case "multipleOf":
		return "a number that is not a multiple"
	case "minLength":
		return "a text that is too short"
	case "maxLength":
		return "a text that is too long"
	case "pattern":
		return "a text that does not match its pattern"
	case "format":
		return "a text that is not a valid " + cmp.Or(format, "value of its format")
	case "minItems":
		return "an array with too few items"
	case "maxItems":
		return "an array with too many items"
	case "uniqueItems":
		return "an array with a repeated item"
	case "minProperties":
		return "an object with too few members"
	case "maxProperties":
		return "an object with too many members"
	case "false":
		return "a value where the schema allows none"
	case "dependentRequired":
		return "a request without a member that another one needs"
	case "contains", "minContains", "maxContains":
		return "an array without the items that it must have, or with too many of them,"
	case "propertyNames":
		return "a member whose name the schema does not allow"
	case "anyOf":
		return "a value that matches none of its alternatives"
	case "oneOf":
		return "a value that does not match exactly one of its alternatives"
	case "not":
		return "a value that the schema excludes"
	}
	return ""
}

// answered says what is wrong in an answer.
func answered(f *failing, types map[string]bool) string {
	x := f.flaw()
	got := strings.TrimPrefix(x.Kind, keyword(x)+" ")
	rule := strings.TrimSuffix(f.result.Sentence, ".")
	switch {
	case keyword(x) == "type" && got == "null":
		return "null stands where " + oneOf(types) + " is documented"
	case keyword(x) == "type" && x.At != "":
		return x.At + " is " + article(got) + ", not " + oneOf(types)
	case keyword(x) == "required" && x.At != "":
		return "the answer lacks " + x.At
	case strings.HasPrefix(x.Kind, "format/") && x.At != "":
		return x.At + " is not a valid " + strings.TrimSuffix(strings.TrimPrefix(x.Kind, "format/"), " string")
	case rule != "":
		return "the answer breaks this: " + rule
	}
	return "the answer breaks its schema"
}

// refused says what is refused although it is valid.
func refused(x *Flaw) string {
	out := x.Means
	if x.Tells == TellsRequest {
		switch family, rest, _ := strings.Cut(x.Kind, "/"); family {
		case "baseline":
			out = "an ordinary request is refused"
		case "field":
			out = "a request with " + rest + " is refused"
		case "value":
			out = "a valid value is refused"
		case "empty":
			out = "a request without a body is refused, although the document does not require one"
		}
	}
	if telling(x.Said) {
		out += fmt.Sprintf(": %q", x.Said)
	}
	return out
}

// oneOf lists documented types with their articles.
func oneOf(types map[string]bool) string {
	var out []string
	for _, t := range sorted(types) {
		out = append(out, article(cmp.Or(t, "value")))
	}
	return list(out, "or")
}

func article(noun string) string {
	if strings.ContainsRune("aeio", rune((noun + " ")[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// list joins words: "a, b or c".
func list(words []string, last string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
	}
}
