package mutate

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf16"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// cutEscapeTexts are the beginnings of an escape, and of a pair of them.
var cutEscapeTexts = []string{`\`, `\u`, `\u1`, `\u12`, `\u123`, `\uD83D`, `\uD83D\`, `\uD83D\u`, `\uD83D\uD`, `\uD83D\uDE`, `\uD83D\uDE0`}

// cutEscapePlaces say where the escape stands: in a value or a name, and how much of the
// body is behind it.
var cutEscapePlaces = []struct {
	kind   string
	inName bool
	behind string
}{
	{"value-ends", false, `"}`}, {"value-and-body-end", false, ""}, {"name-and-body-end", true, ""},
}

var cutEscapes = plan.Mutator{
	Name: "cut-escapes",
	Doc:  "Ends a string, or the body, after each character of an escape, because scanners read the four digits of an escape without a look at what is left.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || plan.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
			return nil
		}
		var out []plan.Class
		for _, at := range cutEscapePlaces {
			build := changed(func(m *message.Message, text string) {
				member := `"` + stray + `":"a` + text
				if at.inName {
					member = `"` + stray + text
				}
				m.Raw = bytes.TrimSuffix(insideObject(m, member), []byte("}"))
				m.Raw = append(m.Raw, at.behind...)
			})
			var texts []string
			for _, text := range cutEscapeTexts {
				if _, err := jsontree.Parse(build(plan.Probe(s.Op), text).Raw); err != nil {
					texts = append(texts, text)
				}
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, at.kind), texts, build)...)
		}
		return out
	},
}

// letterChanges replace one letter of a literal with something that a careless
// comparison takes for it.
var letterChanges = []func(c string) string{
	strings.ToUpper,
	func(c string) string { return string(rune(c[0] + 1)) },
	func(c string) string { return string(rune(c[0]) - 'a' + 'ａ') }, // in full width
}

var literalLetters = plan.Mutator{
	Name: "literal-letters",
	Doc:  "Changes one letter of true, false and null in an unknown member, because scanners look at the first letter and the length.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || plan.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
			return nil
		}
		var list []string
		for _, word := range []string{"true", "false", "null"} {
			for i := range word {
				for k, change := range letterChanges {
					if k < 2 || i == len(word)-1 {
						list = append(list, word[:i]+change(word[i:i+1])+word[i+1:])
					}
				}
			}
		}
		var out []plan.Class
		for _, in := range []struct{ kind, before, behind string }{{"member", "", ""}, {"item", "[1,", "]"}} {
			texts := list
			if in.kind == "item" {
				texts = spread(list, len(list)/3)
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, in.kind), texts, changed(func(m *message.Message, text string) {
				m.Raw = insideObject(m, `"`+stray+`":`+in.before+text+in.behind)
			}))...)
		}
		return out
	},
}

func asForm(m *message.Message, _ []byte) []byte {
	form := url.Values{}
	for _, f := range m.Tree.Members {
		form.Set(f.Name, plainText(f.Value))
	}
	form.Set("x", "y")
	return []byte(form.Encode())
}

func asXML(m *message.Message, _ []byte) []byte {
	b := bytes.NewBufferString(`<?xml version="1.0"?><root>`)
	for _, f := range m.Tree.Members {
		fmt.Fprintf(b, "<%s>%s</%s>", f.Name, plainText(f.Value), f.Name)
	}
	return append(b.Bytes(), "</root>"...)
}

func asYAML(m *message.Message, _ []byte) []byte { return lines(m, ": ", "\n") }

func asLines(m *message.Message, _ []byte) []byte { return lines(m, "=", "\n") }

func lines(m *message.Message, between, end string) []byte {
	var b []byte
	for _, f := range m.Tree.Members {
		b = append(b, f.Name+between+plainText(f.Value)+end...)
	}
	return append(b, "x"+between+"y"+end...)
}

func asMultipart(m *message.Message, _ []byte) []byte {
	var b []byte
	for _, f := range m.Tree.Members {
		b = append(b, "--b\r\nContent-Disposition: form-data; name=\""+f.Name+"\"\r\n\r\n"+plainText(f.Value)+"\r\n"...)
	}
	return append(b, "--b--\r\n"...)
}

// asBinary is the body in MessagePack, texts alone.
func asBinary(m *message.Message, _ []byte) []byte {
	b := []byte{0x80 | byte(len(m.Tree.Members)&15)}
	for _, f := range m.Tree.Members {
		for _, t := range []string{f.Name, plainText(f.Value)} {
			b = append(append(b, 0xA0|byte(len(t)&31)), t...)
		}
	}
	return b
}

func plainText(v *jsontree.Value) string {
	if v.Kind == jsontree.String {
		return v.Text
	}
	return v.String()
}

func zipped(_ *message.Message, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		return nil
	}
	if err := w.Close(); err != nil {
		return nil
	}
	return out.Bytes()
}

func asBase64(_ *message.Message, b []byte) []byte {
	return []byte(base64.StdEncoding.EncodeToString(b))
}

func asURL(_ *message.Message, b []byte) []byte { return []byte(url.QueryEscape(string(b))) }

func asHex(_ *message.Message, b []byte) []byte { return fmt.Appendf(nil, "x%x", b) }

// wideEncodings are the forms that RFC 4627, section 3, knew beside UTF-8.
var wideEncodings = []func(*message.Message, []byte) []byte{
	utf16As(binary.LittleEndian, false), utf16As(binary.BigEndian, false), utf16As(binary.LittleEndian, true), utf16As(binary.BigEndian, true),
	utf32As(binary.LittleEndian, false), utf32As(binary.BigEndian, false), utf32As(binary.LittleEndian, true), utf32As(binary.BigEndian, true),
}

func utf16As(o binary.AppendByteOrder, mark bool) func(*message.Message, []byte) []byte {
	return func(_ *message.Message, b []byte) []byte {
		var out []byte
		if mark {
			out = o.AppendUint16(out, 0xFEFF)
		}
		for _, u := range utf16.Encode([]rune(string(b))) {
			out = o.AppendUint16(out, u)
		}
		return out
	}
}

func utf32As(o binary.AppendByteOrder, mark bool) func(*message.Message, []byte) []byte {
	return func(_ *message.Message, b []byte) []byte {
		var out []byte
		if mark {
			out = o.AppendUint32(out, 0xFEFF)
		}
		for _, c := range string(b) {
			out = o.AppendUint32(out, uint32(c))
		}
		return out
	}
}
