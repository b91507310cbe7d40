package checks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// historyRow is what a rule about a history says of histories: the last request of each is
// judged. Got describes the first one that fails.
type historyRow struct {
	passes, fails, neither [][]said
	got                    string
}

// items writes items of a list: each is an id, perhaps with a state behind a colon or a
// number behind a sign of equality.
func items(ids string) string {
	var out []string
	for _, word := range strings.Fields(ids) {
		id, n, numbered := strings.Cut(word, "=")
		more := ""
		if numbered {
			more = `,"n":` + n
		}
		id, state, found := strings.Cut(id, ":")
		if found {
			more += `,"state":"` + state + `"`
		}
		out = append(out, `{"id":"`+id+`","a":"text of `+id+`"`+more+`}`)
	}
	return strings.Join(out, ",")
}

// besideRows are about several resources. A request whose name begins with "beside" is about
// another resource than the case.
func besideRows() map[string]historyRow {
	anew := said{"putWhole", `{"a":"text 3"}`, 200, "", ""}
	add, twin := said{"add", `{"a":"x1"}`, 201, `{"id":"k1"}`, ""}, said{"beside add", `{"a":"x2"}`, 201, `{"id":"k2"}`, ""}
	read, other := said{"read", "", 200, `{"a":"x1"}`, ""}, said{"beside drop", "", 204, "", ""}
	read2, none := said{"read", "", 200, `{"a":"x1","state":"done"}`, ""}, said{"read", "", 404, "", ""}
	page := func(ids string) said { return said{"page", `"limit":5`, 200, `{"items":[` + items(ids) + `]}`, ""} }
	scroll := func(ids, next string) said {
		return said{"scroll", `"limit":5`, 200, `{"items":[` + items(ids) + `],"next":"` + next + `"}`, ""}
	}
	no, long, mine := none, said{"add", `{"a":"text of k1"}`, 201, `{"id":"k1"}`, ""}, said{"read", "", 200, `{"id":"k1","a":"text of k1"}`, ""}
	change := func(status int) said { return said{"patch", `{"a":"y9"}`, status, "", ""} }
	drop := func(status int) said { return said{"drop", "", status, "", ""} }
	bare := said{"add", `{"a":"x1"}`, 201, "", ""}
	full := func(status int) said {
		return said{"add", `{"a":"x2","d":"text 7","of":{"pin":"8462"}}`, status, "", ""}
	}
	bareRead := func(key, more string) said {
		return said{"read", "@" + key, 200, strings.TrimSuffix(`{"a":"x1",`+more, ",") + "}", ""}
	}
	pay := func(key string, status int, id string) said {
		return said{"pay", strings.TrimSpace(key + ` {"a":"x1"}`), status, `{"id":"` + id + `","a":"x1"}`, ""}
	}
	card := said{"card", `@b1 {"a":"x1"}`, 201, `{"id":"c1"}`, ""}
	inState := func(state string) said {
		return said{"readCard", "@b1/c1", 200, `{"a":"x1","state":"` + state + `"}`, ""}
	}
	finish := func(status int) said { return said{"finish", "@b1/c1", status, "", ""} }
	sets := func(op string) said { return said{op, `{"a":"x3"}`, 200, "", ""} }
	tagged := func(a, tag string) said { return said{"read", "", 200, `{"a":"` + a + `","d":1}`, tag} }
	made := func(key string) said { return said{"add", `{}`, 201, `{"id":"` + key + `"}`, ""} }
	latest := func(query, ids string) said { return said{"latest", query, 200, "[" + items(ids) + "]", ""} }
	gone, missing := said{"drop", "", 204, "", ""}, said{"read", "", 404, "", ""}
	shows := func(member string) said {
		return said{"page", `"limit":5`, 200, `{"items":[{"id":"k1",` + member + `}]}`, ""}
	}
	refused := func(status int) said { return said{"beside add", `{"a":"text of k3"}`, status, "", ""} }
	return map[string]historyRow{
		"gone-status": {
			passes:  [][]said{{add, gone, missing}},
			fails:   [][]said{{add, gone, {"read", "", 409, "", ""}}},
			neither: [][]said{{add, gone, {"read", "", 200, `{"a":1}`, ""}}, {add, {"read", "", 409, "", ""}}, {add, gone, {"read", "", 403, "", ""}}, {add, gone, {"read", "", 429, "", ""}}},
			got:     "409 Conflict, no media type",
		},
		"newest-first": {
			passes: [][]said{{made("k1"), made("k2"), latest("", "k2 k1")}, {made("k1"), made("k2"), latest("", "k9 k2 k3 k1")}},
			fails: [][]said{{made("k1"), made("k2"), latest("", "k1 k2")}, {made("k1"), made("k2"), latest("", "k5 k6 k7 k8 k9")},
				{said{"add", `{}`, 201, `{"id":"k1","status":"draft"}`, ""}, made("k2"), latest("", "k5 k6 k7 k8 k9")}},
			neither: [][]said{{made("k1"), made("k2"), latest(`"sort":"n"`, "k1 k2")}, {made("k1"), made("k2"), latest(`"offset":1`, "k1 k2")}, {made("k1"), made("k2"), latest("", "k2")}, {made("k1"), made("k2"), latest("", "")}, {made("k1"), latest("", "k1")},
				{said{"add", `{}`, 201, "", ""}, made("k2"), latest("", "k1 k2")}},
			got: "the older item before the newer one",
		},
		"if-none-match": {
			passes:  [][]said{{add, tagged("x1", `"1"`), said{"read", "", 304, "", ""}.asked(`If-None-Match: "1"`)}},
			fails:   [][]said{{add, tagged("x1", `"1"`), tagged("x1", `"1"`).asked(`If-None-Match: "1"`)}},
			neither: [][]said{{add, tagged("x1", `"1"`), tagged("x1", `"1"`).asked(`If-None-Match: *`)}, {add, tagged("x1", `"1"`), tagged("x3", `"2"`).asked(`If-None-Match: "1"`)}, {add, tagged("x1", ""), tagged("x1", "")}},
			got:     "200 OK, application/json",
		},
		"strong-etag": {
			passes: [][]said{{add, tagged("x1", `"1"`), sets("patch"), tagged("x3", `"2"`)}},
			fails:  [][]said{{add, tagged("x1", `"1"`), sets("patch"), tagged("x3", `"1"`)}, {add, tagged("x1", `"1"`), sets("put"), tagged("x3", `"1"`)}},
			neither: [][]said{{add, tagged("x1", `W/"1"`), sets("put"), tagged("x3", `W/"1"`)}, {add, tagged("x1", `"1"`), sets("put"), tagged("x1", `"1"`)}, {add, tagged("x1", `"1"`), sets("put"), tagged("x4", `"1"`)},
				{add, tagged("x1", `"1"`), sets("put"), tagged("x3", "")}, {add, tagged("x3", `"1"`), tagged("x3", `"1"`)}},
			got: "the same strong ETag with another representation",
		},
		"put-tag": {
			passes: [][]said{{add, tagged("x1", `"1"`), {"put", `{"a":"x3"}`, 200, "", `"2"`}, tagged("x3", `"2"`)}},
			fails:  [][]said{{add, tagged("x1", `"1"`), {"put", `{"a":"x3"}`, 200, "", `"1"`}, tagged("x3", `"2"`)}},
			neither: [][]said{{add, tagged("x1", `"1"`), sets("put"), tagged("x3", `"2"`)}, {add, tagged("x1", `"1"`), {"put", `{"a":"x3"}`, 200, "", `"7"`}, tagged("x3", `"2"`)},
				{add, tagged("x1", `"1"`), {"put", `{"a":"x3"}`, 412, "", `"1"`}, tagged("x3", `"2"`)}, {add, tagged("x1", `W/"1"`), {"put", `{"a":"x3"}`, 200, "", `W/"1"`}, tagged("x3", `W/"2"`)}},
			got: "the ETag from before the change",
		},
		"made-once": {
			passes: [][]said{{pay("#k", 201, "p1"), pay("#k", 201, "p1")}},
			fails:  [][]said{{pay("#k", 201, "p1"), pay("#k", 201, "p2")}},
			neither: [][]said{{pay("#k", 201, "p1"), pay("#l", 201, "p2")}, {pay("", 201, "p1"), pay("", 201, "p2")}, {pay("#k", 201, "p1"), pay("#k", 409, "p2")}, {pay("#k", 400, "p1"), pay("#k", 201, "p2")},
				{pay("#k", 201, "p1"), {"pay", `#k {"a":"x1"}`, 201, `{}`, ""}}, {pay("#k", 201, "p1"), {"pay", `#k {"a":"x2"}`, 201, `{"id":"p2"}`, ""}}},
			got: `the key "p2"`,
		},
		"replaced-members": {
			passes: [][]said{{add, tagged("x1", ""), sets("put"), tagged("x3", "")}, {add, tagged("x1", ""), sets("put"), tagged("x7", "")}},
			fails: [][]said{{add, tagged("x1", ""), sets("put"), tagged("x1", "")}, {{"add", `{"a":"text 1","b":"text 4"}`, 201, "", ""}, anew, {"read", "", 200, `{"a":"text 3","b":"text 4"}`, ""}},
				{{"add", `{"a":"text 1","d":"later"}`, 201, "", ""}, anew, {"read", "", 200, `{"a":"text 3","d":"later"}`, ""}}},
			neither: [][]said{{add, sets("put"), tagged("x1", "")}, {add, tagged("x1", ""), sets("patch"), tagged("x1", "")}, {add, tagged("x3", ""), sets("put"), tagged("x3", "")}},
			got:     `a "x1", as before`,
		},
		"state-refused": {
			passes: [][]said{{card, inState("waiting"), finish(200), inState("finished"), finish(409)}},
			fails:  [][]said{{card, inState("waiting"), finish(200), inState("finished"), finish(200)}},
			neither: [][]said{{card, inState("waiting"), finish(409), inState("waiting"), finish(200)}, {card, inState("waiting"), finish(200), inState("waiting"), finish(200)}, {card, finish(200), inState("finished"), finish(200)},
				{card, inState("finished"), finish(200), inState("waiting"), finish(200)}},
			got: "200 OK, no media type",
		},
		"siblings-kept": {
			passes: [][]said{{add, twin, read, other, read}, {add, twin, read, other, read2}, {add, twin, page("k1 k2"), read, other, read, page("k1")}},
			fails: [][]said{{add, twin, read, other, none}, {twin, add, read, other, {"read", "", 410, "", ""}}, {add, twin, read, {"beside drop", "", 202, "", ""}, none},
				{add, twin, page("k1 k2"), read, other, read, page("")}, {add, twin, scroll("k1 k2 k3", ""), read, other, read, scroll("k3", "")}},
			neither: [][]said{{add, twin, other, none}, {add, read, {"drop", "", 204, "", ""}, none}, {add, twin, read, {"beside drop", "", 409, "", ""}, none}, {add, twin, read, other, {"read", "", 401, "", ""}},
				{add, twin, page("k2 k3"), read, other, read, page("k3")}, {add, twin, page("k1 k2"), read, other, read, page("k3 k4")}, {add, twin, page("k1 k2"), read, other, read2, page("")},
				{add, twin, page("k1 k2"), read, other, none, page("")}, {add, twin, scroll("k1 k2 k3", "c1"), read, other, read, scroll("k3", "c1")}, {add, twin, read, other, read, {"page", `"limit":5`, 500, "", ""}}},
			got: "404 Not Found, no media type",
		},
		"carried-over": { // the third request makes a thing before that of the last one
			passes: [][]said{{bare, bareRead("k1", ""), full(201), bare, bareRead("k2", "")}, {bare, bareRead("k1", ""), full(201), bare, bareRead("k2", `"d":"made"`)}, {bare, bareRead("k1", ""), full(202), bare, bareRead("k2", "")}},
			fails:  [][]said{{bare, bareRead("k1", ""), full(201), bare, bareRead("k2", `"d":"text 7"`)}, {bare, bareRead("k1", `"d":"made"`), full(201), bare, bareRead("k2", `"d":"text 7"`)}, {bare, bareRead("k1", ""), full(201), bare, bareRead("k2", `"of":{"pin":"8462"}`)}},
			neither: [][]said{{bare, bareRead("k1", `"d":"text 7","of":{"pin":"8462"}`), full(201), bare, bareRead("k2", `"d":"text 7"`)}, {bare, bareRead("k1", ""), full(409), bare, bareRead("k2", `"d":"text 7"`)}, {bare, bareRead("k1", ""), full(201), full(201), bareRead("k2", `"d":"text 7"`)},
				{bare, bareRead("k1", ""), full(201), bare, bareRead("k1", `"d":"text 7"`)}, {bare, bareRead("k1", ""), {"add", `{"a":"x9","n":7}`, 201, "", ""}, bare, bareRead("k2", `"n":7`)}, {bare, bareRead("k1", ""), full(201), bare, {"read", "@k2", 404, "", ""}}},
			got: `d "text 7"`,
		},
		"others-unchanged": { // the change is asked for by another principal
			passes: [][]said{{add, read, no, change(403), read}, {add, read, no, drop(404), read2}, {add, read, read, change(403), read}, {add, read, no, drop(403), said{"read", "", 200, `{"a":"x1","deleted":false}`, ""}}},
			fails: [][]said{{add, read, no, change(403), said{"read", "", 200, `{"a":"y9"}`, ""}}, {add, read, no, drop(403), none}, {add, read, no, change(404), none}, {add, read, no, drop(404), said{"read", "", 200, `{"a":"x1","deletedAt":"2026-01-02"}`, ""}},
				{add, read, no, said{"put", `{"a":"y9"}`, 401, "", ""}, said{"read", "", 200, `{"a":" Y9"}`, ""}}},
			neither: [][]said{{add, read, no, change(200), said{"read", "", 200, `{"a":"y9"}`, ""}}, {add, no, change(403), said{"read", "", 200, `{"a":"y9"}`, ""}}, {add, read}, {add, read, no, change(408), none},
				{add, read, no, drop(403), {"read", "", 403, "", ""}}, {add, read, no, said{"patch", `{"a":"x1","b":true}`, 403, "", ""}, said{"read", "", 200, `{"a":"x1","b":true}`, ""}}},
			got: `a "y9", as that request has it`,
		},
		"listed-as-read": { // an item may be short
			passes: [][]said{{long, mine, page("k1 k2")}, {long, mine, shows(`"a":"text"`)}, {long, mine, shows(`"a":""`)}, {long, mine, shows(`"a":"TEXT of k1"`)}},
			fails:  [][]said{{long, mine, shows(`"a":"other text"`)}, {long, change(200), said{"read", "", 200, `{"a":"y9"}`, ""}, page("k1")}},
			neither: [][]said{{long, mine, page("k2")}, {long, no, page("k1")}, {long, mine, shows(`"b":"other"`)}, {long, mine, shows(`"a":["other"]`)}, {long, page("k1")},
				{long, said{"read", "", 200, `{"id":"k1","a":"set"}`, ""}, page("k1")}, {long, mine, {"page", `"limit":5`, 500, "", ""}}},
			got: `a "other text"`,
		},
		"refused-not-made": { // an item may say that it was refused, or be somebody else's
			passes:  [][]said{{long, page("k1"), refused(400), page("k1")}, {long, page("k1"), refused(400), page("k1 k2")}, {long, page("k1"), refused(400), page("k3:rejected k1")}, {long, page("k3"), refused(400), page("k3")}},
			fails:   [][]said{{long, page("k1"), refused(400), page("k1 k3")}, {long, page("k1"), refused(409), page("k3:new")}},
			neither: [][]said{{long, page("k1"), refused(201), page("k1 k3")}, {long, page("k1"), refused(408), page("k1 k3")}, {long, page("k1"), page("k1")}, {long, refused(400), page("k3")}},
			got:     `one with a "text of k3", as that request has it`,
		},
		"others-unlisted": { // the last two requests are those of another principal
			passes: [][]said{{long, mine, page("k1 k2"), no, page("k2")}, {long, mine, page("k1 k2"), {"read", "", 403, "", ""}, page("")}, {long, mine, page("k1"), no, {"page", `"limit":5`, 200, `{"items":[{"id":"k1"}]}`, ""}}},
			fails:  [][]said{{long, mine, page("k1 k2"), no, page("k2 k1")}, {long, mine, page("k1"), {"read", "", 403, "", ""}, page("k1")}},
			neither: [][]said{{long, mine, page("k1 k2"), mine, page("k2 k1")}, {long, mine, page("k2"), no, page("k1")}, {long, no, page("k1"), no, page("k1")}, {long, mine, page("k1"), {"read", "", 401, "", ""}, page("k1")},
				{long, mine, page("k1"), no, page("k2 k3 k4 k5 k6")}, {long, mine, page("k1"), no, {"page", `"limit":5`, 403, "", ""}}, {mine, page("k1")}},
			got: "all of it in 200 OK, application/json",
		},
	}
}

func TestAThingThatWasMadeTwiceMayBeDeletedOnce(t *testing.T) {
	in := history(t, said{"add", `{}`, 201, "", ""}, said{"beside add", `{}`, 200, "", ""}, said{"read", "", 200, `{"a":1}`, ""}, said{"beside drop", "", 204, "", ""}, said{"read", "", 404, "", ""})
	assert.Equal(t, report.Fail, siblingsKept.Check(in).Verdict)
	in.History[3].Key = in.History[2].Key
	assert.Equal(t, requirement.None, siblingsKept.Check(in))
}

// What a state is called says nothing: the file has those that a server leaves by itself.
func TestOnlyTheStatesOfTheRequirementsFileMayAcceptARequest(t *testing.T) {
	card := said{"card", `@b1 {"a":"x1"}`, 201, `{"id":"c1"}`, ""}
	for state, want := range map[string]report.Verdict{"waiting": report.Fail, "pending": report.Fail, "open": report.Inapplicable, "running": report.Inapplicable} {
		in := history(t, card, said{"readCard", "@b1/c1", 200, `{"a":"x1","state":"` + state + `"}`, ""}, said{"finish", "@b1/c1", 200, "", ""})
		in.Op.Accepted.AllowedIn = []openapi.States{{Member: "state", Values: []*jsontree.Value{jsontree.NewString("open"), jsontree.NewString("running")}}}
		assert.Equal(t, want, stateRefused.Check(in).Verdict, state)
	}
}

// rangeRows are the histories that read a part of a resource, or whole ones with values that stores change.
func rangeRows() map[string]historyRow {
	add, read := said{"add", `{"a":"x1"}`, 201, `{"id":"k1","a":"x1"}`, ""}, said{"read", "", 200, `{"a":1}`, ""}
	old, changed := read.tagged(`"1"`), read.tagged(`"2"`)
	part := func(of, came string) said { return said{"read", "", 206, came, "Content-Range: " + of} }
	card := func(members, came string) []said {
		return []said{{"card", `@b1 {"a":"x1"` + members + `}`, 201, `{"id":"c1"}`, ""}, {"readCard", "@b1/c1", 200, came, ""}}
	}
	c := func(sent, came string) []said {
		return []said{{"add", `{"a":"x1","c":` + sent + `}`, 201, "", ""}, {"read", "", 200, `{"a":"x1"` + came + `}`, ""}}
	}
	return map[string]historyRow{
		"stored-as-sent": {
			passes: [][]said{c(`" Y "`, `,"c":" Y "`), card(`,"open":false`, `{"a":"x1","open":false}`), card("", `{"a":"x1","d":"first"}`), append(c(`"y"`, `,"c":"y"`), said{"put", `{"a":"x1","c":""}`, 200, "", ""}, said{"read", "", 200, `{"a":"x1","c":""}`, ""})},
			fails: [][]said{c(`" Y "`, `,"c":"Y"`), c(`"Y"`, `,"c":"y"`), c(`"e\u0301"`, `,"c":"\u00e9"`), c(`""`, ""), c(`""`, `,"c":null`), {{"add", `{"a":"x1","c":"y"}`, 201, `{"a":"x1"}`, ""}, {"read", "", 200, `{"a":"x1"}`, ""}}, card(`,"open":false`, `{"a":"x1"}`), card("", `{"a":"x1","d":"last"}`),
				append(c(`"y"`, `,"c":"y"`), said{"put", `{"a":"x1","c":""}`, 200, "", ""}, said{"read", "", 200, `{"a":"x1"}`, ""})},
			neither: [][]said{{add, {"read", "", 200, `{"a":"X1"}`, ""}}, {{"add", `{"made":"x"}`, 201, "", ""}, {"read", "", 200, `{"made":"X"}`, ""}}, c("null", ""), {{"add", `{"c":"Y"}`, 202, "", ""}, {"read", "", 200, `{"c":"y"}`, ""}},
				{{"add", `{"c":"Y"}`, 201, "", ""}, {"read", "", 404, "", ""}}, {{"card", `@b1 {"state":"waiting"}`, 201, `{"id":"c1"}`, ""}, {"readCard", "@b1/c1", 200, `{"state":"finished"}`, ""}}},
			got: `c "Y"`,
		},
		"partial-content": {
			passes:  [][]said{{add, old, part("bytes 1-2/7", `"a`)}, {add, old, part("bytes 0-6/*", `{"a":1}`)}, {add, read, part("bytes 1-2/9", `"a`)}},
			fails:   [][]said{{add, old, part("bytes 1-2/7", `"a"`)}, {add, old, part("", `"a`)}, {add, old, part("bytes 1-2/8", `"a`)}, {add, old, part("bytes 5-7/7", `"a"`)}, {add, old, part("1-2/7", `"a`)}},
			neither: [][]said{{add, old, old}, {add, changed, part("bytes 1-2/9", `"a`)}, {add, part("bytes 1-2/7", `"a`)}},
			got:     "3",
		},
	}
}
