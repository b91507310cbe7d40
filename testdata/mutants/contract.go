package main

func contractMutants() []mutant {
	return []mutant{
		{
			Name: "media-type-range-sent", File: "responses.go",
			Old: `if i > 0 && strings.Contains(m.Name, "*") {`, New: `if false {`,
			Why: "a right server fails because it does not take application/*+json as it is written",
		},
		{
			Name: "same-schema-is-same-bytes", File: "mediatypes.go",
			Old: `return o.alike != nil && o.alike.codec() == o.Body.codec()`, New: `return o.alike != nil`,
			Why: "a form is tried with two requests because JSON has the same schema",
		},
		{
			Name: "range-before-status", File: "contract.go",
			Old: `			if len(r.Status) == 3 && r.Status[1] != 'X' {`, New: `			if len(r.Status) == 3 {`,
			Why: "a 404 is judged by the schema of 4XX",
		},
		{
			Name: "link-of-any-section", File: "links.go",
			Old: `found && section == in && member.Name == rest`, New: `found && section != "body" && in != "" && member.Name == rest`,
			Why: "a link to a query parameter fills the path",
		},
		{
			Name: "items-of-lists-are-made", File: "links.go",
			Old: `&& !inList.MatchString(o.What)`, New: `&& o.What != ""`,
			Why: "what a search found is taken for what it made, and deleted",
		},
	}
}

func schemaMutants() []mutant {
	return []mutant{
		{
			Name: "id-inside-must-be-taken", File: "pairs.go",
			Old: `case inside && hints.Called(`, New: `case inside && path == "" && hints.Called(`,
			Why: "a right server fails because it does not know the id of an object in a request",
		},
		{
			Name: "ids-of-a-list-must-be-taken", File: "pairs.go",
			Old: `return several && len`, New: `return false && several && len`,
			Why: "a right server fails because it does not know the ids in a list",
		},
		{
			Name: "looser-bound-of-all-of", File: "keywords.go",
			Old: `if old == "" || jsontree.Compare(text, old) == side {`, New: `if old == "" || jsontree.Compare(text, old) == -side {`,
			Why: "a server fails that refuses a number outside the tighter bound",
		},
		{
			Name: "looser-length-of-all-of", File: "keywords.go",
			Old: `if old != nil && (int(n)-*old)*side <= 0 {`, New: `if old != nil && (int(n)-*old)*side > 0 {`,
			Why: "texts are generated that the document forbids",
		},
		{
			Name: "last-bound-of-all-of", File: "keywords.go",
			Old: `if old != nil && (int(n)-*old)*side <= 0 {`, New: `if false {`,
			Why: "the order of the parts of allOf decides what is valid",
		},
		{
			Name: "all-of-joins-types", File: "keywords.go",
			Old: `			case t == "integer" && u == "number" || t == "number" && u == "integer":`, New: `			case false:`,
			Why: "an integer that is a number is taken for nothing at all",
		},
		{
			Name: "required-in-all-of-forgotten", File: "walk.go",
			Old: `	p.Required, p.Need = true, at`, New: `	p.Required, p.Need = p.Required || !strings.Contains(at, "allOf"), at`,
			Why: "requests lack a member that a part of allOf requires",
		},
		{
			Name: "int64-one-more", File: "formats.go",
			Old: `high: "9223372036854775807"`, New: `high: "9223372036854775808"`,
			Why: "2^63 must be accepted",
		},
		{
			Name: "int64-one-less", File: "formats.go",
			Old: `low: "-9223372036854775808"`, New: `low: "-9223372036854775807"`,
			Why: "-2^63 must be refused",
		},
		{
			Name: "exponent-is-no-integer", File: "mustaccept.go",
			Old: `	if s.Whole() || jsontree.IsInteger(text) {
		if !spelledWhole(text)`, New: `	if s.Whole() || jsontree.IsInteger(text) {
		if false && !spelledWhole(text)`,
			Why: "4e2 must be accepted for an integer, which many readers refuse",
		},
		{
			Name: "plain-range-to-int64", File: "mustaccept.go",
			Old: `		default:
			high = safeInteger`, New: `		default:
			high = int64Maximum`,
			Why: "an integer without a format must be accepted up to 2^63-1",
		},
		{
			Name: "negative-numbers-plain", File: "mustaccept.go",
			Old: `		if !statesLow(s) {`, New: `		if false {`,
			Why: "a store fails that refuses the id -1",
		},
		{
			Name: "plain-length-one-more", File: "shape.go",
			Old: `	mustAcceptLength = 64`, New: `	mustAcceptLength = 65`,
			Why: "a server fails that holds names of 64 characters",
		},
		{
			Name: "plain-length-one-less", File: "shape.go",
			Old: `	mustAcceptLength = 64`, New: `	mustAcceptLength = 63`,
			Why: "a server passes that refuses a name of 64 characters",
		},
		{
			Name: "length-in-bytes", File: "texts.go",
			Old: `	n := utf8.RuneCountInString(text)`, New: `	n := len(text)`,
			Why: "a server passes that cuts names of 30 ideographs",
		},
		{
			Name: "empty-text-plain", File: "texts.go",
			Old: `	minimum, maximum := 1, mustAcceptLength`, New: `	minimum, maximum := 0, mustAcceptLength`,
			Why: "a server fails that refuses an empty name",
		},
		{
			Name: "control-characters-plain", File: "texts.go",
			Old: `		case unicode.Is(unicode.Cc, c):`, New: `		case false:`,
			Why: "a server fails that refuses a tab in a name, or it is named wrongly",
		},
		{
			Name: "domain-given-ignored", File: "mustaccept.go",
			Old: `named == nil && p.s.Domains[at].Given == "may-refuse"`, New: `named == nil && p.s.Domains[at].Given == "never"`,
			Why: "a server fails that has a list of tags",
		},
		{
			Name: "duplicate-names-plain", File: "reading.go",
			Old: `	for _, i := range doc.Issues {
		r.mayRefuse("", i.Kind.String())
	}`, New: ``,
			Why: "a server fails that refuses a member name twice",
		},
		{
			Name: "duplicate-names-invalid", File: "reading.go",
			Old: `	case len(r.Violations) > 0 && len(doc.Issues) > 0:`, New: `	case false:`,
			Why: "a server fails that takes the other one of two members of a name",
		},
		{
			Name: "undecided-is-invalid", File: "reading.go",
			Old: `r.Kind, r.Open, r.shape = Undecided, open, s`, New: `r.Kind, r.Open, r.shape = Invalid, open, s`,
			Why: "a server fails for a pattern that nobody can decide",
		},
		{
			Name: "answers-forgiven", File: "tolerance.go",
			Old: `	case s.Direction == Answers:`, New: `	case false:`,
			Why: "an answer of 1.0000000000000000000001 for an integer passes",
		},
		{
			Name: "wide-text-is-no-json", File: "reading.go",
			Old: `s.Direction != Answers && s.Read(text).Kind < Invalid`, New: `s.Direction == Answers && s.Read(text).Kind < Invalid`,
			Why: "a server fails that reads UTF-16 as RFC 4627 asked it to",
		},
		{
			Name: "any-key-is-violated", File: "reading.go",
			Old: `v.Keyword == k.Keyword && v.Name == k.Name && covers(k.Path, v.Path)`, New: `v.Keyword == k.Keyword && covers(k.Path, v.Path)`,
			Why: "a missing name is charged to a missing id",
		},
	}
}
