package mutate

import (
	"fmt"
	"strconv"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// reframed is a body that travels in an unusual or wrong way.
type reframed func(body []byte) (fields []exchange.Field, after []byte)

// lengths frames a body, and what follows it, with Content-Length fields that are made
// from its length.
func lengths(behind string, of ...func(n int) string) reframed {
	return func(body []byte) ([]exchange.Field, []byte) {
		var fields []exchange.Field
		for _, f := range of {
			fields = append(fields, exchange.Field{Name: "Content-Length", Value: f(len(body))})
		}
		return fields, append(body[:len(body):len(body)], behind...)
	}
}

// spelt writes a length with a format.
func lengthSpelt(format string) func(int) string {
	return func(n int) string { return fmt.Sprintf(format, n) }
}

// instead writes a text where a length belongs.
func instead(text string) func(int) string { return func(int) string { return text } }

// longer adds to a length.
func lengthBy(by int) func(int) string {
	return func(n int) string { return strconv.Itoa(max(n+by, 0)) }
}

// coded frames a body with Transfer-Encoding fields and a text in which %x is its length
// and %s itself.
func coded(text string, codings ...string) reframed {
	return func(body []byte) ([]exchange.Field, []byte) {
		var fields []exchange.Field
		for _, c := range codings {
			fields = append(fields, exchange.Field{Name: "Transfer-Encoding", Value: c})
		}
		return fields, fmt.Appendf(nil, text, len(body), body)
	}
}

// framings are ways of framing by what is unusual about them. Those of bodies need one.
var framings = []struct {
	kind   string
	bodies bool
	whole  bool // the next request travels on the same connection
	ways   []reframed
}{
	{"length-malformed", false, false, []reframed{lengths("", lengthSpelt("-%d")), lengths("", instead("abc")), lengths("", instead("")), lengths("", lengthSpelt("+%d")),
		lengths("", lengthSpelt("%#x")), lengths("", lengthSpelt("%d.0")), lengths("", lengthSpelt("99999999999999999999%d"))}},
	{"lengths-differ", true, false, []reframed{lengths("", lengthBy(0), lengthBy(-1)), lengths("", lengthBy(-1), lengthBy(0)), lengths("", lengthSpelt("%d, 1"))}},
	{"length-repeated", true, true, []reframed{lengths("", lengthBy(0), lengthBy(0)), lengths("", lengthSpelt("%[1]d, %[1]d")), lengths("", lengthSpelt("000%d"))}},
	{"length-too-small", true, false, []reframed{lengths("", lengthBy(-1)), lengths("\r\n", lengthBy(0)), lengths("")}},
	{"length-too-large", true, false, []reframed{lengths("", lengthBy(1)), lengths("", lengthBy(5000))}},
	{"chunks-malformed", true, false, []reframed{coded("zz%[2]s\r\n0\r\n\r\n", "chunked"), coded("-%x\r\n%s\r\n0\r\n\r\n", "chunked"), coded("1\r\n%[2]s\r\n0\r\n\r\n", "chunked"),
		coded("fffffffffffffffff%x\r\n%s\r\n0\r\n\r\n", "chunked"), coded("\r\n%[2]s\r\n0\r\n\r\n", "chunked")}},
	{"chunks-end-early", true, false, []reframed{coded("%x\r\n%s\r\n", "chunked"), coded("%x\r\n%s\r\n0\r\n", "chunked"), coded("f%x\r\n%s", "chunked")}},
	{"chunks-unusual", true, true, []reframed{coded("%x;a=b;c=\"d;e\"\r\n%s\r\n0;last\r\n\r\n", "chunked"), coded("000%X\r\n%s\r\n000\r\n\r\n", "Chunked"),
		coded("%x\r\n%s\r\n0\r\nX-Checksum: 1\r\n\r\n", "chunked")}},
	{"coding-unknown", true, false, []reframed{coded("%[2]s", "gzip"), coded("%x\r\n%s\r\n0\r\n\r\n", "gzip, chunked"), coded("%x\r\n%s\r\n0\r\n\r\n", "x-none"),
		coded("%x\r\n%s\r\n0\r\n\r\n", "chunked", "chunked")}},
	{"length-and-chunks", true, false, []reframed{func(body []byte) ([]exchange.Field, []byte) {
		fields, after := coded("%x\r\n%s\r\n0\r\n\r\n", "chunked")(body)
		return append(fields, exchange.Field{Name: "Content-Length", Value: strconv.Itoa(len(after))}), after
	}}},
}

var brokenFraming = plan.Mutator{
	Name: "broken-framing",
	Doc:  "Sends a request with malformed or unusual lengths, chunks and codings, and a valid one on another connection, because a server may refuse the first or close (RFC 9112, 6.3), but must not fail, hang or be worse for it.",
	Classes: func(s *plan.Space) []plan.Class {
		if s.Op.Body != nil && !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, k := range framings {
			if k.bodies && s.Op.Body == nil {
				continue
			}
			c := several(k.kind, plan.ExpectMustAccept, 1, len(k.ways), func(g *generate.Gen, draw int) []plan.Step {
				m := g.Baseline()
				fields, after := k.ways[draw](m.Body())
				m.Raw, m.Framing = after, message.AsIs
				m.Fields = append(m.Fields, fields...)
				return []plan.Step{{Message: m}, {Message: g.Baseline(), Fresh: !k.whole}}
			})
			c.Phase = plan.Single // those that wait do so beside others
			out = append(out, c)
		}
		return out
	},
}
