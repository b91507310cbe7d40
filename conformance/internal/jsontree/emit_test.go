package jsontree

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestQuoteSpellsEachMode(t *testing.T) {
	const s = "a/\"\\\n\x01\x7fé😀"
	lone := s + "\xed\xa0\x80\xff"
	for mode, want := range map[EscapeMode]string{
		Minimal:          `"a/\"\\\n\u0001` + "\x7f" + `é😀"`,
		Solidus:          `"a\/\"\\\n\u0001` + "\x7f" + `é😀"`,
		Long:             `"a/\u0022\u005c\u000a\u0001` + "\x7f" + `é😀"`,
		ASCII:            `"a/\"\\\n\u0001` + "\x7f" + `\u00e9\ud83d\ude00"`,
		ASCII | UpperHex: `"a/\"\\\n\u0001` + "\x7f" + `\u00E9\uD83D\uDE00"`,
		All:              `"\u0061\u002f\u0022\u005c\u000a\u0001\u007f\u00e9\ud83d\ude00"`,
		All | Short:      `"\u0061\u002f\"\\\n\u0001\u007f\u00e9\ud83d\ude00"`,
	} {
		assert.Equal(t, want, Quote(s, mode))
		assert.Equal(t, want[:len(want)-1]+lower(`\ud800`, mode)+"\xff\"", Quote(lone, mode))
	}
}

func lower(s string, mode EscapeMode) string {
	if mode&UpperHex != 0 {
		return `\uD800`
	}
	return s
}

func TestStylesPutWhiteSpaceWhereTheySay(t *testing.T) {
	v := parse(t, `{"a":[1,{}],"b":[]}`)
	assert.Equal(t, "\r\n{ \"a\" : [ 1 , {  } ] , \"b\" : [  ] }\t",
		string(v.EmitStyle(Style{Before: "\r\n", After: "\t", Colon: " : ", Comma: " , ", Open: " ", Close: " "})))
	assert.Equal(t, "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}", string(v.EmitStyle(Style{Indent: "  "})))
}

func TestRawPartsAreEmittedAsTheyAre(t *testing.T) {
	v := NewObject(Member{Name: "a", Raw: "'a'", Value: NewRaw("NaN")}, M("b", nil), M("c", &Value{Kind: Array, Raw: "[,]"}))
	assert.Equal(t, `{'a':NaN,"b":null,"c":[,]}`, v.String())
	assert.Equal(t, "null", (*Value)(nil).String())
	assert.Equal(t, []byte("x[]"), NewArray().Append([]byte("x"), Style{}))
}

// draw makes trees of every kind of value, spelling and text.
func draw(p *gopter.GenParameters, depth int) *Value {
	text := func() string {
		parts := []string{"", "a", "/", "\"", "\\", "\n", "\x00", "\x1f", "\x7f", "é", "\u2028", "€", "😀", "\U0010FFFF", "\xed\xa0\x80", "\xed\xb0\x80", "\xff", "~1", "__proto__"}
		var b strings.Builder
		for range p.Rng.Intn(6) {
			b.WriteString(parts[p.Rng.Intn(len(parts))])
		}
		return b.String()
	}
	switch k := p.Rng.Intn(9); {
	case k == 0:
		return NewNull()
	case k == 1:
		return NewBool(p.NextBool())
	case k <= 3:
		return NewNumber([]string{"0", "-0", "1.50", "1e400", "9007199254740993", "-1E+2", "0.1e1", strings.Repeat("7", 400)}[p.Rng.Intn(8)])
	case k <= 5 || depth > 4:
		return NewString(text())
	case k <= 6:
		v := NewArray()
		for range p.Rng.Intn(4) {
			v.Items = append(v.Items, draw(p, depth+1))
		}
		return v
	}
	v := NewObject()
	for range p.Rng.Intn(4) {
		v.Members = append(v.Members, M(text(), draw(p, depth+1)))
	}
	return v
}

func TestEveryStyleParsesBackToTheSameTree(t *testing.T) {
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = 3000
	tree := func(p *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(draw(p, 0), gopter.NoShrinker)
	}
	style := func(p *gopter.GenParameters) *gopter.GenResult {
		space := func() string { return []string{"", " ", "\n", "\t\r\n "}[p.Rng.Intn(4)] }
		return gopter.NewGenResult(Style{Before: space(), After: space(), Colon: space() + ":" + space(), Comma: space() + "," + space(),
			Open: space(), Close: space(), Indent: space(), Escape: EscapeMode(p.Rng.Intn(64))}, gopter.NoShrinker)
	}
	properties := gopter.NewProperties(params)
	properties.Property("parse(emit(v)) equals v", prop.ForAll(func(v *Value, s Style) bool {
		b := v.EmitStyle(s)
		d, err := Parse(b)
		return err == nil && Equal(v, d.Root) && Equal(v, v.Clone())
	}, tree, style))
	properties.TestingRun(t)
}

func TestNativeFeedsAValidatorExactlyAndCheaply(t *testing.T) {
	v := parse(t, `{"a":1,"a":[true,null,"x\ud800",9007199254740993]}`)
	assert.Equal(t, map[string]any{"a": []any{true, nil, "x\uFFFD", json.Number("9007199254740993")}}, v.Native())
	assert.Nil(t, (*Value)(nil).Native())

	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("mem://s", map[string]any{"type": "integer"}))
	require.NoError(t, c.AddResource("mem://p", map[string]any{"exclusiveMinimum": json.Number("0"), "maximum": json.Number("100")}))
	integer, small := c.MustCompile("mem://s"), c.MustCompile("mem://p")
	zeros := strings.Repeat("0", 1_000_000)
	start := time.Now()
	for text, want := range map[string][2]bool{ // whole; within (0, 100]
		"1e1000000000":                    {true, false},
		"-1e1000000000":                   {true, false},
		"1e-1000000000":                   {false, true},
		"-1e-1000000000":                  {false, false},
		"0e1000000000":                    {true, false},
		"1e99999999999999999999":          {true, false},
		"1." + zeros:                      {true, true},
		"1." + zeros + "1":                {false, true},
		"100." + zeros + "1":              {false, false},
		"1" + zeros:                       {true, false},
		"1" + zeros + ".5":                {false, false},
		"1" + zeros + "e-1000000":         {true, true},
		"0." + zeros + "1e1000001":        {true, true},
		"0." + zeros + "1":                {false, true},
		"1" + zeros[:1200] + ".5":         {false, false},
		"99." + strings.Repeat("9", 2000): {false, true},
		strings.Repeat("9", 400):          {true, false},
		"1e2":                             {true, true},
		"1.0":                             {true, true},
		"9007199254740992.5":              {false, false},
		"1.0000000000000000001":           {false, true},
	} {
		n := NewNumber(text).Native()
		assert.LessOrEqual(t, len(n.(json.Number)), 2000)
		got := [2]bool{integer.Validate(n) == nil, small.Validate(n) == nil}
		if len(text) > 40 {
			text = text[:10] + "…" + text[len(text)-10:]
		}
		assert.Equal(t, want, got, "%s became %.40s", text, n)
	}
	assert.Less(t, time.Since(start), 5*time.Second)
}
