package jsontree

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseKeepsOrderSpellingAndDuplicates(t *testing.T) {
	text := `{"b":1.0,"a":[true,false,null,"x"],"b":-0e+2,"":{}}`
	d, err := Parse([]byte(text))
	require.NoError(t, err)
	assert.Equal(t, text, string(d.Root.Emit()))
	assert.Equal(t, 2, d.Depth)
	assert.Equal(t, "1.0", d.Root.Get("b").Text)
	assert.Equal(t, []Issue{{DuplicateName, 35, "/b"}}, d.Issues)
}

func parse(t *testing.T, text string) *Value {
	t.Helper()
	d, err := Parse([]byte(text))
	require.NoError(t, err, text)
	return d.Root
}

func TestPointersFollowRFC6901(t *testing.T) {
	v := parse(t, `{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"~1":9}`)
	for pointer, want := range map[string]string{
		"/foo": `["bar","baz"]`, "/foo/0": `"bar"`, "/": "0", "/a~1b": "1", "/c%d": "2", "/e^f": "3",
		"/g|h": "4", `/i\j`: "5", `/k"l`: "6", "/ ": "7", "/m~0n": "8", "/~01": "9",
	} {
		if x := v.At(pointer); assert.NotNil(t, x, pointer) {
			assert.Equal(t, want, x.String(), pointer)
		}
	}
	assert.Same(t, v, v.At(""))
	for _, absent := range []string{"foo", "/x", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/",
		"/foo/0/x", "/foo/1e0", "/m~n", "/m~", "/~2", "/foo/99999999999999999999", "#/foo"} {
		assert.Nil(t, v.At(absent), absent)
	}
	assert.Nil(t, (*Value)(nil).At("/a"))
	v.Walk(func(pointer string, x *Value) { assert.Same(t, x, v.At(pointer), pointer) })
	assert.Equal(t, "a~0~1~01b", EscapePointer("a~/~1b"))
}

func TestSetAtReplacesAddsAndAppends(t *testing.T) {
	v := parse(t, `{"a":[1,2],"b":{"c":1}}`)
	assert.True(t, v.SetAt("/a/0", NewString("x")))
	assert.True(t, v.SetAt("/a/-", NewNull()))
	assert.True(t, v.SetAt("/a/3", NewBool(true)))
	assert.True(t, v.SetAt("/b/d~1", NewObject()))
	assert.True(t, v.SetAt("/b/c", NewArray()))
	assert.Equal(t, `{"a":["x",2,null,true],"b":{"c":[],"d/":{}}}`, v.String())
	for _, p := range []string{"/a/9", "/a/01", "/x/y", "/b/c/d/e", "/a/0/x", "a", "/b/~"} {
		assert.False(t, v.SetAt(p, NewNull()), p)
		assert.False(t, v.RemoveAt(p), p)
	}
	assert.False(t, v.SetAt("/a", nil))
	assert.False(t, v.RemoveAt(""))
	assert.True(t, v.RemoveAt("/a/1"))
	assert.True(t, v.RemoveAt("/b/d~1"))
	assert.False(t, v.RemoveAt("/a/-"))
	assert.Equal(t, `{"a":["x",null,true],"b":{"c":[]}}`, v.String())
	assert.True(t, v.SetAt("", NewInt(7)))
	assert.Equal(t, "7", v.String())
}

func TestMembersOfOneNameAreFoundFirstAndRemovedTogether(t *testing.T) {
	v := parse(t, `{"a":1,"b":2,"a":3}`)
	assert.Equal(t, "1", v.Get("a").Text)
	v.Set("a", NewInt(9))
	v.Set("c", NewInt(4))
	assert.Equal(t, `{"a":9,"b":2,"a":3,"c":4}`, v.String())
	assert.True(t, v.Remove("a"))
	assert.False(t, v.Remove("a"))
	assert.Equal(t, `{"b":2,"c":4}`, v.String())
	assert.Nil(t, NewArray().Get("a"))
	assert.Nil(t, (*Value)(nil).Get("a"))
	before := v.String()
	v.Set("d", nil)
	assert.Equal(t, before, v.String())
	(*Value)(nil).Set("a", NewNull())
	NewNull().Set("a", NewNull())
}

func TestCloneSharesNothing(t *testing.T) {
	v := parse(t, `{"a":[{"b":1}],"c":[]}`)
	before := v.String()
	c := v.Clone()
	c.Get("a").Items[0].Set("b", NewInt(2))
	c.Get("c").Items = append(c.Get("c").Items, NewNull())
	c.Members[0].Name = "z"
	assert.Equal(t, before, v.String())
	assert.Equal(t, `{"z":[{"b":2}],"c":[null]}`, c.String())
	assert.Nil(t, (*Value)(nil).Clone())
}

func TestEqualIsExactAndIgnoresOrderAndSpelling(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", "1.0", true},
		{"1", "1e0", true},
		{"9007199254740993", "9007199254740992", false},
		{"1e400", "1e401", false},
		{"1e1000000000", "10e999999999", true},
		{"0", "-0", true},
		{"1", `"1"`, false},
		{"true", "false", false},
		{"null", "false", false},
		{`{"a":1,"b":2}`, `{"b":2.0,"\u0061":1}`, true},
		{`{"a":1}`, `{"b":1}`, false},
		{`{"a":1}`, `{"a":1,"b":1}`, false},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`, true},
		{`{"a":1,"a":2}`, `{"a":2,"a":1}`, false},
		{`{"a":1,"b":0,"a":2}`, `{"b":0,"a":1,"a":2}`, true},
		{"[1,2]", "[2,1]", false},
		{"[1]", "[1,1]", false},
		{`"é"`, `"e\u0301"`, false},
		{`"\ud83d\ude00"`, `"😀"`, true},
		{`"\ud800"`, `"\ud801"`, false},
		{"\"\\ud83d\xed\xb8\x80\"", `"😀"`, true},
		{"{\"\\ud83d\xed\xb8\x80\":1,\"a\":2}", `{"a":2,"😀":1}`, true},
		{`"\ude00\ud83d"`, `"😀"`, false},
	} {
		assert.Equal(t, c.same, Equal(parse(t, c.a), parse(t, c.b)), "%s and %s", c.a, c.b)
		assert.Equal(t, c.same, Equal(parse(t, c.b), parse(t, c.a)), "%s and %s", c.b, c.a)
	}
	assert.True(t, Equal(nil, nil))
	assert.False(t, Equal(nil, NewNull()))
}

func TestTokensCoverTheTextInOrder(t *testing.T) {
	text := "\xEF\xBB\xBF {\"a\\u002f\" : [1,{\"b\":\"x\"}, true] }"
	tokens, err := Tokens([]byte(text))
	require.NoError(t, err)
	type row struct {
		kind    TokenKind
		text    string
		pointer string
		depth   int
	}
	var got []row
	for _, k := range tokens {
		got = append(got, row{k.Kind, text[k.Start:k.End], k.Pointer, k.Depth})
	}
	assert.Equal(t, []row{
		{BeginObject, "{", "", 0},
		{NameToken, `"a\u002f"`, "/a~1", 1},
		{Colon, ":", "/a~1", 1},
		{BeginArray, "[", "/a~1", 1},
		{NumberToken, "1", "/a~1/0", 2},
		{Comma, ",", "/a~1", 2},
		{BeginObject, "{", "/a~1/1", 2},
		{NameToken, `"b"`, "/a~1/1/b", 3},
		{Colon, ":", "/a~1/1/b", 3},
		{StringToken, `"x"`, "/a~1/1/b", 3},
		{EndObject, "}", "/a~1/1", 2},
		{Comma, ",", "/a~1", 2},
		{Literal, "true", "/a~1/2", 2},
		{EndArray, "]", "/a~1", 1},
		{EndObject, "}", "", 0},
	}, got)
}

func TestKindsAndIssuesHaveTheNamesOfTheirStandards(t *testing.T) {
	names := ""
	for k := Null; k <= Object+1; k++ {
		names += k.String() + " "
	}
	assert.Equal(t, "null boolean number string array object kind 6 ", names)
	assert.Equal(t, "byte order mark", ByteOrderMark.String())
}

// nested gives text of that depth, objects and arrays in turn.
func nested(depth int) []byte {
	return []byte(strings.Repeat(`{"a":[`, depth/2) + strings.Repeat("]}", depth/2))
}

func TestEverythingCopesWithDepth200000(t *testing.T) {
	text := nested(DefaultDepth)
	d, err := Parse(text)
	require.NoError(t, err)
	assert.Equal(t, DefaultDepth, d.Depth)
	assert.Equal(t, string(text), d.Root.String())
	assert.True(t, Equal(d.Root, d.Root.Clone()))
	assert.Len(t, d.Root.EmitStyle(Style{Indent: " "})[:3], 3)
	pointer := strings.Repeat("/a/0", DefaultDepth/2-1) + "/a"
	require.NotNil(t, d.Root.At(pointer))
	assert.True(t, d.Root.SetAt(pointer+"/0", NewInt(1)))
	assert.True(t, d.Root.RemoveAt(pointer+"/0"))
	values := 0
	d.Root.Walk(func(p string, _ *Value) {
		values++
		if len(p) > maxWalkPointer {
			t.Fatal("pointer is not cut")
		}
	})
	assert.Equal(t, DefaultDepth, values)
	levels := 0
	for n := d.Root.Native(); n != nil; levels++ {
		switch c := n.(type) {
		case map[string]any:
			n = c["a"]
		case []any:
			if n = nil; len(c) > 0 {
				n = c[0]
			}
		}
	}
	assert.Equal(t, DefaultDepth, levels)
	tokens, err := Tokens(text)
	require.NoError(t, err)
	assert.Len(t, tokens, 2*DefaultDepth+DefaultDepth)
}

func TestTheDepthLimitIsExact(t *testing.T) {
	_, err := Parse(nested(DefaultDepth + 2))
	var e *DepthError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, DefaultDepth, e.Limit)
	assert.Equal(t, DefaultDepth/2*len(`{"a":[`), e.Offset)
	_, err = Tokens(nested(DefaultDepth + 2))
	require.ErrorAs(t, err, &e)

	d, err := ParseLimit(nested(1_000_000), 1_000_000)
	require.NoError(t, err)
	assert.Equal(t, 1_000_000, d.Depth)
	_, err = ParseLimit([]byte("[]"), 0)
	assert.EqualError(t, err, "JSON nested deeper than 0 at byte 0")
	d, err = ParseLimit([]byte("1"), 0)
	require.NoError(t, err)
	assert.Zero(t, d.Depth)
	_, err = Parse([]byte(strings.Repeat("[", 1_000_000)))
	assert.ErrorAs(t, err, &e)
}

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

func TestAnErrorTellsTextBehindAValueFromTextThatIsNone(t *testing.T) {
	for text, behind := range map[string]bool{`{}x`: true, `1 2`: true, `[]]`: true, `{"a":x}`: false, `{`: false, ``: false, `x`: false} {
		_, err := Parse([]byte(text))
		var e *SyntaxError
		if assert.ErrorAs(t, err, &e, text) {
			assert.Equal(t, behind, e.Behind, text)
		}
	}
}
