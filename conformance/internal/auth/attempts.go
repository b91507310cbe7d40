package auth

import (
	"encoding/base64"
	"slices"
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

const basicWord = "Basic"

const (
	bearerWord = "Bearer"
	shownToken = "$CONFORMANCE_TOKEN"
)

func bearerOf(token string) string { return bearerWord + " " + token }

func same(token string) string { return token }

func basicOf(token string) string { return basicWord + " " + encoded(token) }

func encoded(token string) string {
	if !strings.Contains(token, ":") {
		return token
	}
	return base64.StdEncoding.EncodeToString([]byte(token))
}

func shownEncoded(text string) string {
	return `$(printf %s "` + text + `" | base64 -w0)`
}

func shownBasic(text string) string { return basicWord + " " + shownEncoded(text) }

// near makes a wrong credential from the valid one; show is how a bash shell
// writes it, with $CONFORMANCE_TOKEN.
type near struct {
	name string
	show string
	make func(token string) string
}

// fixedWrong are credentials that have nothing to do with the valid one.
var fixedWrong = []struct{ name, value string }{
	{"invalid", "invalid"}, {"null", "null"}, {"undefined", "undefined"}, {"word-token", "token"}, {"true", "true"},
	{"false", "false"}, {"zero", "0"}, {"one-letter", "a"}, {"star", "*"}, {"scheme-word", "Bearer"}, {"placeholder", "<ACCESS_TOKEN>"},
	{"template", "{{token}}"}, {"shell-variable", "${TOKEN}"}, {"admin", "admin"}, {"secret", "secret"}, {"password", "password"}, {"changeme", "changeme"}, {"dev", "dev"}, {"demo", "demo"}, {"test", "test"}, {"empty-quotes", `""`}, {"empty-object", "{}"},
	{"dots", "..."}, {"dash", "-"}, {"equals", "="}, {"comma", ","}, {"percent", "%"}, {"percent-like", "%25"},
	{"pattern", ".*"}, {"pattern-anchored", "^.+$"}, {"pattern-class", "[A-Za-z0-9]+"}, {"sql-or", "' OR '1'='1"}, {"sql-comment", "x'--"},
	{"sql-union", "' UNION SELECT 1 --"}, {"ldap-wildcard", "*)(uid=*"}, {"path", "../../x"}, {"jwt-without-signature", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiIxIiwiYWRtaW4iOnRydWV9."},
	{"jwt-other-key", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLW9mLWFub3RoZXIta2V5LTAwMDAwMDA"},
	{"uuid", "123e4567-e89b-12d3-a456-426614174000"}, {"hexadecimal", "deadbeefdeadbeefdeadbeefdeadbeef"}, {"number", "1234567890"},
	{"object-constructor", "constructor"}, {"object-prototype", "__proto__"}, {"object-method", "toString"},
}

// nears are credentials that a careless comparison accepts. If only the last
// character differs from the valid one, it differs in the bit that is never padding.
var nears = []near{
	{"same-length", `$(printf %s "$CONFORMANCE_TOKEN" | tr -c '' x)`, func(t string) string { return strings.Repeat("x", len(t)) }},
	{"first-changed", "Z${CONFORMANCE_TOKEN#?}", func(t string) string { return "Z" + cutFirst(t, 1) }},
	{"first-changed-digit", "7${CONFORMANCE_TOKEN#?}", func(t string) string { return "7" + cutFirst(t, 1) }},
	{"second-changed", "${CONFORMANCE_TOKEN:0:1}Z${CONFORMANCE_TOKEN:2}", func(t string) string { return changed(t, 1, "Z") }},
	{"middle-changed", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}Z${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2+1}", func(t string) string { return changed(t, len(t)/2, "Z") }},
	{"middle-changed-digit", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}7${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2+1}", func(t string) string { return changed(t, len(t)/2, "7") }},
	{"third-quarter-changed", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}*3/4}Z${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}*3/4+1}", func(t string) string { return changed(t, len(t)*3/4, "Z") }},
	{"last-changed", `${CONFORMANCE_TOKEN%?}$(printf %s "${CONFORMANCE_TOKEN: -1}" | tr 'A-Za-fg-z0-9+/_-' 'g-z0-9+/A-Za-ffe')`, lastChanged},
	{"last-two-changed", "${CONFORMANCE_TOKEN%??}Z7", func(t string) string { return cutLast(t, 2) + "Z7" }},
	{"last-three-changed", "${CONFORMANCE_TOKEN%???}ZZ7", func(t string) string { return cutLast(t, 3) + "ZZ7" }},
	{"middle-removed", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2+1}", func(t string) string { return changed(t, len(t)/2, "") }},
	{"middle-inserted", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}Z${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2}", func(t string) string { return t[:len(t)/2] + "Z" + t[len(t)/2:] }},
	{"first-doubled", "${CONFORMANCE_TOKEN:0:1}$CONFORMANCE_TOKEN", func(t string) string { return t[:min(1, len(t))] + t }},
	{"prefix-1", "${CONFORMANCE_TOKEN:0:1}", func(t string) string { return t[:min(1, len(t))] }},
	{"prefix-4", "${CONFORMANCE_TOKEN:0:4}", func(t string) string { return t[:min(4, len(t))] }},
	{"prefix-8", "${CONFORMANCE_TOKEN:0:8}", func(t string) string { return t[:min(8, len(t))] }},
	{"prefix-half", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}", func(t string) string { return t[:len(t)/2] }},
	{"prefix-most", "${CONFORMANCE_TOKEN%??}", func(t string) string { return cutLast(t, 2) }},
	{"prefix-all-but-last", "${CONFORMANCE_TOKEN%?}", func(t string) string { return cutLast(t, 1) }},
	{"suffix-all-but-first", "${CONFORMANCE_TOKEN#?}", func(t string) string { return cutFirst(t, 1) }},
	{"suffix-half", "${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2}", func(t string) string { return t[len(t)/2:] }},
	{"suffix-4", "${CONFORMANCE_TOKEN: -4}", func(t string) string { return t[max(0, len(t)-4):] }},
	{"longer-by-one", "${CONFORMANCE_TOKEN}x", func(t string) string { return t + "x" }},
	{"longer-by-many", "${CONFORMANCE_TOKEN}-and-more-0123456789", func(t string) string { return t + "-and-more-0123456789" }},
	{"longer-in-front", "x${CONFORMANCE_TOKEN}", func(t string) string { return "x" + t }},
	{"doubled", "${CONFORMANCE_TOKEN}${CONFORMANCE_TOKEN}", func(t string) string { return t + t }},
	{"upper-case", "${CONFORMANCE_TOKEN^^}", strings.ToUpper},
	{"lower-case", "${CONFORMANCE_TOKEN,,}", strings.ToLower},
	{"swapped-case", "${CONFORMANCE_TOKEN~~}", swapCase},
	{"reversed", `$(printf %s "$CONFORMANCE_TOKEN" | rev)`, reverse},
	{"trailing-comma", "$CONFORMANCE_TOKEN,", func(t string) string { return t + "," }},
	{"trailing-semicolon", "$CONFORMANCE_TOKEN;", func(t string) string { return t + ";" }},
	{"trailing-dot", "$CONFORMANCE_TOKEN.", func(t string) string { return t + "." }},
	{"trailing-slash", "$CONFORMANCE_TOKEN/", func(t string) string { return t + "/" }},
	{"slash-and-more", "$CONFORMANCE_TOKEN/x", func(t string) string { return t + "/x" }},
	{"colon-and-more", "$CONFORMANCE_TOKEN:x", func(t string) string { return t + ":x" }},
	{"hash-and-more", "$CONFORMANCE_TOKEN#x", func(t string) string { return t + "#x" }},
	{"mark-and-more", "$CONFORMANCE_TOKEN?x", func(t string) string { return t + "?x" }},
	{"ampersand-and-more", "$CONFORMANCE_TOKEN&x=y", func(t string) string { return t + "&x=y" }},
	{"bar-and-more", "$CONFORMANCE_TOKEN|x", func(t string) string { return t + "|x" }},
	{"dash-and-more", "$CONFORMANCE_TOKEN-x", func(t string) string { return t + "-x" }},
	{"underscores-as-dashes", "${CONFORMANCE_TOKEN//_/-}", func(t string) string { return strings.ReplaceAll(t, "_", "-") }},
	{"dashes-as-underscores", "${CONFORMANCE_TOKEN//-/_}", func(t string) string { return strings.ReplaceAll(t, "-", "_") }},
	{"without-punctuation", `$(printf %s "$CONFORMANCE_TOKEN" | tr -cd '[:alnum:]')`, lettersAndDigits},
	{"without-last-part", "${CONFORMANCE_TOKEN%.*}", func(t string) string { return t[:max(0, strings.LastIndexByte(t, '.'))] }},
	{"last-part-empty", "${CONFORMANCE_TOKEN%.*}.", func(t string) string { return t[:strings.LastIndexByte(t, '.')+1] }},
	{"first-part-none", "eyJhbGciOiJub25lIn0.${CONFORMANCE_TOKEN#*.}", func(t string) string { return "eyJhbGciOiJub25lIn0" + fromFirstDot(t) }},
	{"first-part-none-unsigned", `eyJhbGciOiJub25lIn0.$(printf %s "$CONFORMANCE_TOKEN" | cut -d. -f2).`, func(t string) string {
		rest := fromFirstDot(t)
		return "eyJhbGciOiJub25lIn0" + rest[:strings.LastIndexByte(rest, '.')+1]
	}},
	{"trailing-words", "$CONFORMANCE_TOKEN x y", func(t string) string { return t + " x y" }},
	{"with-parameter", `$CONFORMANCE_TOKEN, realm="x"`, func(t string) string { return t + `, realm="x"` }},
	{"twice-apart", "$CONFORMANCE_TOKEN $CONFORMANCE_TOKEN", func(t string) string { return t + " " + t }},
	{"word-in-front", "x $CONFORMANCE_TOKEN", func(t string) string { return "x " + t }},
	{"in-double-quotes", `"$CONFORMANCE_TOKEN"`, func(t string) string { return `"` + t + `"` }},
	{"in-single-quotes", `'$CONFORMANCE_TOKEN'`, func(t string) string { return "'" + t + "'" }},
	{"in-brackets", "[$CONFORMANCE_TOKEN]", func(t string) string { return "[" + t + "]" }},
	{"in-angle-brackets", "<$CONFORMANCE_TOKEN>", func(t string) string { return "<" + t + ">" }},
	{"as-parameter", "token=$CONFORMANCE_TOKEN", func(t string) string { return "token=" + t }},
	{"percent-encoded", perl(`s/(.)/sprintf("%%%02x",ord($1))/ge`), percentEncoded},
	{"in-base64", `$(printf %s "$CONFORMANCE_TOKEN" | base64 -w0)`, func(t string) string { return base64.StdEncoding.EncodeToString([]byte(t)) }},
	{"accented", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}é${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2}", func(t string) string { return t[:len(t)/2] + "é" + t[len(t)/2:] }},
	{"invalid-utf8", `${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}$'\xff'${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2}`, func(t string) string { return t[:len(t)/2] + "\xFF" + t[len(t)/2:] }},
	{"zero-before", "0$CONFORMANCE_TOKEN", func(t string) string { return "0" + t }},
	{"no-break-space-behind", `$CONFORMANCE_TOKEN$'\xc2\xa0'`, func(t string) string { return t + "\u00A0" }},
	{"no-break-space-before", `$'\xc2\xa0'$CONFORMANCE_TOKEN`, func(t string) string { return "\u00A0" + t }},
	{"byte-a0-behind", `$CONFORMANCE_TOKEN$'\xa0'`, func(t string) string { return t + "\xA0" }},
	{"byte-a0-before", `$'\xa0'$CONFORMANCE_TOKEN`, func(t string) string { return "\xA0" + t }},
	{"byte-85-behind", `$CONFORMANCE_TOKEN$'\x85'`, func(t string) string { return t + "\x85" }},
	{"byte-85-before", `$'\x85'$CONFORMANCE_TOKEN`, func(t string) string { return "\x85" + t }},
	{"full-width", "${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}Ｚ${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2+1}", func(t string) string { return changed(t, len(t)/2, "Ｚ") }},
	{"padded-200", "$CONFORMANCE_TOKEN$(printf 'x%.0s' {1..200})", func(t string) string { return t + strings.Repeat("x", 200) }},
	{"padded-2000", "$CONFORMANCE_TOKEN$(printf 'x%.0s' {1..2000})", func(t string) string { return t + strings.Repeat("x", 2000) }},
	{"padded-5000", "$CONFORMANCE_TOKEN$(printf 'x%.0s' {1..5000})", func(t string) string { return t + strings.Repeat("x", 5000) }},
	{"long-5000", "$(printf 'x%.0s' {1..5000})", func(string) string { return strings.Repeat("x", 5000) }},
	{"long-1000", "$(printf 'x%.0s' {1..1000})", func(string) string { return strings.Repeat("x", 1000) }},
}

// wrongs makes attempts of everything that is near or nothing like the valid
// credential; made and shown write the field from the changed token.
func wrongs(field string, made, shown func(string) string) []message.Attempt {
	var out []message.Attempt
	for _, w := range fixedWrong {
		out = append(out, message.Attempt{Name: "wrong-" + w.name,
			Presented: []message.Presented{{Field: field, Value: func(string) string { return made(w.value) }, Show: shown(w.value)}},
			Useful:    func(token string) bool { return token != w.value }})
	}
	for _, n := range slices.Concat(nears, partials(), hashes(), rewritten()) {
		out = append(out, message.Attempt{Name: n.name,
			Presented: []message.Presented{{Field: field, Value: func(t string) string { return made(n.make(t)) }, Show: shown(n.show)}},
			Useful:    useful(made, n.make)})
	}
	return out
}

// useful reports whether a change makes another credential, one that differs in more
// than padding and the white space that HTTP removes.
func useful(made, change func(string) string) func(string) bool {
	return func(token string) bool {
		c := change(token)
		return c == strings.Trim(c, " \t") && c != "" &&
			strings.TrimRight(made(c), "=") != strings.TrimRight(made(token), "=")
	}
}
