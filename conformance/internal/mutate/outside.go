package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// marks are signs that a pattern may leave out, each by itself.
const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t 0Aaé植\n"

// mostMarks is how many of them are tried at a place.
const mostMarks = 8

// outsidePattern are texts with a sign in the middle that the pattern does not take.
func (p *place) outsidePattern(s *plan.Space) []plan.Class {
	if !p.patterned() {
		return nil
	}
	shape := s.Op.Params
	if !p.section {
		shape = s.Op.Body.Shape
	}
	text := generate.Probe(s.Op).BaselineText(p.schema)
	var out []string
	for _, mark := range marks {
		if shape.Mismatches(p.schema.Pattern, split(string(mark))(text)) {
			out = append(out, string(mark))
		}
	}
	return unlabelled(invalid(s, p.where(), "outside-pattern", spread(out, mostMarks), func(g *generate.Gen, mark string) *message.Message {
		return p.with(g, jsontree.NewString(split(mark)(g.BaselineText(p.schema))))
	}))
}

// Parts of long addresses (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4).
const (
	mostLocal = 64
	mostLabel = 60
	mostHost  = 253
)

// ofFormat returns a text of a format with n characters, or an empty one if this suite
// cannot make it.
func ofFormat(s *openapi.Schema, n int) string {
	switch s.Format {
	case "email", "idn-email":
		local := min(mostLocal, n-len("@example.com"))
		if local < 1 {
			return ""
		}
		if domain := host(n - local - 1); domain != "" {
			return strings.Repeat("a", local) + "@" + domain
		}
	case "hostname", "idn-hostname":
		return host(n)
	case "uri", "url", "iri", "uri-reference", "iri-reference":
		const begin = "https://example.com/"
		if n > len(begin) {
			return begin + strings.Repeat("a", n-len(begin))
		}
	}
	return ""
}

// host returns a host name of n characters.
func host(n int) string {
	const end = "example.com"
	if n < len(end) || n == len(end)+1 || n > mostHost {
		return ""
	}
	out := end
	for left := n - len(end); left > 0; left = n - len(out) {
		label := min(mostLabel, left-1)
		if left-1-label == 1 {
			label-- // what is left has room for a dot and a letter
		}
		out = strings.Repeat("b", label) + "." + out
	}
	return out
}
