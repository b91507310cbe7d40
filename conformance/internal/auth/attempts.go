package auth

import (
	"strings"

	"plantstore/conformance/internal/message"
)

// attempt is one that makes the whole value of the Authorization field.
func attempt(name, show string, value func(token string) string) message.Attempt {
	return message.Attempt{Name: name, Presented: []message.Presented{{Field: authorization, Value: value, Show: show}}}
}

// literal is an attempt without anything of the token in it.
func literal(name, value string) message.Attempt {
	return attempt(name, value, func(string) string { return value })
}

// absences are requests without a credential, or with the scheme's name alone.
func absences(word string) []message.Attempt {
	return []message.Attempt{
		{Name: "absent", Presented: []message.Presented{}},
		literal("empty", ""),
		literal("scheme-alone", word),
		literal("scheme-and-blank", word+" "),
		literal("scheme-and-blanks", word+"   "),
		literal("scheme-and-tab", word+"\t"),
		literal("scheme-alone-lower", strings.ToLower(word)),
		literal("colon-alone", ":"),
	}
}

// schemeAttempts carry the valid credential under another scheme, or under a
// word that only looks like the right one.
func schemeAttempts(word string, credential func(string) string, shown string) []message.Attempt {
	var out []message.Attempt
	add := func(name, before, behind string) {
		a := attempt(name, before+shown+behind, func(t string) string { return before + credential(t) + behind })
		a.Useful = func(t string) bool { return before+credential(t)+behind != word+" "+credential(t) }
		out = append(out, a)
	}
	other := "Basic "
	if word == basicWord {
		other = "Digest "
	}
	for _, name := range []string{"Basic", "Bearer", "Token", "Digest", "Negotiate", "ApiKey", "JWT", "OAuth", "Key", "MAC", "AWS4-HMAC-SHA256", "Auth", "Access"} {
		if !strings.EqualFold(name, word) {
			add("other-scheme-"+strings.ToLower(name), name+" ", "")
		}
	}
	add("scheme-run-together", word, "")
	add("scheme-longer", word+"X ", "")
	add("scheme-longer-in-front", "X"+word+" ", "")
	add("scheme-shorter", word[:len(word)-1]+" ", "")
	add("scheme-cut-in-front", word[1:]+" ", "")
	add("scheme-plural", word+"s ", "")
	add("scheme-with-dash", "X-"+word+" ", "")
	add("scheme-colon", word+":", "")
	add("scheme-colon-blank", word+": ", "")
	add("scheme-equals", word+"=", "")
	add("scheme-comma", word+",", "")
	add("scheme-slash", word+"/", "")
	add("scheme-underscore", word+"_", "")
	add("scheme-no-break-space", word+"\u00A0", "")
	add("scheme-plus", word+"+", "")
	add("scheme-percent-blank", word+"%20", "")
	add("scheme-in-quotes", `"`+word+` `, `"`)
	add("scheme-in-single-quotes", "'"+word+"' ", "")
	add("scheme-twice", word+" "+word+" ", "")
	add("scheme-after-other", other+word+" ", "")
	add("scheme-before-other", word+" Token ", "")
	add("bare", "", "")
	add("bare-before-scheme", "", " "+word)
	add("bare-in-quotes", `"`, `"`)
	add("bare-as-parameter", "access_token=", "")
	add("list-wrong-first", word+" wrong, "+word+" ", "")
	add("list-wrong-last", word+" ", ", "+word+" wrong")
	add("list-other-scheme-first", other+"eDp5, "+word+" ", "")
	add("list-comma-first", ", "+word+" ", "")
	return out
}

// spellings carry the valid credential in ways that HTTP allows, or in ways
// that servers read differently.
func spellings(word string, credential func(string) string, shown string) []message.Attempt {
	var out []message.Attempt
	add := func(name, before string) {
		out = append(out, attempt(name, before+shown, func(t string) string { return before + credential(t) }))
	}
	add("case-lower", strings.ToLower(word)+" ")
	add("case-upper", strings.ToUpper(word)+" ")
	add("case-mixed", mixed(word)+" ")
	out = append(out, literal("case-lower-wrong", strings.ToLower(word)+" wrong"), literal("case-upper-wrong", strings.ToUpper(word)+" wrong"),
		literal("blanks-2-wrong", word+"  wrong"), literal("tab-wrong", word+"\twrong"))
	add("blanks-2", word+"  ")
	add("blanks-3", word+"   ")
	add("blanks-10", word+strings.Repeat(" ", 10))
	add("tab", word+"\t")
	add("blank-and-tab", word+" \t")
	right := message.Presented{Field: authorization, Value: func(t string) string { return word + " " + credential(t) }, Show: word + " " + shown}
	wrong := message.Presented{Field: authorization, Value: func(string) string { return word + " wrong" }, Show: word + " wrong"}
	bare := message.Presented{Field: authorization, Value: func(string) string { return "" }}
	again := wrong
	again.Value, again.Show = func(string) string { return word + " wrong-too" }, word+" wrong-too"
	return append(out,
		message.Attempt{Name: "two-fields-wrong-first", Presented: []message.Presented{wrong, right}},
		message.Attempt{Name: "two-fields-right-first", Presented: []message.Presented{right, wrong}},
		message.Attempt{Name: "two-fields-right-twice", Presented: []message.Presented{right, right}},
		message.Attempt{Name: "two-fields-empty-first", Presented: []message.Presented{bare, right}},
		message.Attempt{Name: "two-fields-wrong-both", Presented: []message.Presented{wrong, again}})
}

// elsewhere sends the valid credential where the scheme does not look: in other header
// fields and in the query.
func elsewhere(shown string) []message.Attempt {
	var out []message.Attempt
	for _, f := range []struct{ name, field, before string }{
		{"elsewhere-api-key", "X-API-Key", ""}, {"elsewhere-proxy", "Proxy-Authorization", "Bearer "},
		{"elsewhere-x-authorization", "X-Authorization", "Bearer "}, {"elsewhere-auth-token", "X-Auth-Token", ""},
		{"elsewhere-cookie", "Cookie", "token="}, {"elsewhere-cookie-authorization", "Cookie", "Authorization="},
		{"elsewhere-authentication", "Authentication", "Bearer "}, {"elsewhere-access-token", "Access-Token", ""},
		{"elsewhere-forwarded", "X-Forwarded-Authorization", "Bearer "}, {"elsewhere-www", "WWW-Authenticate", "Bearer "},
		{"elsewhere-x-access-token", "X-Access-Token", ""}, {"elsewhere-x-token", "X-Token", ""}, {"elsewhere-token", "Token", ""},
		{"elsewhere-apikey", "ApiKey", ""}, {"elsewhere-cookie-access-token", "Cookie", "access_token="},
		{"elsewhere-cookie-session", "Cookie", "session="}, {"elsewhere-cookie-jwt", "Cookie", "jwt="},
	} {
		out = append(out, message.Attempt{Name: f.name, Presented: []message.Presented{{Field: f.field,
			Value: func(t string) string { return f.before + t }, Show: f.before + shown}}})
	}
	for _, field := range []string{"access_token", "token"} {
		out = append(out, message.Attempt{Name: "elsewhere-query-" + strings.ReplaceAll(field, "_", "-"), Presented: []message.Presented{{In: "query", Field: field,
			Value: func(t string) string { return t }, Show: shown}}})
	}
	return out
}

// mixed writes a word with every second letter in upper case.
func mixed(word string) string {
	b := []byte(strings.ToLower(word))
	for i := 1; i < len(b); i += 2 {
		b[i] -= 'a' - 'A'
	}
	return string(b)
}
