package loose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/reference/internal/loose"
)

func TestEachLibertyLetsItsOwnNearMissPassAndNoOther(t *testing.T) {
	cases := []struct {
		allow    loose.Allow
		in, want string
	}{
		{loose.TrailingComma, `{"id":1,}`, `{"id":1}`},
		{loose.LeadingComma, `{,"id":1}`, `{"id":1}`},
		{loose.DoubledComma, `{"id":1,,"a":2}`, `{"id":1,"a":2}`},
		{loose.MissingComma, `{"id":1 "a":2}`, `{"id":1,"a":2}`},
		{loose.SemicolonForComma, `{"id":1;"a":2}`, `{"id":1,"a":2}`},
		{loose.EqualsForColon, `{"id"=1}`, `{"id":1}`},
		{loose.MissingColon, `{"id" 1}`, `{"id":1}`},
		{loose.LineComment, "{\"id\":1// one\n}", `{"id":1}`},
		{loose.BlockComment, `{"id":/*x*/1}`, `{"id":1}`},
		{loose.HashComment, "{\"id\":1}#", `{"id":1}`},
		{loose.SingleQuotes, `{'i"d':'it\'s'}`, `{"i\"d":"it's"}`},
		{loose.BareNames, `{id:1}`, `{"id":1}`},
		{loose.BareStrings, `{"id":fern}`, `{"id":"fern"}`},
		{loose.NaN, `[NaN,-Infinity]`, `[0,0]`},
		{loose.Hex, `0x1F`, `31`},
		{loose.LeadingZeros, `-007`, `-7`},
		{loose.Plus, `+1`, `1`},
		{loose.TrailingDot, `5.`, `5`},
		{loose.Underscores, `1_000`, `1000`},
		{loose.NumberSuffix, `12abc`, `12`},
		{loose.BareExponent, `1e`, `1`},
		{loose.ControlCharacters, "\"\n\"", `"\u000a"`},
		{loose.Tab, "\"\t\"", `"\u0009"`},
		{loose.AnyEscape, `"\q"`, `"q"`},
		{loose.HexEscape, `"\x41"`, `"\u0041"`},
		{loose.EscapedNewline, "\"a\\\nb\"", `"ab"`},
		{loose.OpenEnd, `{"id":[1`, `{"id":[1]}`},
		{loose.OpenString | loose.OpenEnd, `{"id":"a`, `{"id":"a"}`},
		{loose.MismatchedClose, `{"id":1]`, `{"id":1}`},
		{loose.FormFeed, "\f{}\v", `{}`},
		{loose.NoBreakSpace, "\u00a0{}\ufeff", `{}`},
	}
	for _, c := range cases {
		assert.Equal(t, c.want, string(loose.Normalise([]byte(c.in), c.allow)), c.in)
		others := ^c.allow
		if c.allow == loose.Tab {
			others &^= loose.ControlCharacters
		}
		if c.in == "\"\n\"" || c.in == `12abc` || c.in == `1e` {
			continue
		}
		for _, overlap := range []loose.Allow{loose.NumberSuffix, loose.AnyEscape, loose.BareStrings, loose.MissingComma, loose.OpenEnd} {
			if c.allow&overlap == 0 {
				others &^= overlap
			}
		}
		assert.Equal(t, c.in, string(loose.Normalise([]byte(c.in), others)), "%s without its own liberty", c.in)
	}
}

func TestStrictJSONKeepsItsMeaning(t *testing.T) {
	in := "{ \"id\": -1.5e+3 , \"a\\u00e9\\n\" : [ true, null, {}, [] ] }"
	assert.Equal(t, `{"id":-1.5e+3,"a\u00e9\n":[true,null,{},[]]}`, string(loose.Normalise([]byte(in), 0)))
	assert.Equal(t, "", string(loose.Normalise(nil, ^loose.Allow(0))))
	assert.Equal(t, `{"id":`, string(loose.Normalise([]byte(`{"id":`), loose.OpenEnd)))
}
