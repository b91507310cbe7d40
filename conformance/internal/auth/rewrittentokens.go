package auth

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// rewritten are credentials that are the valid one in another writing, or a pattern that
// matches it.
func rewritten() []near {
	out := []near{
		{"in-hex", perl(`$_ = unpack("H*", $_)`), func(t string) string { return hex.EncodeToString([]byte(t)) }},
		{"in-base64url", `$(printf %s "$CONFORMANCE_TOKEN" | base64 -w0 | tr +/ -_ | tr -d =)`, func(t string) string { return base64.RawURLEncoding.EncodeToString([]byte(t)) }},
		{"in-html", perl(`s/(.)/sprintf("&#x%02x;",ord($1))/ge`), every("&#x%02x;")},
		{"in-json-escapes", perl(`s/(.)/sprintf("\\u%04x",ord($1))/ge`), every(`\u%04x`)},
		{"first-in-percent", perl(`s/(.)/sprintf("%%%02X",ord($1))/e`), first("%%%02X")},
		{"first-in-percent-twice", perl(`s/(.)/sprintf("%%25%02X",ord($1))/e`), first("%%25%02X")},
		{"first-in-html", perl(`s/(.)/sprintf("&#%d;",ord($1))/e`), first("&#%d;")},
		{"first-in-json-escape", perl(`s/(.)/sprintf("\\u%04x",ord($1))/e`), first(`\u%04x`)},
		{"first-in-hex-escape", perl(`s/(.)/sprintf("\\x%02x",ord($1))/e`), first(`\x%02x`)},
		{"first-letter-case", perl(`s/([A-Za-z])/chr(ord($1)^32)/e`), func(t string) string { return flipped(t, strings.IndexFunc(t, letter)) }},
		{"last-letter-case", perl(`s/.*\K([A-Za-z])/chr(ord($1)^32)/e`), func(t string) string { return flipped(t, strings.LastIndexFunc(t, letter)) }},
		{"first-full-width-fold", perlOut(`s/([!-~])/chr(ord($1)+65248)/e`), func(t string) string {
			if t == "" || t[0] < '!' || t[0] > '~' {
				return t
			}
			return string(rune(t[0])+65248) + t[1:]
		}},
		{"all-full-width-fold", perlOut(`s/([!-~])/chr(ord($1)+65248)/ge`), func(t string) string {
			return strings.Map(func(r rune) rune {
				if r >= '!' && r <= '~' {
					return r + 65248
				}
				return r
			}, t)
		}},
		{"letter-with-mark-fold", perlOut(`s/([A-Za-z])/$1.chr(769)/e`), func(t string) string {
			i := strings.IndexFunc(t, letter) + 1
			return t[:i] + part(i > 0, "\u0301") + t[i:]
		}},
		{"all-as-underscores", `$(printf %s "$CONFORMANCE_TOKEN" | tr '!-~' _)`, func(t string) string { return strings.Repeat("_", len(t)) }},
		{"all-as-question-marks", `$(printf %s "$CONFORMANCE_TOKEN" | tr '!-~' '?')`, func(t string) string { return strings.Repeat("?", len(t)) }},
		{"all-as-dots", `$(printf %s "$CONFORMANCE_TOKEN" | tr '!-~' .)`, func(t string) string { return strings.Repeat(".", len(t)) }},
		{"dot-as-letter", `$(printf %s "$CONFORMANCE_TOKEN" | sed 's/[.]/x/')`, func(t string) string { return strings.Replace(t, ".", "x", 1) }},
		{"underscore-as-letter", `$(printf %s "$CONFORMANCE_TOKEN" | sed 's/_/x/')`, func(t string) string { return strings.Replace(t, "_", "x", 1) }},
		{"number-with-fraction", "$CONFORMANCE_TOKEN.0", number(func(n uint64) string { return fmt.Sprint(n, ".0") })},
		{"number-with-exponent", "${CONFORMANCE_TOKEN}e0", number(func(n uint64) string { return fmt.Sprint(n, "e0") })},
		{"number-in-hexadecimal", `$(printf 0x%x "$CONFORMANCE_TOKEN")`, number(func(n uint64) string { return fmt.Sprintf("0x%x", n) })},
	}
	for _, f := range []struct{ name, of, by string }{{"long-s", "sS", "ſ"}, {"kelvin", "kK", "\u212A"}, {"dotless-i", "iI", "ı"}} {
		out = append(out, near{f.name + "-fold", `$(printf %s "$CONFORMANCE_TOKEN" | sed 's/[` + f.of + "]/" + f.by + "/')", func(t string) string {
			return changed(t, strings.IndexAny(t, f.of), f.by)
		}})
	}
	const half = "${#CONFORMANCE_TOKEN}/2"
	for _, w := range []struct{ name, by string }{{"dot", "."}, {"question-mark", "?"}, {"underscore", "_"}, {"star", "*"}, {"percent", "%"}} {
		out = append(out, near{"middle-as-" + w.name, "${CONFORMANCE_TOKEN:0:" + half + "}" + w.by + "${CONFORMANCE_TOKEN:" + half + "+1}",
			func(t string) string { return changed(t, len(t)/2, w.by) }})
	}
	for _, w := range []struct{ name, by string }{{"star", "*"}, {"percent", "%"}, {"pattern", ".*"}} {
		out = append(out, near{"first-half-and-" + w.name, "${CONFORMANCE_TOKEN:0:" + half + "}" + w.by, func(t string) string { return t[:len(t)/2] + w.by }})
	}
	for _, w := range []struct{ name, before, behind string }{
		{"anchored", "^", "$"}, {"grouped", "(", ")"}, {"alternative", "x|", ""}, {"star-behind", "", "*"}, {"question-mark-behind", "", "?"}, {"plus-behind", "", "+"},
		{"plus-before", "+", ""}, {"path-here", "./", ""}, {"path-back", "x/../", ""}, {"in-json", `{"token":"`, `"}`},
		{"ext-value", "UTF-8''", ""}, {"encoded-word", "=?UTF-8?Q?", "?="},
	} {
		out = append(out, near{w.name, w.before + "${CONFORMANCE_TOKEN}" + w.behind, func(t string) string { return w.before + t + w.behind }})
	}
	return out
}

// perlOut shows what a substitution that makes characters beyond ASCII makes of the token.
func perlOut(script string) string {
	return strings.Replace(perl(script), "perl", "perl -CO", 1)
}

// every writes each character of a token in a format.
func every(format string) func(string) string {
	return func(t string) string {
		var b strings.Builder
		for i := range len(t) {
			fmt.Fprintf(&b, format, t[i])
		}
		return b.String()
	}
}

// first writes the first character of a token in a format.
func first(format string) func(string) string {
	return func(t string) string {
		if t == "" {
			return t
		}
		return every(format)(t[:1]) + t[1:]
	}
}

func letter(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }

// flipped changes the case of a letter.
func flipped(t string, i int) string {
	if i < 0 {
		return t
	}
	return changed(t, i, string(rune(t[i]^32)))
}

// number writes a token of digits in another way; of others it makes nothing.
func number(write func(n uint64) string) func(string) string {
	return func(t string) string {
		n, err := strconv.ParseUint(t, 10, 63)
		return part(err == nil && fmt.Sprint(n) == t, write(n))
	}
}
