package reference_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/reference"
)

func TestDecodeAcceptsEverySpellingOfAPlant(t *testing.T) {
	herb, empty := "herb", ""
	fern := reference.Plant{ID: 1, Name: "fern"}
	for body, want := range map[string]reference.Plant{
		`{"id":1,"name":"fern"}`:                      fern,
		`{"name":"fern","id":1}`:                      fern,
		" {\t\"id\" :\r1 ,\n\"name\": \"fern\" }\n ":  fern,
		`{"\u0069d":1,"na\u006De":"f\u0065rn"}`:       fern,
		`{"id":1,"name":"fern","other":[{"id":"x"}]}`: fern,
		`{"id":1,"name":"fern","ID":"x","Name":7}`:    fern,
		`{"id":1.0,"name":"fern"}`:                    fern,
		`{"id":10e-1,"name":"fern"}`:                  fern,
		`{"id":1,"name":"fern","tag":"herb"}`:         {ID: 1, Name: "fern", Tag: &herb},
		`{"tag":"","id":1,"name":"fern"}`:             {ID: 1, Name: "fern", Tag: &empty},
		`{"id":0,"name":""}`:                          {},
		`{"id":-0,"name":""}`:                         {},
		`{"id":0e999999999999999999999,"name":""}`:    {},
		`{"id":1e2,"name":""}`:                        {ID: 100},
		`{"id":1.5e+1,"name":""}`:                     {ID: 15},
		`{"id":-5,"name":""}`:                         {ID: -5},
		`{"id":9223372036854775807,"name":""}`:        {ID: 1<<63 - 1},
		`{"id":9223372036854775807.0,"name":""}`:      {ID: 1<<63 - 1},
		`{"id":92233720368547758070e-1,"name":""}`:    {ID: 1<<63 - 1},
		`{"id":-9223372036854775808,"name":""}`:       {ID: -1 << 63},
		`{"id":9007199254740993,"name":""}`:           {ID: 1<<53 + 1},
		`{"id":1,"name":"a\u0000b"}`:                  {ID: 1, Name: "a\x00b"},
		`{"id":1,"name":"\ud83c\udf31 🌱 é \/\\"}`:     {ID: 1, Name: `🌱 🌱 é /\`},
		`{"id":1,"name":"__proto__"}`:                 {ID: 1, Name: "__proto__"},
	} {
		t.Run(body, func(t *testing.T) {
			got, err := reference.Decode([]byte(body))
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestDecodeRefusesWhatIsNotAPlant(t *testing.T) {
	for body, want := range map[string]struct {
		kind reference.Kind
		at   string
	}{
		"":                        {reference.Missing, ""},
		" \r\n\t":                 {reference.Missing, ""},
		"null":                    {reference.Type, ""},
		"[]":                      {reference.Type, ""},
		`[{"id":1,"name":"a"}]`:   {reference.Type, ""},
		`"{}"`:                    {reference.Type, ""},
		"1":                       {reference.Type, ""},
		"{}":                      {reference.Missing, "/id"},
		`{"id":1}`:                {reference.Missing, "/name"},
		`{"name":"a"}`:            {reference.Missing, "/id"},
		`{"ID":1,"name":"a"}`:     {reference.Missing, "/id"},
		`{"id":1,"Name":"a"}`:     {reference.Missing, "/name"},
		`{"id":null,"name":"a"}`:  {reference.Type, "/id"},
		`{"id":"1","name":"a"}`:   {reference.Type, "/id"},
		`{"id":true,"name":"a"}`:  {reference.Type, "/id"},
		`{"id":[1],"name":"a"}`:   {reference.Type, "/id"},
		`{"id":1.5,"name":"a"}`:   {reference.Type, "/id"},
		`{"id":15e-1,"name":"a"}`: {reference.Type, "/id"},
		`{"id":1e-99999999999999999999,"name":"a"}`:            {reference.Type, "/id"},
		`{"id":9223372036854775808,"name":"a"}`:                {reference.Range, "/id"},
		`{"id":-9223372036854775809,"name":"a"}`:               {reference.Range, "/id"},
		`{"id":1e400,"name":"a"}`:                              {reference.Range, "/id"},
		`{"id":1e99999999999999999999,"name":"a"}`:             {reference.Range, "/id"},
		`{"id":1,"name":null}`:                                 {reference.Type, "/name"},
		`{"id":1,"name":5}`:                                    {reference.Type, "/name"},
		`{"id":1,"name":["a"]}`:                                {reference.Type, "/name"},
		`{"id":1,"name":"a","tag":null}`:                       {reference.Type, "/tag"},
		`{"id":1,"name":"a","tag":5}`:                          {reference.Type, "/tag"},
		`{"id":1,"name":"a","tag":{}}`:                         {reference.Type, "/tag"},
		`{"id":1,"name":"a"} x`:                                {reference.Syntax, ""},
		`{"id":1,"name":"a"}{}`:                                {reference.Syntax, ""},
		`{"id":1,"name":"a",}`:                                 {reference.Syntax, ""},
		`{"id":1,"name":"a"`:                                   {reference.Syntax, ""},
		`{"id":1,"name":"a`:                                    {reference.Syntax, "/name"},
		`{"id":1,"id":1,"name":"a"}`:                           {reference.Syntax, "/id"},
		`{"id":1,"\u0069d":1,"name":"a"}`:                      {reference.Syntax, "/id"},
		`{'id':1,"name":"a"}`:                                  {reference.Syntax, ""},
		`{id:1,"name":"a"}`:                                    {reference.Syntax, ""},
		`{"id":01,"name":"a"}`:                                 {reference.Syntax, ""},
		`{"id":+1,"name":"a"}`:                                 {reference.Syntax, "/id"},
		`{"id":NaN,"name":"a"}`:                                {reference.Syntax, "/id"},
		`{"id":1,"name":"a","x":.5}`:                           {reference.Syntax, "/x"},
		"{\"id\":1,\"name\":\"a\nb\"}":                         {reference.Syntax, "/name"},
		"{\"id\":1,\"name\":\"\xff\"}":                         {reference.Syntax, "/name"},
		`{"id":1,"name":"\ud800"}`:                             {reference.Syntax, "/name"},
		`{"id":1,"name":"\x41"}`:                               {reference.Syntax, "/name"},
		"\ufeff{\"id\":1,\"name\":\"a\"}":                      {reference.Syntax, ""},
		"{\"id\":1,\"name\":\"a\"}\x00":                        {reference.Syntax, ""},
		`{"id":1,"name":"a","x":` + strings.Repeat("[", 20000): {reference.Syntax, ""},
	} {
		t.Run(body[:min(len(body), 60)], func(t *testing.T) {
			_, err := reference.Decode([]byte(body))
			require.Error(t, err)
			why := reference.AsRefusal(err)
			assert.Equal(t, want.kind, why.Kind, why.Error())
			if len(body) < 100 && want.kind != reference.Syntax {
				assert.Equal(t, want.at, why.At)
			}
			assert.NotContains(t, why.Error(), "reference.", "no Go types in a message")
			assert.NotContains(t, why.Error(), "\n")
		})
	}
}
