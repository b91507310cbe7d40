package jsontree

import (
	"cmp"
	"encoding/json"
	"math/big"
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

func TestWholeNumbersAreWholeHoweverSpelled(t *testing.T) {
	whole := []string{"0", "-0", "0.0", "-0e-99999999999999999999", "1", "1.0", "1e2", "10e-1", "0.1e1", "1e1000000000",
		"-1e99999999999999999999999", "12345.6e1", "1200e-2", strings.Repeat("9", 400), "9007199254740993"}
	for _, s := range whole {
		assert.True(t, IsInteger(s), s)
	}
	for _, s := range []string{"1.5", "1e-1", "1200e-3", "0.1e0", "1e-1000000000", "1e-99999999999999999999",
		"1.0000000000000000000000001", "9007199254740992.5", "", "x", "+1", "01", "1.", "NaN", " 1", "1 "} {
		assert.False(t, IsInteger(s), s)
	}
}

func TestInt64IsExactAtItsBorders(t *testing.T) {
	for s, want := range map[string]int64{
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "9223372036854775807.0": 1<<63 - 1,
		"9007199254740993": 1<<53 + 1, "1e2": 100, "-0": 0, "0e999999999999999999999": 0, "100e-2": 1, "0.1e1": 1,
		"922337203685477580.7e1": 1<<63 - 1, "1.0": 1, "1e18": 1e18,
	} {
		n, ok := Int64(s)
		assert.True(t, ok, s)
		assert.Equal(t, want, n, s)
	}
	for _, s := range []string{"9223372036854775808", "-9223372036854775809", "1e19", "1e1000000000", "0.5", "1e-1",
		"1e-1000000000", "", "x", "9223372036854775807.5", "1e99999999999999999999"} {
		_, ok := Int64(s)
		assert.False(t, ok, s)
	}
	lo, hi := big.NewInt(-1<<63), big.NewInt(1<<63-1)
	assert.True(t, InRange("9223372036854775807", lo, hi))
	assert.True(t, InRange("9223372036854775806.5", lo, hi))
	assert.False(t, InRange("9223372036854775807.00000000000000000001", lo, hi))
	assert.False(t, InRange("9223372036854775808", lo, hi))
	assert.False(t, InRange("-1e1000000000", lo, nil))
	assert.True(t, InRange("-1e1000000000", nil, hi))
	assert.True(t, InRange("1e-1000000000", lo, hi))
	assert.False(t, InRange("1x", nil, nil))
}

func TestCompareIsExactWithoutMaterialisingExponents(t *testing.T) {
	sorted := []string{"x", "-1e100000000000000000000", "-1e99999999999999999999", "-1e1000000000", "-1e400", "-2", "-1.5", "-1",
		"-1e-400", "-1e-99999999999999999999", "0", "1e-100000000000000000000", "1e-99999999999999999999", "1e-1000000000",
		"0.1", "0.10000000000000000000000001", "1", "9007199254740992", "9007199254740993", "9223372036854775808",
		"1e400", "1e1000000000", "1e1000000001", "1e999999999999999999", "11e999999999999999999", "1e99999999999999999999",
		"1.5e99999999999999999999", "1e100000000000000000000"}
	for i, a := range sorted {
		for j, b := range sorted {
			assert.Equal(t, cmp.Compare(i, j), Compare(a, b), "%s and %s", a, b)
		}
	}
	for _, same := range [][]string{
		{"1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "1.000e-0", "0.001e3"},
		{"0", "-0", "0.0", "-0e5", "0e99999999999999999999"},
		{"1e100000000000000000", "10e99999999999999999", "0.1e100000000000000001"},
		{"1e1000000000000000000", "10e999999999999999999", "0.001e1000000000000000003", "1e0001000000000000000000"},
		{"1e-1000000000000000000", "10e-1000000000000000001", "0.1e-999999999999999999"},
		{"-12e10000000000000000000000", "-1.2e10000000000000000000001", "-120e9999999999999999999999"},
	} {
		for _, a := range same {
			for _, b := range same {
				assert.Zero(t, Compare(a, b), "%s and %s", a, b)
			}
		}
	}
}

func TestCompareAgreesWithRationals(t *testing.T) {
	number := func(p *gopter.GenParameters) *gopter.GenResult {
		var b strings.Builder
		if p.NextBool() {
			b.WriteByte('-')
		}
		b.WriteString([]string{"0", "1", "10", "12", "100", "9", "99", "5"}[p.Rng.Intn(8)])
		b.WriteString([]string{"", ".0", ".5", ".05", ".50", ".99", ".001"}[p.Rng.Intn(7)])
		b.WriteString([]string{"", "e0", "e1", "E+1", "e-1", "e-2", "e02", "e3"}[p.Rng.Intn(8)])
		return gopter.NewGenResult(b.String(), gopter.NoShrinker)
	}
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = 5000
	p := gopter.NewProperties(params)
	p.Property("same order", prop.ForAll(func(a, b string) bool {
		x, okX := Rat(a)
		y, okY := Rat(b)
		z, _ := new(big.Rat).SetString(a)
		return okX && okY && x.Cmp(z) == 0 && x.Cmp(y) == Compare(a, b) && x.IsInt() == IsInteger(a)
	}, number, number))
	p.TestingRun(t)
}

func TestRatRefusesWhatWouldBlowUp(t *testing.T) {
	for _, s := range []string{"1e1001", "1e-1001", "1e1000000000", "1e99999999999999999999", "x", strings.Repeat("9", 1001)} {
		_, ok := Rat(s)
		assert.False(t, ok, s)
	}
	for _, s := range []string{"0", "-0", "1e999", "1e-999", strings.Repeat("9", 400), "0e1000000000", "1" + strings.Repeat("0", 900) + "e-900"} {
		_, ok := Rat(s)
		assert.True(t, ok, s)
	}
}

func TestFractionLostTellsWhatADoubleTakesForAnInteger(t *testing.T) {
	for s, want := range map[string]bool{
		"1.0000000000000000001": true, "9007199254740992.5": true, "1e-400": true, "4503599627370495.5": true, "1125899906842623.5": false, "1e-300": false, "0.1": false, "1.5": false, "1.0": false,
		"1": false, "1e400": false, "1e-1000000000": true, "x": false,
	} {
		assert.Equal(t, want, FractionLost(s), s)
		if want {
			assert.True(t, IsInteger(Rounded(s)), s)
		}
	}
}
