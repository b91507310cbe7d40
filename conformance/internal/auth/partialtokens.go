package auth

import (
	"regexp"
	"strings"
)

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
