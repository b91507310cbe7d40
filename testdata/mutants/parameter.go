package main

func parameterMutants() []mutant {
	return []mutant{
		{Name: "parameter-member-of-an-open-object", File: "query.go",
			Old: `if takes[i] && owner < 0 {`, New: `if takes[i] && false {`,
			Why: "the members of a free object in a query are unknown parameters, and its rules are never tried"},
		{Name: "parameter-first-object-takes-all", File: "query.go",
			Old: `					owner = i
					break`, New: `					break`,
			Why: "a member lands in an object that does not name it, and a right refusal fails"},
		{Name: "parameter-separator-unseen", File: "split.go",
			Old: `if strings.ContainsAny(text, t.separators) {`, New: `if strings.ContainsAny(text, t.separators) && t.p.Explode {`,
			Why: "a server that decodes before it splits fails although both readings are right"},
		{Name: "parameter-lenient-number-breaks-the-type", File: "read.go",
			Old: `case strings.HasPrefix(text, "+"):`, New: `case strings.HasPrefix(text, "++"):`,
			Why: "a server that takes +5 for 5 fails"},
		{Name: "parameter-string-beside-number", File: "split.go",
			Old: `	if k&isText != 0 {
		return []string{"a string or a " + other}`, New: `	if k&isNull != 0 {
		return []string{"a string or a " + other}`,
			Why: "a server that reads digits as the string that the document allows fails"},
		{Name: "parameter-shortest-way-through-a-path", File: "path.go",
			Old: `sum = min(2, sum+count[j+1][i+1])`, New: `sum = min(1, sum+count[j+1][i+1])`,
			Why: "a path with several readings is judged by one of them"},
		{Name: "parameter-dot-segment-written", File: "write.go",
			Old: `(text == "." || text == "..")`, New: `text == "."`,
			Why: "a request goes to another path than the one that is judged"},
		{Name: "parameter-header-injection", File: "split.go",
			Old: `c < ' ' && c != '\t' || c > '~'`, New: `c > '~'`,
			Why: "a line end in a header value splits the request"},
		{Name: "parameter-empty-value-of-a-type", File: "split.go",
			Old: `return jsontree.NewString(text), []string{"empty value"}`, New: `return jsontree.NewString(text), nil`,
			Why: "a server that takes an empty parameter for an absent one fails"},
		{Name: "parameter-twice", File: "query.go",
			Old: `		ps.because(path, Twice)`, New: `		_ = Twice`,
			Why: "a server that takes the last of two values fails"},
		{Name: "parameter-reserved-in-a-list", File: "split.go",
			Old: `		if f.kind == jsontree.String {
			keep += ",="
		}`, New: `		keep += ",="`,
			Why: "a comma inside an item goes out as a separator"},
	}
}

func formMutants() []mutant {
	return []mutant{
		{Name: "form-boundary-inside", File: "forms.go",
			Old: `strings.Contains(strings.Join(contents, "\n"), boundary)`, New: `strings.Contains(strings.Join(contents, "\n"), boundary+"--")`,
			Why: "a file that holds the boundary cuts the body in two"},
		{Name: "form-blank-before-the-boundary", File: "formread.go",
			Old: `if !ok || i > 0 && body[i-1] != '\n' {`, New: `if !ok {`,
			Why: "content that holds the boundary inside a line is cut"},
		{Name: "form-other-content-type", File: "formread.go",
			Old: `		r.because(path, "a part of another content type")`, New: `		_ = path`,
			Why: "a server that refuses a part of another type fails"},
		{Name: "form-unknown-member-lost", File: "formread.go",
			Old: `if len(got.Unknown) > 0 {
		for`, New: `if len(got.Unknown) > 1 {
		for`,
			Why: "a member that the schema forbids is not seen, and its refusal fails"},
		{Name: "form-object-without-encoding", File: "formread.go",
			Old: `		if objectAlone(s) { // earlier`, New: `		if objectAlone(s) && false { // earlier`,
			Why: "a server that follows an earlier version of OpenAPI fails"},
		{Name: "form-charset", File: "forms.go",
			Old: `charset != "utf-8" &&`, New: `charset != "utf-8" && charset != "utf-16" && charset != "latin1" &&`,
			Why: "a text is judged by another encoding than the one it names"},
		{Name: "form-text-in-bytes", File: "forms.go",
			Old: `return []byte(v.Text), contentType, nil`, New: `return []byte(string([]rune(v.Text))), contentType, nil`,
			Why: "binary content arrives as other bytes"},
	}
}
