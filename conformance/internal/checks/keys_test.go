package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

func TestWhatMustBeInAListDependsOnWhatSeveralValuesMean(t *testing.T) {
	value := func(text string) *jsontree.Value {
		doc, err := jsontree.Parse([]byte(text))
		require.NoError(t, err, text)
		return doc.Root
	}
	type said struct{ may, must, known bool }
	parameter := &openapi.Parameter{Name: "tags", Schema: &schema.Schema{Types: []string{"array"}, Items: &schema.Schema{Enum: []*jsontree.Value{value(`"x"`), value(`"y"`)}}}}
	for _, row := range []struct {
		of, item string
		want     said
	}{
		{"all", `{"tags":["x","y","z"]}`, said{true, true, true}},
		{"all", `{"tags":["x"]}`, said{false, false, true}},
		{"any", `{"tags":["x"]}`, said{true, true, true}},
		{"", `{"tags":["x","y"]}`, said{true, true, true}},
		{"", `{"tags":["x"]}`, said{true, false, true}},
		{"", `{"tags":["z"]}`, said{false, false, true}},
		{"any", `{"tags":[]}`, said{false, false, true}},
		{"", `{"tags":null}`, said{}},
		{"all", `{}`, said{}},
		{"", `{"tags":"x"}`, said{true, true, true}},
		{"", `{"tags":"z"}`, said{false, false, true}},
		{"all", `{"tags":"x"}`, said{false, false, true}},
	} {
		may, must, known := passes(&openapi.Filter{Parameter: parameter, Member: "tags", Of: row.of}, value(`["x","y"]`), value(row.item))
		assert.Equal(t, row.want, said{may, must, known}, row.of+row.item)
	}
}

func TestATextOfAFilterMayBePartOfAValueUnlessAnEnumListsIt(t *testing.T) {
	text := func(s string) *jsontree.Value { return jsontree.NewString(s) }
	free := &openapi.Filter{Parameter: &openapi.Parameter{Schema: &schema.Schema{Types: []string{"string"}}}}
	listed := &openapi.Filter{Parameter: &openapi.Parameter{Schema: &schema.Schema{Enum: []*jsontree.Value{text("active")}}}}
	assert.True(t, matches(free, text("ann"), text("Joanna")))
	assert.False(t, matches(free, text("ann"), text("Bob")))
	assert.True(t, matches(listed, text("active"), text("ACTIVE")))
	assert.False(t, matches(listed, text("active"), text("inactive")))
	assert.True(t, matches(free, jsontree.NewNumber("1"), jsontree.NewNumber("1.0")))
	assert.False(t, matches(free, jsontree.NewBool(true), jsontree.NewBool(false)))
}

func TestOnlyTheWholeTextOfAFilterMustBeFound(t *testing.T) {
	free := &openapi.Filter{Parameter: &openapi.Parameter{Schema: &schema.Schema{Types: []string{"string"}}}, Member: "name"}
	item := jsontree.NewObject(jsontree.M("name", jsontree.NewString("*.example")))
	for text, want := range map[string][2]bool{"*.example": {true, true}, "*": {true, false}, "*.other": {false, false}} {
		may, must, known := passes(free, jsontree.NewString(text), item)
		assert.Equal(t, want, [2]bool{may, must}, text)
		assert.True(t, known, text)
	}
}

func TestAValueAtOrNearABoundMayBeOnBothSides(t *testing.T) {
	n, text := jsontree.NewNumber, jsontree.NewString
	for _, row := range []struct {
		bound, v *jsontree.Value
		want     int
	}{
		{n("10"), n("9.99"), -1}, {n("10"), n("1e1"), 0}, {n("10"), n("11"), 1},
		{text("2026-01-02"), text("2026-01-01"), -1}, {text("2026-01-02"), text("2026-01-02"), 0}, {text("2026-01-02"), text("2026-01-03"), 1},
		// The day may begin in any zone.
		{text("2026-01-02"), text("2026-01-01T11:00:00Z"), 0}, {text("2026-01-02"), text("2026-01-01T09:00:00Z"), -1},
		{text("2026-01-02"), text("2026-01-03T11:00:00Z"), 0}, {text("2026-01-02"), text("2026-01-03T13:00:00Z"), 1},
		{text("2026-01-02T10:00:00Z"), text("2026-01-02T10:00:59.5Z"), 0}, {text("2026-01-02T10:00:00Z"), text("2026-01-02T12:00:00+02:00"), 0},
		{text("2026-01-02T10:00:00Z"), text("2026-01-02T10:30:00+02:00"), -1}, {text("2026-01-02T10:00:00Z"), text("2026-01-02T10:30:00Z"), 1},
		{text("2026-01-02"), text("soon"), 0}, {text("2026-01-02"), n("7"), 0}, {n("7"), text("2026-01-02"), 0},
	} {
		assert.Equal(t, row.want, within(openapi.Min, row.bound, row.v), "%s from %s", row.v, row.bound)
		assert.Equal(t, -row.want, within(openapi.Max, row.bound, row.v), "%s up to %s", row.v, row.bound)
	}
}

func TestABoundIsJudgedByWhatItKeepsOut(t *testing.T) {
	page := func(query, ids string) said {
		return said{"page", query, 200, `{"items":[` + items(ids) + `]}`, ""}
	}
	minimum := &openapi.Filter{Parameter: &openapi.Parameter{Name: "least", In: "query"}, Member: "n", Bound: openapi.Min}
	made := said{"add", `{"a":"text of b"}`, 201, "", ""}
	for want, lists := range map[report.Verdict][][]said{
		report.Pass:         {{page("", "a=1 b=5 c=9"), page(`"least":5`, "b=5 c=9")}, {page("", "a=1 b=5 c=9"), page(`"least":5`, "c=9")}, {page("", "a=1"), page(`"least":5`, "")}},
		report.Fail:         {{page("", "a=1 b=5"), page(`"least":5`, "a=1 b=5")}, {made, page("", "a=1 b=9"), page(`"least":5`, "")}},
		report.Inapplicable: {{page("", "b=5 c=9"), page(`"least":5`, "c=9")}, {page("", "b c=null"), page(`"least":5`, "")}, {page(`"least":5`, "c=9")}},
	} {
		for _, l := range lists {
			out := sifted(history(t, l...), minimum)
			assert.Equal(t, want, out.Verdict, "%v: %s", l, out.Got)
		}
	}
	out := sifted(history(t, page(`"least":5`, "a=1")), minimum)
	assert.Equal(t, "items with n from 5 alone", out.Expected)
	assert.Equal(t, "n 1", out.Got)
}

// A reference is the key of one thing, and no part of another key.
func TestAThingThatItemsReferToIsJudgedByItemsOfAnother(t *testing.T) {
	text := func(s string) *jsontree.Value { return jsontree.NewString(s) }
	owner := &openapi.Filter{Parameter: &openapi.Parameter{Name: "owner_id", Schema: &schema.Schema{Types: []string{"string"}}}, Member: "owner_id"}
	assert.True(t, matches(owner, text("u1"), text("u1")))
	assert.False(t, matches(owner, text("u1"), text("u10")))
}

func TestWhatAnotherPageShowsMustBeOnAPageWithRoomForIt(t *testing.T) {
	page := func(query, ids string) said {
		return said{"page", query, 200, `{"items":[` + items(ids) + `]}`, ""}
	}
	state := &openapi.Filter{Parameter: &openapi.Parameter{Name: "state", In: "query", Schema: &schema.Schema{Enum: []*jsontree.Value{jsontree.NewString("open"), jsontree.NewString("shut")}}}, Member: "state"}
	made := said{"add", `{"a":"text of b"}`, 201, "", ""}
	whole := page(`"limit":2,"sort":"-n"`, "b:open=7 a:shut=6")
	for name, row := range map[string]struct {
		part said
		want report.Verdict
	}{
		"the page ends with what comes behind it":   {page(`"limit":2,"sort":"-n","state":"open"`, "e:open=5 d:open=4"), report.Fail},
		"it may be on the next page":                {page(`"limit":2,"sort":"-n","state":"open"`, "g:open=9 f:open=8"), report.Pass},
		"items with the same value have any order":  {page(`"limit":2,"sort":"-n","state":"open"`, "g:open=9 f:open=7"), report.Pass},
		"the page is in no order":                   {page(`"limit":2,"sort":"-n","state":"open"`, "d:open=4 e:open=5"), report.Pass},
		"no order was asked for":                    {page(`"limit":2,"state":"open"`, "e:open=5 d:open=4"), report.Pass},
		"the page has fewer items than it may have": {page(`"limit":2,"state":"open"`, "e:open=5"), report.Fail},
		"it is a later page":                        {page(`"limit":2,"offset":2,"sort":"-n","state":"open"`, "e:open=5 d:open=4"), report.Pass},
		"it is there":                               {page(`"limit":2,"sort":"-n","state":"open"`, "b:open=7 d:open=4"), report.Pass},
	} {
		out := sifted(history(t, made, whole, row.part), state)
		assert.Equal(t, row.want, out.Verdict, "%s: %s", name, out.Got)
	}
	other := page(`"limit":2,"state":"shut"`, "c:shut=1")
	out := sifted(history(t, made, page(`"limit":2,"state":"open"`, "b:open=7"), other, page(`"limit":2,"state":"open"`, "")), state)
	assert.Equal(t, "0 items without it", out.Got, "a page with the same filter shows it too")
}

func TestAShortKeyThatNoAnswerGaveMayBeInUse(t *testing.T) {
	for name, c := range map[string]struct {
		key, came string
		want      report.Verdict
	}{
		"short, and in the answer": {"p965", `{"id":"p965"}`, report.Inapplicable},
		"another thing":            {"p965", `{"id":"p1"}`, report.Fail},
		"an empty answer":          {"p965", `{}`, report.Fail},
		"long":                     {"p96512345", `{"id":"p96512345"}`, report.Fail},
	} {
		p := history(t, said{"add", `{"a":"x1"}`, 201, `{"id":"k1"}`, ""}, said{"read", "", 200, c.came, ""})
		p.Sent.Body = p.Sent.Body.Beside(p.Op.Params.Read([]byte(`{"path":{"id":"` + c.key + `"}}`)))
		assert.Equal(t, c.want, neverGiven.Check(p).Verdict, name)
	}
}

func TestOnlyTheThingItselfIsFoundByAKeyLikeItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		came string
		want report.Verdict
	}{
		"its key":       {`{"id":"k1","b":2}`, report.Fail},
		"the same":      {`{"a":"x1"}`, report.Fail},
		"another thing": {`{"id":"k2"}`, report.Inapplicable},
		"no members":    {`[]`, report.Inapplicable},
	} {
		p := history(t, said{"add", `{"a":"x1"}`, 201, `{"id":"k1"}`, ""}, said{"read", "", 200, `{"a":"x1"}`, ""}, said{"read", "", 200, c.came, ""})
		p.History[1].Key = jsontree.NewString("k1")
		assert.Equal(t, c.want, neverGiven.Check(p).Verdict, name)
	}
}

// keysLike returns the keys that are sent for one that was given, by the way.
func keysLike(s *schema.Schema, key string) map[string]string {
	out := map[string]string{}
	for _, l := range likes() {
		if !l.fits(s) {
			continue
		}
		if other := l.of(key); other != "" {
			out[l.name] = other
		}
	}
	return out
}

func TestAKeyIsChangedIntoOnesThatACarelessReadingTakesForIt(t *testing.T) {
	t.Parallel()
	whole, text := schema.Schema{Types: []string{"integer"}}, schema.Schema{Types: []string{"string"}}
	wallet, id := text, text
	wallet.Pattern, id.Format = "^wal_[0-9a-z]{12}$", "uuid"
	assert.Equal(t, map[string]string{"letters-behind": "10abc", "fraction": "10.7", "twice": "10,10", "past-32-bits": "4294967306", "past-64-bits": "18446744073709551626"},
		keysLike(&whole, "10"))
	assert.Equal(t, map[string]string{"text-behind": "wal_0123456789abwxyz", "last-letter": "wal_0123456789ac", "text-twice": "wal_0123456789ab,wal_0123456789ab", "other-case": "WAL_0123456789AB"},
		keysLike(&wallet, "wal_0123456789ab"))
	assert.Equal(t, map[string]string{"text-behind": "0b1e5c2e-8d1f-4c3a-9a55-6f2f4d3c2a1fwxyz", "last-letter": "0b1e5c2e-8d1f-4c3a-9a55-6f2f4d3c2a1a"},
		keysLike(&id, "0b1e5c2e-8d1f-4c3a-9a55-6f2f4d3c2a1f"), "the letters of a UUID have no case")
}

// What a right server may take for the key that it gave is not sent.
func TestAKeyThatSomeServersRightlyReadAsTheOtherIsLeftOut(t *testing.T) {
	t.Parallel()
	text := schema.Schema{Types: []string{"string"}}
	for key, want := range map[string]map[string]string{
		"17":                   {},                                          // a library may read digits and pass over the rest
		"VXNlcjoxMjM0NTY3OA==": {},                                          // and what is behind a code in base 64
		"VXNlcjoxMjM0NTY3OTAx": {"text-behind": "VXNlcjoxMjM0NTY3OTAxwxyz"}, // whose last bits may mean nothing
		"ord-0000000000000012": {"text-behind": "ord-0000000000000012wxyz"}, // the next number may be in use
		"short":                {"text-behind": "shortwxyz"},
	} {
		assert.Equal(t, want, keysLike(&text, key), key)
	}
	for _, listed := range []schema.Schema{{}, {Types: []string{"integer", "string"}}, {Types: []string{"number"}}} {
		assert.Empty(t, keysLike(&listed, "17"), "a schema that leaves open what a key is")
	}
	whole := schema.Schema{Types: []string{"integer"}}
	assert.NotContains(t, keysLike(&whole, "-3"), "past-32-bits")
	assert.NotContains(t, keysLike(&whole, "0"), "past-32-bits")
}
