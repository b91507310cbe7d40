package jsontree

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
)

// The vectors follow the naming of the well-known JSONTestSuite: accepted by
// the grammar (y), refused (n), left to the implementation (i).

func TestParseAcceptsWhatTheGrammarAllows(t *testing.T) {
	for name, text := range map[string]string{
		"array arrays with spaces":        "[[]   ]",
		"array empty string":              `[""]`,
		"array empty":                     "[]",
		"array heterogeneous":             `[null, 1, "1", {}]`,
		"array with several null":         "[1,null,null,null,2]",
		"array with trailing space":       "[2] ",
		"number":                          "[123e65]",
		"number 0e+1":                     "[0e+1]",
		"number 0e1":                      "[0e1]",
		"number after space":              "[ 4]",
		"number close to zero":            "[-0." + strings.Repeat("0", 77) + "1]",
		"number int with exponent":        "[20e1]",
		"number minus zero":               "[-0]",
		"number negative":                 "[-123]",
		"number real capital e":           "[1E22]",
		"number real capital e minus":     "[1E-2]",
		"number real capital e plus":      "[1E+2]",
		"number real fraction exponent":   "[123.456e78]",
		"number leading zeros exponent":   "[1e007]",
		"object basic":                    `{"asd":"sdf"}`,
		"object empty":                    "{}",
		"object empty key":                `{"":0}`,
		"object escaped null in key":      `{"foo\u0000bar": 42}`,
		"object long strings":             `{"x":[{"id": "` + strings.Repeat("x", 40) + `"}], "id": "x"}`,
		"object with newlines":            "{\n\"a\": \"b\"\n}",
		"string 1 2 3 byte sequences":     `["\u0060\u012a\u12AB"]`,
		"string accepted surrogate pair":  `["\uD801\udc37"]`,
		"string allowed escapes":          `["\"\\\/\b\f\n\r\t"]`,
		"string backslash and u":          `["\\u0000"]`,
		"string comments":                 `["a/*b*/c/*d//e"]`,
		"string double escape a":          `["\\a"]`,
		"string escaped control":          `["\u0012"]`,
		"string escaped noncharacter":     `["\uFFFF"]`,
		"string last surrogates":          `["\uDBFF\uDFFE"]`,
		"string nbsp":                     `["new\u00A0line"]`,
		"string noncharacter U+10FFFF":    "[\"\U0010ffff\"]",
		"string reserved U+1BFFF":         "[\"\U0001bfff\"]",
		"string u+2028":                   "[\"\u2028\u2029\"]",
		"string unescaped DEL":            "[\"\x7f\"]",
		"string utf8":                     "[\"€𝄞\"]",
		"structure lonely false":          "false",
		"structure lonely int":            "42",
		"structure lonely negative real":  "-0.1",
		"structure lonely null":           "null",
		"structure lonely string":         `"asd"`,
		"structure lonely true":           "true",
		"structure string empty":          `""`,
		"structure trailing newline":      "[\"a\"]\n",
		"structure all white space":       "\t\r\n [\t\r\n ]\t\r\n ",
		"structure white space in object": " { \"a\" : 1 , \"b\" : 2 } ",
		"number huge exponent":            "[0.4e00669999999999999999999999999999999999999999999999999999999999]",
		"number double huge negative":     "[123.456e-789]",
		"number very big negative int":    "[-" + strings.Repeat("237462374673276894279832749832423479823246327846", 20) + "]",
		"500 nested arrays":               strings.Repeat("[", 500) + strings.Repeat("]", 500),
	} {
		d, err := Parse([]byte(text))
		if assert.NoError(t, err, name) {
			assert.Empty(t, d.Issues, name)
			again, err := Parse(d.Root.Emit())
			assert.NoError(t, err, name)
			assert.True(t, Equal(d.Root, again.Root), name)
		}
	}
}

func TestParseRefusesWhatTheGrammarForbidsAtTheByte(t *testing.T) {
	for text, offset := range map[string]int{
		"":                           0,
		" \t\r\n":                    4,
		"\xEF\xBB\xBF":               3,
		"\xEF\xBB\xBF\xEF\xBB\xBF{}": 3,
		"\xFF\xFE[\x00]\x00":         0, // UTF-16, little endian
		"\xFE\xFF\x00[\x00]":         0,
		"\x00[\x00]":                 0,
		"[\x00]\x00":                 1,
		"[1 true]":                   3,
		"[a\xe5]":                    1,
		"[\"\": 1]":                  3,
		`[""],`:                      4,
		"[,1]":                       1,
		"[1,,2]":                     3,
		`["x",,]`:                    5,
		`["x"]]`:                     5,
		`["",]`:                      4,
		`["x"`:                       4,
		"[3[4]]":                     2,
		"[1:2]":                      2,
		"[\xff]":                     1,
		"[-]":                        2,
		"[-a]":                       2,
		"[-":                         2,
		"[*]":                        1,
		"[1,]":                       3,
		"[1":                         2,
		"[1}":                        2,
		"{]":                         1,
		"[fals]":                     5,
		"[nul]":                      4,
		"[tru]":                      4,
		"tru":                        3,
		"truE":                       3,
		"True":                       0,
		"nullx":                      4,
		"[++1234]":                   1,
		"[+1]":                       1,
		"[+Inf]":                     1,
		"[-01]":                      3,
		"[-1.0.]":                    5,
		"[-2.]":                      4,
		"[-NaN]":                     2,
		"[-Infinity]":                2,
		"[.123]":                     1,
		"[0.1.2]":                    4,
		"[0.3e+]":                    6,
		"[0.3e]":                     5,
		"[0.e1]":                     3,
		"[0E+]":                      4,
		"[0e":                        3,
		"[01]":                       2,
		"[012]":                      2,
		"00":                         1,
		"[0x1]":                      2,
		"[1.0e+]":                    6,
		"[1eE2]":                     3,
		"[1 000.0]":                  3,
		"[1_000]":                    2,
		"[Inf]":                      1,
		"[NaN]":                      1,
		"[nan]":                      2,
		"[\uff11]":                   1,
		"[1+2]":                      2,
		"[1e1.5]":                    4,
		`["x", truth]`:               9,
		`{"x"::"b"}`:                 5,
		`{"a" b}`:                    5,
		`{:"b"}`:                     1,
		`{"a":"b",,"c":0}`:           9,
		`{"a"`:                       4,
		`{"a":`:                      5,
		`{"a":"a`:                    7,
		`{"a":1`:                     6,
		"{1:1}":                      1,
		"{a:1}":                      1,
		"{'a':0}":                    1,
		`{"id":0,}`:                  8,
		`{"id":0,,}`:                 8,
		`{"a":"b"}/**/`:              9,
		`{"a":"b"}#`:                 9,
		`{"a":/*c*/"b"}`:             5,
		`{"a":"b"}{"c":1}`:           9,
		`{null:null}`:                1,
		`{"a" "b"}`:                  5,
		`["\uD800\"]`:                11,
		`["\uD800\u"]`:               10,
		`["\uD800\u1"]`:              11,
		`["\u00A"]`:                  7,
		`["\u`:                       4,
		`["\`:                        3,
		`["\\\"]`:                    7,
		`["\x00"]`:                   3,
		`["\a"]`:                     3,
		"[\"\\\t\"]":                 3,
		`["\uqqqq"]`:                 4,
		"[\"\\\xe5\"]":               3,
		"[\"a\x00a\"]":               3,
		"[\"new\nline\"]":            5,
		"[\"\t\"]":                   2,
		"[\"\x1f\"]":                 2,
		`["asd]`:                     6,
		`[\n]`:                       1,
		"['a']":                      1,
		"“a”":                        0,
		"[\u00a0]":                   1,
		"\f[]":                       0,
		"[\v]":                       1,
		"[\u2060]":                   1,
		"[\u3000]":                   1,
		"<null>":                     0,
		"[1]x":                       3,
		"1]":                         1,
		"1 2":                        2,
		"2@":                         1,
		"]":                          0,
		"}":                          0,
		",":                          0,
		":":                          0,
		"*":                          0,
		`{"a":true} "x"`:             11,
		"[][]":                       2,
		"é":                          0,
		strings.Repeat("[", 1000):    1000,
	} {
		_, err := Parse([]byte(text))
		var e *SyntaxError
		if assert.ErrorAs(t, err, &e, "%q", text) {
			assert.Equal(t, offset, e.Offset, "%q: %s", text, e)
			assert.NotContains(t, e.Error(), "\n")
			assert.LessOrEqual(t, len(e.Pointer), 200)
		}
		_, again := Tokens([]byte(text))
		assert.Equal(t, err, again, "%q", text)
	}
}

func TestParseReportsWhatHarmsInteroperation(t *testing.T) {
	for text, want := range map[string][]Issue{
		`{"a":1,"a":2}`:                      {{DuplicateName, 7, "/a"}},
		`{"a":1,"\u0061":2}`:                 {{DuplicateName, 7, "/a"}},
		`[{"a/b":{"":1,"":2}}]`:              {{DuplicateName, 14, "/0/a~1b/"}},
		`["\ud800"]`:                         {{LoneSurrogate, 2, "/0"}},
		`["\udc00\ud800"]`:                   {{LoneSurrogate, 2, "/0"}},
		`["\ud800\ud800\udc00"]`:             {{LoneSurrogate, 2, "/0"}},
		`["a\ud800\n"]`:                      {{LoneSurrogate, 3, "/0"}},
		"[\"\xff\"]":                         {{InvalidUTF8, 2, "/0"}},
		"[\"\xc0\xaf\"]":                     {{InvalidUTF8, 2, "/0"}}, // overlong
		"[\"\xe0\x80\x80\"]":                 {{InvalidUTF8, 2, "/0"}},
		"[\"ab\xed\xa0\x80\"]":               {{InvalidUTF8, 4, "/0"}}, // encoded surrogate
		"[\"\xf4\x90\x80\x80\"]":             {{InvalidUTF8, 2, "/0"}}, // above U+10FFFF
		"[\"\xe2\x82\"]":                     {{InvalidUTF8, 2, "/0"}},
		"{\"\x80\":1}":                       {{InvalidUTF8, 2, "/\x80"}},
		"\xEF\xBB\xBF{}":                     {{ByteOrderMark, 0, ""}},
		"\xEF\xBB\xBF[\"\xff\",\"\\uDFFF\"]": {{ByteOrderMark, 0, ""}, {InvalidUTF8, 5, "/0"}, {LoneSurrogate, 9, "/1"}},
		"[\"\uFEFF\",\"\uFFFD\"]":            nil,
	} {
		d, err := Parse([]byte(text))
		if assert.NoError(t, err, "%q", text) {
			assert.Equal(t, want, d.Issues, "%q", text)
			for k := DuplicateName; k <= ByteOrderMark; k++ {
				has := false
				for _, i := range want {
					has = has || i.Kind == k
				}
				assert.Equal(t, has, d.Has(k), "%q %s", text, k)
			}
		}
	}
}

func TestIssuesAreBoundedButNoKindIsForgotten(t *testing.T) {
	text := "[" + strings.Repeat(`"\ud800",`, 1000) + `{"a":1,"a":2}]`
	d, err := Parse([]byte(text))
	assert.NoError(t, err)
	assert.Len(t, d.Issues, maxIssues+1)
	assert.True(t, d.Has(DuplicateName))
	assert.False(t, d.Has(InvalidUTF8))
	assert.False(t, (*Document)(nil).Has(InvalidUTF8))
}

func TestSyntaxErrorsPointAtTheValueBeingRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":[1,{"b":tru}]}`: "/a/1/b",
		`{"a":[1,{"b":"x}]}`:  "/a/1/b",
		`{"a":[1,{"b" 1}]}`:   "/a/1/b",
		`{"a":[1,{"b":1 2}]}`: "/a/1",
		`{"a":[1,{"b":1,}]}`:  "/a/1",
		`{"a":[1,x]}`:         "/a/1",
		`{"a":[x]}`:           "/a/0",
		`{"a":[1 2]}`:         "/a",
		`{"a":{`:              "/a",
		`{"a~/":`:             "/a~0~1",
		`{"a":1}}`:            "",
	} {
		_, err := Parse([]byte(text))
		var e *SyntaxError
		if assert.ErrorAs(t, err, &e, text) {
			assert.Equal(t, want, e.Pointer, text)
		}
	}
	_, err := Parse([]byte(`{"a":[x]}`))
	assert.EqualError(t, err, `invalid JSON at byte 6, "/a/0": unexpected 'x', want a value or ']'`)
}

// BenchmarkParse builds the tree and prints its cost as a multiple of what
// jsontext takes merely to check the same text, both measured in one run.
func BenchmarkParse(b *testing.B) {
	small := []byte(`{"id":9007199254740993,"name":"Monstera deliciosa","tag":"indoor"}`)
	large := []byte("[" + strings.Repeat(string(small)+",", 2000) + string(small) + "]")
	for name, text := range map[string][]byte{"plant": small, "list": large} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
			ours := float64(b.Elapsed()) / float64(b.N)
			b.StopTimer()
			d := jsontext.NewDecoder(bytes.NewReader(nil))
			start := time.Now()
			for range b.N {
				d.Reset(bytes.NewReader(text))
				if err := d.SkipValue(); err != nil && err != io.EOF {
					b.Fatal(err)
				}
			}
			b.ReportMetric(ours/(float64(time.Since(start))/float64(b.N)), "x-jsontext")
		})
	}
}
