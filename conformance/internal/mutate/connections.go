package mutate

import (
	"fmt"
	"strconv"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
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
			c := several(k.kind, message.Accept, 1, len(k.ways), func(g *plan.Gen, draw int) []plan.Step {
				m := g.Baseline()
				fields, after := k.ways[draw](m.Body())
				m.Raw, m.Framing = after, message.AsIs
				m.Fields = append(m.Fields, fields...)
				return []plan.Step{{Message: m}, {Message: g.Baseline(), Sending: plan.Sending{Fresh: !k.whole}}}
			})
			c.Phase = plan.Single // those that wait do so beside others
			out = append(out, c)
		}
		return out
	},
}

var halfClosed = plan.Mutator{
	Name: "half-closed",
	Doc:  "Ends the client's half of the connection behind a request, and sends a valid one on another connection, because a server may still answer the first or give up, but must not fail or answer wrongly.",
	Classes: func(s *plan.Space) []plan.Class {
		ended := func(kind string, cases int, change func(m *message.Message, draw int)) plan.Class {
			c := several(kind, message.Accept, 1, cases, func(g *plan.Gen, draw int) []plan.Step {
				m := g.Baseline()
				change(m, draw)
				m.Ends = true
				return []plan.Step{{Message: m}, {Message: g.Baseline(), Sending: plan.Sending{Fresh: true}}}
			})
			c.Phase = plan.Single
			return c
		}
		out := []plan.Class{ended("half-closed", 2, func(*message.Message, int) {})}
		if list := corruptions(s); len(list) > 0 {
			out = append(out, ended("half-closed-refused", min(2, len(list)), func(m *message.Message, draw int) { list[draw].apply(m) }))
		}
		return out
	},
}

// besideHalf is how many connections a case uses.
const besideHalf = 4

var halfSent = plan.Mutator{
	Name: "half-sent",
	Doc:  "Sends a request in halves while others are sent on other connections, valid ones and refused ones, because a request belongs to its own connection however much of it has come.",
	Classes: func(s *plan.Space) []plan.Class {
		valid := func(*message.Message) {}
		kinds := []corruption{{"valid", valid}}
		if list := corruptions(s); len(list) > 0 {
			kinds = append(kinds, corruption{"refused", list[0].apply})
		}
		if wrong := refusals(s); len(wrong) > 0 {
			kinds = append(kinds, corruption{"wrong-credential", func(m *message.Message) { m.Credentials = wrong[len(wrong)-1].All() }})
		}
		var out []plan.Class
		for i, half := range kinds {
			out = append(out, several("half-sent-"+half.kind, message.Unstated, besideHalf, 1, func(g *plan.Gen, _ int) []plan.Step {
				list := baselines(g, besideHalf)
				list[0].Framing = message.Pieces
				half.apply(list[0])
				for k, m := range list[1:] {
					kinds[(i+1+k)%len(kinds)].apply(m)
				}
				return append(atOnce(list), plan.Step{Message: g.Baseline(), Sending: plan.Sending{Connection: 1}})
			}))
		}
		return out
	},
}

// pipelined sends messages in one piece on a new connection.
func pipelined(list ...*message.Message) []plan.Step {
	out := row(list...)
	out[0].Fresh = true
	for i := range out[1:] {
		out[i+1].Behind = true
	}
	return out
}

// manyPipelined is the length of a long row, and fewCorruptions how many refused bodies are
// tried.
const (
	manyPipelined  = 8
	fewCorruptions = 4
)

var pipelining = plan.Mutator{
	Name: "pipelining",
	Doc:  "Sends several requests in one piece, valid and refused ones, because each has to get its own answer in the same order (RFC 9112, 9.3.2). A server may close the connection after any of them.",
	Classes: func(s *plan.Space) []plan.Class {
		out := []plan.Class{
			several("pipelined", message.Accept, 1, 2, func(g *plan.Gen, _ int) []plan.Step { return pipelined(baselines(g, 3)...) }),
			several("pipelined-many", message.Accept, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
				return pipelined(baselines(g, roomFor(s, manyPipelined))...)
			}),
		}
		var list []corruption
		for _, c := range corruptions(s) {
			if c.kind == "invalid" || c.kind == "not-json" || c.kind == "empty" {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			out = append(out, several("pipelined-after-refused", message.Accept, 1, min(len(list), fewCorruptions), func(g *plan.Gen, draw int) []plan.Step {
				refused := g.Baseline()
				list[(draw*len(list))/min(len(list), fewCorruptions)].apply(refused)
				return pipelined(refused, g.Baseline())
			}))
			out = append(out, several("pipelined-mixed", message.Accept, 1, 2, func(g *plan.Gen, draw int) []plan.Step {
				refused := g.Baseline()
				list[draw%len(list)].apply(refused)
				return pipelined(g.Baseline(), refused, g.Baseline())
			}))
		}
		if wrong := refusals(s); len(wrong) > 0 {
			out = append(out, several("pipelined-credentials", message.Accept, 1, min(2, len(wrong)), func(g *plan.Gen, draw int) []plan.Step {
				return pipelined(g.Baseline(), as(g.Baseline(), wrong[draw]), g.Baseline())
			}),
				several("pipelined-then-credentials", message.RefuseCredential, 1, min(2, len(wrong)), func(g *plan.Gen, draw int) []plan.Step {
					return pipelined(g.Baseline(), as(g.Baseline(), wrong[draw]))
				}))
		}
		for i := range out {
			out[i].Phase = plan.Single // a server that waits before it closes does so beside others
		}
		return out
	},
}

// idleTime is how long a connection is idle, idleLong the same where time matters less:
// longer than the usual five seconds of servers that close such a connection.
const (
	idleTime = time.Second
	idleLong = 6 * time.Second
)

var idleConnections = plan.Mutator{
	Name: "idle-connections",
	Doc:  "Uses a connection again that was idle for a second, and for six with --effort deep, because a server may close it, but must not fail or answer otherwise than before.",
	Classes: func(s *plan.Space) []plan.Class {
		after := func(kind string, idle time.Duration, expected message.Expectation, change func(m *message.Message)) plan.Class {
			c := several(kind, expected, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
				m := g.Baseline()
				change(m)
				return []plan.Step{{Message: g.Baseline(), Sending: plan.Sending{Fresh: true}}, {Message: m, Sending: plan.Sending{Idle: idle}}}
			})
			c.Phase, c.Waits = plan.Single, idle
			return c
		}
		usual := func(*message.Message) {}
		out := []plan.Class{after("idle", idleTime, message.Accept, usual)}
		if s.Long {
			out = append(out, after("idle-long", idleLong, message.Accept, usual))
		}
		if list := corruptions(s); len(list) > 0 {
			out = append(out, after("idle-then-refused", idleTime, message.Unstated, list[0].apply))
		}
		if wrong := refusals(s); len(wrong) > 0 {
			out = append(out, after("idle-then-credential", idleTime, message.RefuseCredential, func(m *message.Message) { m.Credentials = wrong[0].All() }))
		}
		return out
	},
}

// wideTexts stand behind a word, in characters of two and four bytes.
var wideTexts = []string{"é", "🌵"}

var piecesAgain = plan.Mutator{
	Name: "pieces-again",
	Doc:  "Sends a text with characters of several bytes in one piece, and again in a request that is cut inside a character, because code that decodes each piece by itself loses the character. The first request shows whether the text is allowed.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			if !p.Required || !free(p.Schema) || p.Schema.ReadOnly || p.Schema.Never {
				continue // the pre-flight repeats the values of required members
			}
			return []plan.Class{several(openapi.NameSlug(p.Name)+"-in-pieces", message.Unstated, 1, len(wideTexts), func(g *plan.Gen, draw int) []plan.Step {
				text := jsontree.NewString(g.Word() + wideTexts[draw])
				whole, cut := g.Baseline(), g.Baseline()
				whole.Tree.Set(p.Name, text)
				cut.Tree.Set(p.Name, text.Clone())
				cut.Framing = message.Pieces
				return []plan.Step{{Message: whole}, {Message: cut, From: plan.Taken{}}}
			})}
		}
		return nil
	},
}
