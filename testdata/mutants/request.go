package main

func requestMutants() []mutant {
	return []mutant{
		{
			Name: "other-principal-is-a-wrong-credential", File: "credentials.go",
			Old: `if v := e.Other[scheme]; v != "" && v != out[0] {`, New: `if v := e.Other[scheme]; false && v != "" && v != out[0] {`,
			Why: "a server fails whose second key is an edit of the first",
		},
		{
			Name: "other-principal-sends-the-usual-credential", File: "credentials.go",
			Old: "	if m.Other {\n		return otherKeys", New: "	if m.Other && false {\n		return otherKeys",
			Why: "a server that keeps nothing from others is charged with reading its own",
		},
		{
			Name: "listed-media-type-is-another", File: "classify.go",
			Old: `op.Refuses415() && !op.Documents(media)`, New: `op.Refuses415()`,
			Why: "the refusal of bytes that are no form is judged as if its media type were refused",
		},
		{
			Name: "media-type-is-another-anyway", File: "classify.go",
			Old: `s.OtherMedia = len(s.Transport) == 1 && otherMedia`, New: `s.OtherMedia = len(s.Transport) > 0 && otherMedia`,
			Why: "a 415 from below the application is judged although more than the media type is unusual",
		},
		{
			Name: "weight-zero-takes-json", File: "credentialkinds.go",
			Old: `^q=(0\.[0-9]{0,2}[1-9]|`, New: `^q=(0(\.[0-9]{0,3})?|`,
			Why: "a server fails that answers 406 to a client that takes no JSON",
		},
		{
			Name: "weight-zero-asks-for-nothing-else", File: "credentialkinds.go",
			Old: ` && !strings.HasSuffix(value, ";q=0")`, New: ``,
			Why: "an answer to a client that takes no JSON must be JSON",
		},
		{
			Name: "body-limit-one-lower", File: "classify.go",
			Old: `if len(body) > transportSize {`, New: `if len(body) >= transportSize {`,
			Why: "a body of 8 KiB may be refused anyhow",
		},
		{
			Name: "no-body-is-large", File: "classify.go",
			Old: `if len(body) > transportSize {`, New: `if len(body) > transportSize<<20 {`,
			Why: "a server fails that refuses a megabyte with 413",
		},
		{
			Name: "head-limit-one-lower", File: "classify.go",
			Old: `head > transportSize && head-e.given`, New: `head >= transportSize && head-e.given`,
			Why: "a head of 8 KiB may be refused anyhow",
		},
		{
			Name: "own-room-forgotten", File: "classify.go",
			Old: `head-e.given(op, fields) > ownRoom`, New: `head-e.given(op, fields) > 0`,
			Why: "with a long header of the user everything may be refused, and nothing is tested",
		},
		{
			Name: "query-is-nothing", File: "classify.go",
			Old: `		s.Transport = append(s.Transport, "query")`, New: ``,
			Why: "a server fails that refuses an unknown query",
		},
		{
			Name: "field-twice-is-nothing", File: "classify.go",
			Old: `case seen[name] && name != "authorization" && !e.isOwn(f):`, New: `case false:`,
			Why: "a server fails that refuses Host twice, as RFC 9112 asks it to",
		},
		{
			Name: "stored-answer-not-seen", File: "classify.go",
			Old: `lower(f.Name) == "cache-control" && `, New: `lower(f.Name) == "cache" && `,
			Why: "a server fails that answers 504 to only-if-cached",
		},
		{
			Name: "values-with-enum-carry-identity", File: "classify.go",
			Old: `p.Schema.Enum != nil || p.Schema.Const != nil`, New: `p.Schema.Const != nil`,
			Why: "a value of an enum counts as a repeat, and its refusal is excused",
		},
		{
			Name: "repeat-must-be-accepted", File: "sent.go",
			Old: `s.Body.Kind == schema.MustAccept && !s.Reused`, New: `s.Body.Kind == schema.MustAccept`,
			Why: "a store of unique ids fails when an id is sent twice",
		},
		{
			Name: "odd-head-excuses-nothing", File: "sent.go",
			Old: `	case len(s.Transport) > 0:
		return Anything`, New: `	case len(s.Transport) > 8:
		return Anything`,
			Why: "a server fails that refuses a head it need not take",
		},
		{
			Name: "negotiation-must-be-refused", File: "sent.go",
			Old: `len(s.Transport) > 0 && s.Flawed() && !s.Negotiated`, New: `len(s.Transport) > 0 && s.Flawed()`,
			Why: "a server fails that answers 200 to a request for another answer",
		},
		{
			Name: "any-server-error-refuses", File: "sent.go",
			Old: `return len(s.Transport) > 0 || s.Expectation() == Anything`, New: `return true`,
			Why: "501 to a valid request passes",
		},
		{
			Name: "gateway-timeout-refuses", File: "sent.go",
			Old: `		return s.Stored`, New: `		return true`,
			Why: "504 to a valid request passes",
		},
		{
			Name: "undecided-body-must-be-refused", File: "sent.go",
			Old: `s.Body.Kind == schema.MayRefuse || s.Body.Kind == schema.Undecided`, New: `s.Body.Kind == schema.MayRefuse`,
			Why: "a server fails for a body that nobody can judge",
		},
	}
}
