package mutate

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/serialize"
)

// styleGroup is one kind of white space.
type styleGroup struct {
	kind   string
	styles []jsontree.Style
}

// everywhere puts the same white space wherever the grammar allows it (RFC
// 8259, section 2).
func everywhere(w string) jsontree.Style {
	return jsontree.Style{Before: w, After: w, Colon: w + ":" + w, Comma: w + "," + w, Open: w, Close: w}
}

var styles = []styleGroup{
	{"blanks", []jsontree.Style{everywhere(" "), {Colon: ": ", Comma: ", "}, {Colon: " :", Comma: " ,"}, {Open: " ", Close: " "}}},
	{"long-blanks", []jsontree.Style{everywhere(strings.Repeat(" ", 40)), {Colon: ":" + strings.Repeat(" ", 500)}}},
	{"newlines", []jsontree.Style{everywhere("\n"), everywhere("\r\n"), everywhere("\r"), everywhere("\n\n\n")}},
	{"tabs", []jsontree.Style{everywhere("\t"), everywhere("\t\t \t")}},
	{"mixed-white-space", []jsontree.Style{everywhere(" \n"), everywhere("\r\n\t "), everywhere(" \t\r\n \t\r\n")}},
	{"indented", []jsontree.Style{{Indent: "  "}, {Indent: "\t"}, {Indent: "    ", After: "\n"}, {Indent: "\r"}}},
	{"leading-white-space", []jsontree.Style{{Before: " "}, {Before: "\n"}, {Before: "\r\n\t "}, {Before: strings.Repeat(" ", 1000)}}},
	{"trailing-white-space", []jsontree.Style{{After: " "}, {After: "\n"}, {After: "\r\n"}, {After: "\r\n\r\n"}, {After: strings.Repeat("\n", 1000)}}},
}

var whiteSpace = plan.Mutator{
	Name: "white-space",
	Doc:  "Puts white space wherever JSON allows it, because a hand-written parser accepts it only in the usual places (RFC 8259, 2).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, group := range styles {
			out = append(out, sorted(s, wholeBody, group.kind, group.styles, changed(func(m *message.Message, style jsontree.Style) {
				m.Style = style
			}))...)
		}
		return out
	},
}

// escaped is a spelling of a text; the text is put where any text may stand.
type escaped struct {
	text string
	mode jsontree.EscapeMode
}

type escapeGroup struct {
	kind          string
	names, values bool
	list          []escaped
	optional      bool // in a body with the optional members
}

const upper = jsontree.All | jsontree.UpperHex

var escapes = []escapeGroup{
	{kind: "escaped-names", names: true, list: []escaped{{"§", jsontree.All}, {"§", upper}, {"§", jsontree.All}}},
	{kind: "escaped-optional-names", names: true, list: []escaped{{"§", jsontree.All}, {"§", upper}}, optional: true},
	{kind: "escaped-values", values: true, list: []escaped{{"§", jsontree.All}, {"jklmnoz §", upper}, {"a b c §", jsontree.All}}},
	{kind: "escaped-all", names: true, values: true, list: []escaped{{"§", jsontree.All}, {"jkmno §", upper}}},
	{kind: "escaped-latin", values: true, list: []escaped{{"é ü ß §", jsontree.ASCII}, {"Çñø §", jsontree.ASCII | jsontree.UpperHex}}},
	{kind: "escaped-wide", values: true, list: []escaped{{"漢字 §", jsontree.ASCII}, {"ключ § 한", jsontree.ASCII | jsontree.UpperHex}}},
	{kind: "escaped-pairs", values: true, list: []escaped{{"🌱 §", jsontree.ASCII}, {"§ 𝒜🌵", jsontree.ASCII | jsontree.UpperHex}, {"𠮷§", upper}}},
	{kind: "escaped-solidus", values: true, list: []escaped{{"a/b §", jsontree.Solidus}, {"</p> §", jsontree.Solidus}, {"/§/", jsontree.Solidus}}},
	{kind: "escaped-short", values: true, list: []escaped{{`say "hi" §`, jsontree.Minimal}, {`back\slash §`, jsontree.Minimal}, {`"\/" §`, jsontree.All | jsontree.Short}}},
	{kind: "escaped-long", values: true, list: []escaped{{`say "hi" §`, jsontree.Long}, {`back\slash §`, jsontree.Long}, {`a/b §`, jsontree.All}}},
}

var escaping = plan.Mutator{
	Name: "escapes",
	Doc:  "Spells names and strings with escapes, because the same text in other bytes is the same value (RFC 8259, 7).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		at := freeTexts(s)
		var out []plan.Class
		for _, group := range escapes {
			if len(at) == 0 && !group.names || group.optional && len(optional(s)) == 0 {
				continue
			}
			classes := sorted(s, wholeBody, group.kind, group.list, func(g *plan.Gen, e escaped) *message.Message {
				m := g.Baseline()
				if group.optional {
					m = full(s, g)
				}
				if len(at) > 0 && e.text != "§" {
					at[0].set(m, jsontree.NewString(fill(g, e.text)))
				}
				m.Tree.Walk(func(_ string, v *jsontree.Value) {
					if group.values && v.Kind == jsontree.String {
						v.Raw = jsontree.Quote(v.Text, e.mode)
					}
					for i := range v.Members {
						if group.names {
							v.Members[i].Raw = jsontree.Quote(v.Members[i].Name, e.mode)
						}
					}
				})
				return m
			})
			if group.optional {
				classes = written(classes)
			}
			out = append(out, classes...)
		}
		return out
	},
}

// notation is how another language writes an object: what stands around the members, between
// name and value, and around names and texts. Readers of such a language may refuse a mixture
// of it and JSON.
type notation struct {
	open, colon, close string
	name, text         string // the quotes
	null               string
}

var notations = []notation{
	{open: "{", colon: ": ", close: "}", name: "'", text: "'", null: "None"},   // Python
	{open: "{", colon: ": ", close: ",}", text: "'", null: "null"},             // JavaScript, and JSON5
	{open: "{", colon: ": ", close: "}", null: "~"},                            // YAML, a flow mapping
	{open: "{", colon: " => ", close: "}", name: `"`, text: `"`, null: "nil"},  // Ruby
	{open: "[", colon: " => ", close: "]", name: "'", text: "'", null: "null"}, // PHP
	{open: "Body{", colon: ":", close: "}", text: `"`, null: "nil"},            // Go, Rust and others
}

// inNotations write a body in each notation.
func inNotations() []func(*message.Message, []byte) []byte {
	out := make([]func(*message.Message, []byte) []byte, len(notations))
	for i, n := range notations {
		out[i] = func(m *message.Message, _ []byte) []byte { return n.of(m) }
	}
	return out
}

func (n notation) of(m *message.Message) []byte {
	parts := make([]string, 0, len(m.Tree.Members))
	for _, f := range m.Tree.Members {
		parts = append(parts, n.name+f.Name+n.name+n.colon+n.value(f.Value))
	}
	return []byte(n.open + strings.Join(parts, ", ") + n.close)
}

func (n notation) value(v *jsontree.Value) string {
	switch v.Kind {
	case jsontree.String:
		return n.text + v.Text + n.text
	case jsontree.Null:
		return n.null
	}
	return v.String()
}

// spelling is an ordinary way to write a text of a format. It is made of a text in the plainest
// one, so that it is fresh too.
type spelling struct {
	kind  string
	spell func(g *plan.Gen, plain string) string
}

func spelt(kind string, spell func(string) string) spelling {
	return spelling{kind, func(_ *plan.Gen, plain string) string { return spell(plain) }}
}

// spellings are the ways in which people write texts of a format, as far as every check of the
// format takes them.
func spellings(format string) []spelling {
	switch format {
	case "date-time":
		return append(append(clocks(), dates()...), spelt("lower-case", strings.ToLower), spelt("end-of-day", clock("23:59:59")), spelt("leap-second", clock("23:59:60")), spelt("midnight", clock("00:00:00")),
			spelt("nanoseconds", replaced("Z", ".123456789Z")), spelt("unknown-offset", replaced("Z", "-00:00")))
	case "date":
		return dates()
	case "time":
		return clocks()
	case "duration":
		return []spelling{
			spelt("minutes", durationOf("PT%dM")), spelt("hours-and-minutes", durationOf("PT1H%dM")),
			spelt("days-and-hours", durationOf("P%dDT12H")), spelt("seconds", durationOf("PT%dS")),
		}
	case "email", "idn-email":
		return []spelling{
			spelt("dot", before("ann.")), spelt("plus", replaced("@", "+news@")), spelt("subdomain", replaced("@", "@mail.")),
			spelt("hyphens", func(s string) string { return "ann-lee_" + strings.Replace(s, "@", "@my-", 1) }),
		}
	case "hostname", "idn-hostname":
		return []spelling{spelt("hyphen", before("my-")), spelt("subdomain", before("eu.mail.")), spelt("digit-first", before("3"))}
	case "ipv4":
		return []spelling{spelt("long-parts", replaced("10.", "203.")), spelt("high-parts", address("192.168.%[3]d.254"))}
	case "ipv6":
		return []spelling{
			{"loopback", loopback}, spelt("no-zeros-left-out", address("2001:0db8:0000:0000:0000:0000:%02[3]x%02[4]x:00%02[4]x")),
			spelt("zeros-at-the-end", address("2001:db8:%[3]x:%[4]x::")), spelt("link-local", address("fe80::%[3]x:%[4]x")),
		}
	case "uri", "iri":
		return append(references(), spelt("port", replaced(".com/", ".com:8443/")), spelt("subdomain", replaced("//", "//my-shop.")))
	case "uri-reference", "iri-reference":
		return append(references(), spelt("absolute", before("https://example.com")), spelt("relative", func(s string) string { return s[1:] + "/part" }))
	case "uri-template":
		return []spelling{spelt("variable", behind("/{id}")), spelt("query-variables", behind("{?page,size}"))}
	case "json-pointer":
		return []spelling{spelt("index", behind("/items/0")), spelt("escaped", behind("/a~1b~0c"))}
	case "relative-json-pointer":
		return []spelling{spelt("index", replaced("1/", "0/items/")), spelt("name", func(string) string { return "2#" })}
	case "regex":
		return []spelling{spelt("anchors", func(s string) string { return "^" + s + "[a-z0-9]+$" }), spelt("group", func(s string) string { return "(" + s + "|b.c)*" })}
	case "byte":
		return []spelling{spelt("one-pad", ending("8=")), spelt("two-pads", ending("w==")), spelt("signs", before("+/+/"))}
	case "base64url":
		return []spelling{spelt("signs", before("-_-_"))}
	}
	return nil
}

// clocks have an offset and fractions of a second, which code that reads only the form with Z
// does not expect.
func clocks() []spelling {
	return []spelling{
		spelt("offset", replaced("Z", "+02:00")), spelt("offset-behind", replaced("Z", "-05:30")),
		spelt("fraction", replaced("Z", ".123Z")), spelt("fraction-and-offset", replaced("Z", ".5+01:00")),
	}
}

// dates are days that programs get wrong if they count days and years themselves. Days far from now
// may break a rule that only a text states.
func dates() []spelling {
	another := func(date string) func(string) string {
		return func(s string) string { return date + s[min(len(date), len(s)):] }
	}
	return []spelling{
		spelt("first-of-year", day("01-01")), spelt("last-of-year", day("12-31")), spelt("leap-day", leapDay),
		spelt("before-1900", another("1899-12-31")), spelt("before-1970", another("1969-07-20")), spelt("after-2038", another("2039-06-15")),
	}
}

// leapDay writes the leap day of the same year or of one of the three before it.
func leapDay(s string) string {
	year, err := strconv.Atoi(s[:min(4, len(s))])
	if err != nil {
		return s
	}
	return fmt.Sprintf("%04d", year-year%4) + day("02-29")(s)[4:]
}

// day writes another day of the year of a date.
func day(of string) func(string) string {
	return func(s string) string {
		if len(s) < len("2006-01-02") {
			return s
		}
		return s[:len("2006-")] + of + s[len("2006-01-02"):]
	}
}

// clock writes another time of the day of a date-time.
func clock(of string) func(string) string {
	return func(s string) string {
		date, behind, found := strings.Cut(s, "T")
		if !found || len(behind) < len(of) {
			return s
		}
		return date + "T" + of + behind[len(of):]
	}
}

func references() []spelling {
	return []spelling{spelt("query", behind("?page=2&sort=name")), spelt("fragment", behind("#part-2")), spelt("escape", behind("/caf%C3%A9"))}
}

func replaced(old, by string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, by, 1) }
}

// ending replaces the last characters.
func ending(by string) func(string) string {
	return func(s string) string { return s[:max(0, len(s)-len(by))] + by }
}

// durationOf writes the days of a duration as a number of something else, below 24.
func durationOf(form string) func(string) string {
	return func(s string) string {
		n := 0
		_, _ = fmt.Sscanf(s, "P%dD", &n) // without a number it is 0
		return fmt.Sprintf(form, n%23+1)
	}
}

// address writes the last four bytes of an address in another form.
func address(form string) func(string) string {
	return func(s string) string {
		a, err := netip.ParseAddr(s)
		if err != nil {
			return s
		}
		b := a.AsSlice()
		b = b[len(b)-4:]
		return fmt.Sprintf(form, b[0], b[1], b[2], b[3])
	}
}

// loopback is the best known address, and for a neighbour another one of its form.
func loopback(g *plan.Gen, plain string) string {
	if g.Identity().Neighbour == 0 {
		return "::1"
	}
	return address("::%02[3]x%02[4]x")(plain)
}

// spelled are texts of a format in other ways to write them than the plainest. Each is a class
// of its own: where few cases are tried, one of a list would be left out.
func (p *place) spelled(s *plan.Space) []plan.Class {
	if p.schema.Type() != "string" || p.schema.Enum != nil || p.schema.Const != nil {
		return nil
	}
	var out []plan.Class
	for _, one := range spellings(p.schema.Format) {
		classes := sorted(s, p.where(), one.kind, []spelling{one}, func(g *plan.Gen, one spelling) *message.Message {
			return p.with(g, jsontree.NewString(one.spell(g, g.BaselineText(p.schema))))
		})
		out = append(out, ahead(classes)...)
	}
	return out
}

// files are a file without a byte and one with bytes that are no text, as images have them. Both may be
// refused, but code that reads the first bytes, or takes each file for a text, fails.
func (p *place) files(s *plan.Space) []plan.Class {
	if p.section || !s.Op.Body.Form() {
		return nil
	}
	whole := p.path == "" && !serialize.IsText(s.Op.Body.Media) && p.schema.Type() != "object"
	var out []plan.Class
	for _, one := range []struct {
		kind, text string
		tried      bool
	}{{"empty-file", "", p.schema.Format == "binary"}, {"octets", "\x89PNG\r\n\x1A\n\x00\x00\xFF\xD8", p.schema.Format == "binary" || whole}} {
		if one.tried {
			out = append(out, ahead(mayRefuse(s, p.where(), one.kind, []string{one.text}, func(g *plan.Gen, text string) *message.Message {
				return p.with(g, jsontree.NewString(text))
			}))...)
		}
	}
	return out
}
