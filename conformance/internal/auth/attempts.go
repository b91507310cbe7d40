package auth

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
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

const (
	authorization = "Authorization"
	// longCredential is the size above which a refusal may come from below the
	// application.
	longCredential = 1 << 10
)

// values gives the values of a field, and whether a refusal of one may come
// from below the application.
func values(fields []exchange.Field, name string) (list []string, below bool) {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			list = append(list, f.Value)
			below = below || len(f.Value) > longCredential || !visible(f.Value)
		}
	}
	return list, below
}

// visible reports whether a field value holds VCHAR and blanks alone (RFC 5234,
// appendix B.1).
func visible(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// classifyHTTP sorts the Authorization fields of a request for one HTTP scheme
// (RFC 9110, 11.4) and its valid credential.
func classifyHTTP(scheme string, fields []exchange.Field, credential string) (message.Credential, bool) {
	list, below := values(fields, authorization)
	if len(list) == 0 {
		return message.CredentialAbsent, below
	}
	if len(list) == 1 {
		return classifyValue(scheme, list[0], credential), below
	}
	below = true // several fields are malformed HTTP (RFC 9110, 5.3): anybody may refuse them
	for _, v := range list {
		if rightly(classifyValue(scheme, v, credential)) {
			return message.CredentialUnclear, below
		}
	}
	return classifyValue(scheme, list[0], credential), below
}

func rightly(c message.Credential) bool {
	return c == message.CredentialValid || c == message.CredentialCase ||
		c == message.CredentialBlanks || c == message.CredentialUnclear
}

// classifyValue sorts one value. What is right but for white space of other
// kinds is unclear: readers take fields for Latin-1 or for UTF-8, and the trim
// and split functions of most languages know more blanks than HTTP does. So is a
// UUID in another case, which is the same UUID (RFC 9562, 4), and what is right once its
// percent-encoding is decoded: cpp-httplib does that to every field.
func classifyValue(scheme, value, credential string) message.Credential {
	c := classifyExactly(scheme, value, credential)
	if !rightly(c) && uuid.MatchString(credential) && strings.EqualFold(value, scheme+" "+credential) {
		return message.CredentialUnclear
	}
	for _, plain := range []string{usualBlanks(value), decoded(value)} {
		if !rightly(c) && plain != value && rightly(classifyExactly(scheme, plain, credential)) {
			return message.CredentialUnclear
		}
	}
	return c
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// usualBlanks writes a blank for everything that some reader takes for one.
func usualBlanks(value string) string {
	var out []byte
	for i, r := range value {
		switch {
		case unicode.IsSpace(r), r == utf8.RuneError && (value[i] == 0x85 || value[i] == 0xA0):
			out = append(out, ' ')
		case r == utf8.RuneError:
			out = append(out, value[i])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return strings.TrimSpace(string(out))
}

func classifyExactly(scheme, value, credential string) message.Credential {
	end := strings.IndexAny(value, " \t")
	if strings.EqualFold(value, scheme) {
		return message.CredentialToken // the scheme with an empty token
	}
	if end < 0 || !strings.EqualFold(value[:end], scheme) {
		return message.CredentialScheme
	}
	space := value[end:]
	rest := strings.TrimLeft(space, " \t")
	space = space[:len(space)-len(rest)]
	switch {
	case rest != credential:
		return message.CredentialToken
	case strings.Contains(space, "\t"):
		return message.CredentialUnclear
	case value[:end] != scheme:
		return message.CredentialCase
	case len(space) > 1:
		return message.CredentialBlanks
	}
	return message.CredentialValid
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
