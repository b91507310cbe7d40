package jsontree

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// readable reports whether jsontext accepts exactly one value.
func readable(b []byte, opts ...jsontext.Options) bool {
	d := jsontext.NewDecoder(bytes.NewReader(b), opts...)
	if _, err := d.ReadValue(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return errors.Is(err, io.EOF)
}

func FuzzParseAgreesWithJSONText(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"\u0061":[true,null,"x"]}`, `["\ud83d\ude00\ud800"]`, "[\"\xff\"]", "\xEF\xBB\xBF{}", " 1e-5\n", `{"a":{}} `,
		"[0.1E+2,-0]", `"\"\\\/\b\f\n\r\t"`, "nul", "[1,]", "{\"a\" 1}", "01", "[\"\xed\xa0\x80\"]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := ParseLimit(b, 10_000) // the limit of jsontext
		if strict := err == nil && len(d.Issues) == 0; strict != readable(b) {
			t.Fatalf("%q: strict is %v here: %v", b, strict, err)
		}
		lax := err == nil && !d.Has(ByteOrderMark)
		if lax != readable(b, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			t.Fatalf("%q: lax is %v here: %v", b, lax, err)
		}
		tokens, errTokens := Tokens(b)
		if err != nil {
			if err.Error() != errTokens.Error() {
				t.Fatalf("%q: %v, but tokens %v", b, err, errTokens)
			}
			return
		}
		end, values := 0, 0
		for _, k := range tokens {
			if k.Start < end || k.End <= k.Start {
				t.Fatalf("%q: token %v", b, k)
			}
			end = k.End
			if k.Kind != EndArray && k.Kind != EndObject && k.Kind != Colon && k.Kind != Comma && k.Kind != NameToken {
				values++
			}
		}
		d.Root.Walk(func(string, *Value) { values-- })
		if values != 0 {
			t.Fatalf("%q: tokens and tree differ by %d values", b, values)
		}
	})
}

func FuzzEmitParsesBackToTheSameTree(f *testing.F) {
	f.Add([]byte(`{"a":["\ud83d\ude00\ud800",1.50,{}]}`), uint8(0), " ")
	f.Add([]byte("[\"\xff\xed\xa0\x80\xed\xb0\x80/\x7f\"]"), uint8(Long|Solidus), "\n\t")
	f.Fuzz(func(t *testing.T, b []byte, mode uint8, space string) {
		d, err := Parse(b)
		if err != nil || len(space) > 8 || len(bytes.Trim([]byte(space), " \t\r\n")) > 0 {
			return
		}
		out := d.Root.EmitStyle(Style{Before: space, After: space, Open: space, Close: space, Indent: space,
			Colon: space + ":", Comma: "," + space, Escape: EscapeMode(mode)})
		again, err := Parse(out)
		if err != nil || !Equal(d.Root, again.Root) {
			t.Fatalf("%q became %q: %v", b, out, err)
		}
	})
}

func FuzzNumbersNeverPanic(f *testing.F) {
	f.Add("1e400", "-0.1E-5")
	f.Add("1e99999999999999999999", "x")
	f.Fuzz(func(t *testing.T, a, b string) {
		if Compare(a, b) != -Compare(b, a) {
			t.Fatalf("%q and %q have no order", a, b)
		}
		_, _ = Int64(a)
		_ = FractionLost(a)
		if x, ok := Rat(a); ok && (!ValidNumber(a) || x.IsInt() != IsInteger(a)) {
			t.Fatalf("%q is %s", a, x)
		}
		if s := standIn(a); ValidNumber(a) && (!ValidNumber(s) || IsInteger(s) != IsInteger(a) || Compare(s, "0") != Compare(a, "0")) {
			t.Fatalf("%q is stood in for by %q", a, s)
		}
	})
}
