package auth

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/message"
)

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

func cutFirst(t string, n int) string { return t[min(n, len(t)):] }

func cutLast(t string, n int) string { return t[:max(0, len(t)-n)] }

// changed replaces the character at i.
func changed(t string, i int, by string) string {
	if i < 0 || i >= len(t) {
		return t
	}
	return t[:i] + by + t[i+1:]
}

// lastChanged flips the highest of the six bits that the last character encodes in
// base64, so that every decoder sees another value.
func lastChanged(t string) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	if t == "" {
		return t
	}
	last := strings.NewReplacer("-", "+", "_", "/").Replace(t[len(t)-1:])
	if i := strings.Index(digits, last); i >= 0 {
		return changed(t, len(t)-1, digits[i^32:i^32+1])
	}
	return t
}

// fromFirstDot is everything after the first part of a token with several parts,
// including the dot. It is of no use if there is no dot.
func fromFirstDot(t string) string {
	if _, rest, found := strings.Cut(t, "."); found {
		return "." + rest
	}
	return ""
}

func lettersAndDigits(t string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
			return c
		}
		return -1
	}, t)
}

func swapCase(t string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsUpper(c) {
			return unicode.ToLower(c)
		}
		return unicode.ToUpper(c)
	}, t)
}

func reverse(t string) string {
	b := []byte(t)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

func percentEncoded(t string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := range len(t) {
		b.WriteByte('%')
		b.WriteByte(hex[t[i]>>4])
		b.WriteByte(hex[t[i]&15])
	}
	return b.String()
}
