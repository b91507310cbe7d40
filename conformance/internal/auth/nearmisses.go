package auth

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// hashes are credentials with the checksum or the hash of the valid one, and its usual
// digests themselves.
func hashes() []near {
	out := []near{
		{"neighbours-swapped", perl(`s/(.)(?!\1)(.)/$2$1/`), neighboursSwapped},
		{"sorted", perl(`$_ = join("", sort(split(//)))`), func(t string) string {
			b := []byte(t)
			slices.Sort(b)
			return string(b)
		}},
		{"halves-swapped", "${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2}${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}",
			func(t string) string { return t[len(t)/2:] + t[:len(t)/2] }},
		sums("same-sum", sum{`[0-8A-Ya-y][1-9B-Zb-z]`, []int{1, -1}}),
		sums("same-adler", sum{`[0-8A-Ya-y][2-9C-Zc-z][0-8A-Ya-y]`, []int{1, -2, 1}}),
		// The hash of strings in Java and Kotlin, that of Bernstein, and one in many textbooks.
		sums("same-hash-31", sum{`[0-8A-Ya-y][a-y]`, []int{1, -31}}, sum{`[1-9B-Zb-z][0-9B-Z]`, []int{-1, 31}}),
		sums("same-hash-33", sum{`[0-8A-Ya-y][b-z]`, []int{1, -33}}, sum{`[1-9B-Zb-z][0-9A-Y]`, []int{-1, 33}}),
		sums("same-hash-37", sum{`[0-8A-Ya-y][f-z]`, []int{1, -37}}, sum{`[1-9B-Zb-z][0-9A-U]`, []int{-1, 37}}),
		{"same-xor", perl("s/([2-9B-Yb-y])([2-9B-Yb-y])/chr(ord($1)^1).chr(ord($2)^1)/e"), sameXor},
		{"md5-in-base64", digestShown("md5sum", 32) + ` | perl -ne 'chomp; print pack("H*", $_)' | base64)`, func(t string) string {
			d := md5.Sum([]byte(t))
			return base64.StdEncoding.EncodeToString(d[:])
		}},
		{"sha256-in-base64", digestShown("sha256sum", 64) + ` | perl -ne 'chomp; print pack("H*", $_)' | base64)`, func(t string) string {
			d := sha256.Sum256([]byte(t))
			return base64.StdEncoding.EncodeToString(d[:])
		}},
	}
	for _, d := range []struct {
		name, command string
		length        int
		of            func(string) []byte
	}{
		{"md5", "md5sum", 32, func(t string) []byte { d := md5.Sum([]byte(t)); return d[:] }},
		{"sha1", "sha1sum", 40, func(t string) []byte { d := sha1.Sum([]byte(t)); return d[:] }},
		{"sha256", "sha256sum", 64, func(t string) []byte { d := sha256.Sum256([]byte(t)); return d[:] }},
	} {
		out = append(out, near{d.name + "-in-hex", digestShown(d.command, d.length) + ")", func(t string) string { return hex.EncodeToString(d.of(t)) }})
	}
	return out
}

// digestShown begins a command that writes a digest in hexadecimal.
func digestShown(command string, length int) string {
	return fmt.Sprintf(`$(printf %%s "$CONFORMANCE_TOKEN" | %s | cut -c1-%d`, command, length)
}

// sum is neighbouring characters, and what is added to each so that a checksum stays.
type sum struct {
	pattern string
	add     []int
}

// sums changes the first characters that one of the patterns matches.
func sums(name string, list ...sum) near {
	script := ""
	patterns := make([]*regexp.Regexp, 0, len(list))
	for _, s := range list {
		patterns = append(patterns, regexp.MustCompile(s.pattern))
		if script != "" {
			script += " || "
		}
		by := ""
		for i, n := range s.add {
			if i > 0 {
				by += "."
			}
			by += fmt.Sprintf("chr(ord(substr($&,%d,1))%+d)", i, n)
		}
		script += "s/" + s.pattern + "/" + by + "/e"
	}
	return near{name, perl(script), func(t string) string {
		for k, s := range list {
			if at := patterns[k].FindStringIndex(t); at != nil {
				b := []byte(t)
				for i, n := range s.add {
					b[at[0]+i] = byte(int(b[at[0]+i]) + n)
				}
				return string(b)
			}
		}
		return t
	}}
}

func neighboursSwapped(t string) string {
	b := []byte(t)
	for i := 1; i < len(b); i++ {
		if b[i-1] != b[i] {
			b[i-1], b[i] = b[i], b[i-1]
			break
		}
	}
	return string(b)
}

// sameXor flips the lowest bit of two neighbours.
func sameXor(t string) string {
	at := regexp.MustCompile(`[2-9B-Yb-y][2-9B-Yb-y]`).FindStringIndex(t)
	if at == nil {
		return t
	}
	b := []byte(t)
	b[at[0]] ^= 1
	b[at[0]+1] ^= 1
	return string(b)
}

// partials are credentials that are right in the part that a careless comparison looks
// at, and as long as the valid one.
func partials() []near {
	const all, half = "CONFORMANCE_TOKEN", "${#CONFORMANCE_TOKEN}/2"
	out := []near{
		{"first-half-kept", "${" + all + ":0:" + half + "}" + shownCrossedOut("${"+all+":"+half+"}"), func(t string) string { return keepFirst(t, len(t)/2) }},
		{"last-half-kept", shownCrossedOut("${"+all+":0:"+half+"}") + "${" + all + ":" + half + "}", func(t string) string { return crossedOut(t[:len(t)/2]) + t[len(t)/2:] }},
		{"last-8-kept", shownCrossedOut("${"+all+":0:${#"+all+"}-8}") + "${" + all + ": -8}", func(t string) string { return crossedOut(cutLast(t, 8)) + t[max(0, len(t)-8):] }},
		{"every-second-kept", perl("s/(.)[A-Za-z0-9]/$1x/g"), replaced(`(.)[A-Za-z0-9]`, "${1}x")},
		{"every-other-second-kept", perl("s/[A-Za-z0-9](.)/x$1/g"), replaced(`[A-Za-z0-9](.)`, "x${1}")},
	}
	for _, n := range []struct {
		name  string
		bytes int
	}{{"4", 4}, {"8", 8}, {"16", 16}, {"32", 32}, {"72", 72}} { // 72 are all that bcrypt reads
		out = append(out, near{"first-" + n.name + "-kept", "${" + all + ":0:" + n.name + "}" + shownCrossedOut("${"+all+":"+n.name+"}"),
			func(t string) string { return keepFirst(t, n.bytes) }})
	}
	for _, s := range []struct{ name, by string }{{"dash", "-"}, {"dot", "."}, {"underscore", "_"}, {"colon", ":"}} {
		out = append(out,
			near{"behind-" + s.name + "-changed", "${" + all + "%%" + s.by + "*}" + s.by + shownCrossedOut("${"+all+"#*"+s.by+"}"), func(t string) string {
				first, rest, found := strings.Cut(t, s.by)
				return part(found, first+s.by+crossedOut(rest))
			}},
			near{"before-" + s.name + "-changed", shownCrossedOut("${"+all+"%"+s.by+"*}") + s.by + "${" + all + "##*" + s.by + "}", func(t string) string {
				i := strings.LastIndex(t, s.by)
				return part(i >= 0, crossedOut(t[:max(i, 0)])+t[max(i, 0):])
			}})
	}
	for _, s := range []struct{ name, by, show string }{{"blank", " ", " "}, {"comma", ",", ","}, {"tab", "\t", `$(printf '\t')`}} {
		out = append(out, near{"split-by-" + s.name, "${" + all + ":0:" + half + "}" + s.show + "${" + all + ":" + half + "}",
			func(t string) string { return t[:len(t)/2] + s.by + t[len(t)/2:] }})
	}
	for _, s := range []struct{ name, more string }{
		{"dot", ".x"}, {"underscore", "_x"}, {"equals", "=x"}, {"at", "@x"}, {"quote", "'--"},
		{"encoded-nul", "%00x"}, {"nul-escape", `\0x`}, {"unicode-nul-escape", `\u0000x`}, {"encoded-line", "%0Ax"},
	} {
		out = append(out, near{s.name + "-and-more", "${" + all + "}" + s.more, func(t string) string { return t + s.more }})
	}
	return out
}

// part is a text, or nothing where a token does not have the part that it is about.
func part(found bool, text string) string {
	if !found {
		return ""
	}
	return text
}

func keepFirst(t string, n int) string {
	n = min(n, len(t))
	return t[:n] + crossedOut(t[n:])
}

// crossedOut hides letters and digits, so that length and punctuation stay.
func crossedOut(t string) string {
	return strings.Map(func(r rune) rune {
		if letter(r) || r >= '0' && r <= '9' {
			return 'x'
		}
		return r
	}, t)
}

func shownCrossedOut(text string) string {
	return `$(printf %s "` + text + `" | tr A-Za-z0-9 x)`
}

// perl shows what a substitution makes of the token.
func perl(script string) string {
	return `$(printf %s "$CONFORMANCE_TOKEN" | perl -pe '` + script + `')`
}

func replaced(pattern, by string) func(string) string {
	p := regexp.MustCompile(pattern)
	return func(t string) string { return p.ReplaceAllString(t, by) }
}

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
