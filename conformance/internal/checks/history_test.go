package checks

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

func TestARuleAboutAHistoryFailsWhatItIsAboutAndNothingElse(t *testing.T) {
	add := said{"add", `{"a":"x1"}`, 201, `{"id":"k1","a":"x1"}`, ""}
	read := func(came string) said { return said{"read", "", 200, came, ""} }
	hidden := said{"add", `{"a":"x1","w":"long text","pw":"long secret","of":{"pin":"8462"}}`, 201, "", ""}
	long := said{"add", `{"a":"long x1"}`, 201, "", ""}
	lost := said{"read", "@far-away", 404, "", ""}
	none, drop := said{"read", "", 404, "", ""}, said{"drop", "", 204, "", ""}
	put, patch := said{"put", `{"a":"x2"}`, 200, `{"a":"x2"}`, ""}, said{"patch", `{"b":"y2"}`, 200, "", ""}
	card, readCard := said{"card", `@b1 {"a":"long x1"}`, 201, "", ""}, said{"readCard", "@b1/c1", 200, `{"a":"long x1","open":true}`, ""}
	closedCard, waiting, finished := said{"readCard", "@b1/c1", 200, `{"a":"long x1","open":false}`, ""}, said{"readCard", "@b1/c1", 200, `{"a":"long x1","state":"waiting"}`, ""}, said{"readCard", "@b1/c1", 200, `{"a":"long x1","state":"finished"}`, ""}
	below := func(op, body string, status int, came string) said {
		return said{op, "@b2/c1 " + body, status, came, ""}
	}
	cards := func(items string) said { return said{"cards", "@b2", 200, "[" + items + "]", ""} }
	owned := said{"put", `{"a":"x2","owner":"text 9"}`, 200, "", ""}
	several := said{"put", `{"n":7,"version":7,"l":["long"]}`, 200, "", ""}
	first, second, third := said{"add", `{"a":"text 1","b":"text 4"}`, 201, "", ""}, said{"put", `{"a":"text 2","b":"text 5"}`, 200, "", ""}, said{"put", `{"a":"text 3"}`, 200, "", ""}
	list := func(came string) said { return said{"list", "", 200, came, ""} }
	later := said{"drop", "", 202, "", ""}
	pair, again, no := said{"patch", `{"a":"x3","b":"y3"}`, 200, "", ""}, said{"put", `{"a":"x4"}`, 200, "", ""}, said{"patch", `{"a":"x9","b":[]}`, 400, "", ""}
	state := func(is string) said { return read(`{"id":"k1","a":"x1","state":"` + is + `"}`) }
	voucher := func(is string) said { return read(`{"code":"k1","id":"v1","state":"` + is + `"}`) }
	shutting := said{"close", "", 200, `{"id":"k1","a":"x1","state":"shut"}`, ""}
	const noon, day = "Tue, 02 Jan 2024 12:00:00 GMT", "Mon, 01 Jan 2024 12:00:00 GMT"
	late := said{"put", `{}`, 412, "", ""}
	set, without := said{"patch", `[{"op":"replace","path":"/a","value":"x3"}]`, 200, "", ""}, said{"patch", `[{"op":"remove","path":"/a"}]`, 200, "", ""}
	tested := said{"patch", `[{"op":"replace","path":"/a","value":"x3"},{"op":"test","path":"/a","value":"x4"}]`, 200, "", ""}
	open, closed, shut := read(`{"a":"x1","state":"open"}`), said{"close", "", 200, "", ""}, read(`{"a":"x1","state":"shut"}`)
	noted := said{"note", `{"a":"x1"}`, 201, `{"id":"n1","a":"x1"}`, ""}
	notes := func(query, items string) said { return said{"notes", query, 200, "[" + items + "]", ""} }
	// page and scroll are requests for items, each written as its id, with a query.
	page := func(query, ids, more string) said {
		return said{"page", query, 200, `{"items":[` + items(ids) + `]` + more + `}`, ""}
	}
	scroll := func(query, ids, more string) said {
		s := page(query, ids, more)
		s.op = "scroll"
		return s
	}
	whole := func(ids string) said { return page(`"limit":5`, ids, "") }
	old, changed, same := read(`{"a":1}`).tagged(`"1"`), read(`{"a":2}`).tagged(`"2"`), said{"read", "", 304, "", ""}
	dealt := func(body, key string) said {
		return said{"card", "@b1 " + body, 201, body[:len(body)-1] + `,"id":"` + key + `"}`, ""}
	}
	at := func(key, came string) said { return said{"readCard", "@b1/" + key, 200, came, ""} }
	const drawn = "0b9e6f0c-5a7d-4e2b-9c55-2f4be7a0d1c3"
	anew := said{"putWhole", `{"a":"text 3"}`, 200, "", ""}
	counted, twin := said{"card", `@b1 {"n":3}`, 201, "", ""}, said{"add", `{"a":"x1"}`, 201, `{"id":"k1","a":"x1"}`, ""}
	rows := map[string]historyRow{
		"created-readable": {
			passes: [][]said{{add, read(`{}`)}, {{"add", `{}`, 202, "", ""}, read(`{}`)}, {dealt(`{"a":"long x1"}`, "c1"), at("c1", `{"id":"c1","a":"long x1"}`)},
				// The answer may have a key of its own, or be about a changed thing.
				{dealt(`{"a":"long x1"}`, "c1"), at("c2", `{"id":"c2","a":"Long x1"}`)}, {dealt(`{"a":"long x1"}`, "c1"), at("c2", `{"id":"c9","a":"other text"}`)},
				{dealt(`{"a":"long x1"}`, "c1"), at("c1", `{"id":"c1","a":"other text"}`)}, {dealt(`{"n":3}`, "c1"), at("c2", `{"id":"c2","n":4}`)}},
			fails: [][]said{{add, none}, {{"add", `{}`, 202, "", ""}, read(`{}`), none}, {dealt(`{"a":"long x1"}`, "c1"), at("c2", `{"id":"c2","a":"other text"}`)},
				{add, put, lost}, {add, read(`{}`), patch, lost}},
			neither: [][]said{{add, {"put", `{"a":"x2"}`, 202, "", ""}, lost}, {add, closed, lost}, {add, {"put", `{"a":"x2","id":"k2"}`, 200, "", ""}, lost}, {add, {"put", `{"a":"x2","state":"archived"}`, 200, "", ""}, lost},
				{add, {"put", `{"a":"far-away"}`, 200, "", ""}, lost}, {{"add", `{"a":"far-away"}`, 201, "", ""}, put, lost}, {add, set, lost},
				{{"add", `{}`, 202, "", ""}, none}, {add, drop, none}, {none}, {add, {"read", "", 403, "", ""}}},
			got: "404 Not Found, no media type",
		},
		"stored-created": {
			passes: [][]said{{add, read(`{"a":"x1"}`)}, {add, read(`{"data":{"a":"X1 "}}`)}, {{"add", `{"a":"x1"}`, 201, `{"a":"other"}`, ""}, read(`{"a":"other"}`)},
				{{"add", `{"a":"x1","c":"y"}`, 201, `{"a":"x1"}`, ""}, read(`{"a":"x1"}`)}, {{"add", `{"a":"x1","c":"","w":1}`, 201, "", ""}, read(`{"a":"x1"}`)}, {twin, {"read", "@K1", 200, `{"id":"K1","a":"x1"}`, ""}}, {twin, {"read", "@s1", 200, `{"id":"e9","a":"x1"}`, ""}}},
			fails: [][]said{{add, read(`{"a":"x2"}`)}, {{"add", `{"a":"x1"}`, 201, "", ""}, read(`{"a":"x2"}`)}, {{"add", `{"a":"x1","c":"y"}`, 201, "", ""}, read(`{"a":"x1"}`)},
				{{"add", `{"a":"x1","c":true}`, 201, `{"a":"x1","c":true}`, ""}, read(`{"a":"x1"}`)}, {{"add", `{"a":"x1","n":9007199254740993}`, 201, `{"n":9007199254740992}`, ""}, read(`{"a":"x1","n":9007199254740992}`)}, {twin, {"read", "@k2", 200, `{"id":"k2","a":"x1"}`, ""}}, {twin, {"read", "@k1", 200, `{"id":"k2","a":"x1"}`, ""}}},
			neither: [][]said{{add, none}, {add, read(`{}`)}, {add, put, read(`{"a":"x2"}`)}, {{"add", `{"made":"x"}`, 201, "", ""}, read(`{"made":"y"}`)}},
			got:     `a "x2"`,
		},
		"stored-added": {
			passes: [][]said{{add, noted, notes("", `{"id":"n0","a":"x"},{"id":"n1","a":"other"}`)}, {add, {"note", `{"a":"x1"}`, 201, "", ""}, notes("", `{"id":"n1","a":"X1 "}`)}},
			fails:  [][]said{{add, noted, notes("", "")}, {add, {"note", `{"a":"x1"}`, 201, `{"id":"n1","state":"new"}`, ""}, notes("", "")}, {add, noted, notes(`"limit":2`, `{"id":"n0","a":"x0"}`)}, {add, {"note", `{"a":"x1"}`, 201, "", ""}, notes(`"limit":2`, `{"id":"n0","a":"x0"}`)}},
			neither: [][]said{{add, {"note", `{"a":"x1"}`, 202, "", ""}, notes("", "")}, {add, notes("", "")}, {add, noted, closed, notes("", "")},
				{add, noted, notes("", `{"id":"n0","a":"x0"}`)}, {add, noted, notes(`"limit":1`, `{"id":"n0","a":"x0"}`)}, {add, noted, {"notes", "", 404, "", ""}}},
			got: "0 items, none of them with its values",
		},
		"stored-replaced": {
			passes: [][]said{{{"add", `{"of":{}}`, 201, "", ""}, {"put", `{"of":{"k":["v1"]}}`, 200, `{"of":{"k":["owner","v1"]}}`, ""}, read(`{"of":{"k":["owner","v1"]}}`)},
				{add, {"put", `{"l":["long"]}`, 200, `{"l":["long"]}`, ""}, read(`{"l":["owner","long"]}`)}, {add, {"put", `{"of":{"k":["v1"]}}`, 200, "", ""}, read(`{"of":{"k":["v1","owner"]}}`)}, {add, read(`{"a":"x1"}`), {"put", `{"a":"x2","c":"y2"}`, 200, `{"a":"x2"}`, ""}, read(`{"a":"x2"}`)}, {add, put, read(`{"a":"x2"}`)}, {add, {"put", `{"a":"x2"}`, 200, `{"a":"x3"}`, ""}, read(`{"a":"x3"}`)}},
			fails: [][]said{{add, put, read(`{"a":"x1"}`)}, {add, {"put", `{"a":"x2"}`, 200, `{"a":"x1"}`, ""}, read(`{"a":"x1"}`)}, {add, pair, put, read(`{"a":"x3"}`)}, {add, put, again, read(`{"a":"x2"}`)}, {add, read(`{"a":"x1","c":"y1"}`), {"put", `{"a":"x2","c":"y2"}`, 200, `{"a":"x2"}`, ""}, read(`{"a":"x2"}`)},
				{add, {"put", `{"l":["first"]}`, 200, "", ""}, {"put", `{"l":["long"]}`, 200, "", ""}, read(`{"l":["first","long"]}`)}, {add, {"put", `{"l":["long"]}`, 200, "", ""}, read(`{"l":["owner"]}`)},
				{{"add", `{"of":{}}`, 201, "", ""}, {"put", `{"of":{"k":["v1"]}}`, 200, `{"of":{"k":["owner"]}}`, ""}, read(`{"of":{"k":["owner"]}}`)}},
			neither: [][]said{{put, read(`{"a":"x1"}`)}, {add, put, patch, read(`{"a":"x1","b":"y2"}`)}, {add, put, closed, read(`{"a":"x1"}`)}, {add, put, {"put", `{"a":"x3"}`, 409, "", ""}, read(`{"a":"x1"}`)}, {add, {"put", `{"a":"x2"}`, 202, "", ""}, read(`{"a":"x1"}`)}, {add, put, none}},
			got:     `a "x1"`,
		},
		"replaced-whole": {
			passes: [][]said{{first, second, read(`{"a":"text 2","b":"text 5"}`), third, read(`{"a":"text 3"}`)}, {first, second, read(`{"a":"text 2","b":"text 5"}`), third, read(`{"a":"text 3","b":"made"}`)}},
			fails: [][]said{{first, second, read(`{"a":"text 2","b":"text 5"}`), third, read(`{"a":"text 3","b":"text 5"}`)},
				{{"add", `{"n":712}`, 201, "", ""}, {"put", `{"a":"text 2","n":813}`, 200, "", ""}, read(`{"a":"text 2","n":813}`), third, read(`{"a":"text 3","n":813}`)}},
			neither: [][]said{{first, anew, read(`{"a":"text 3"}`)}, {first, anew, read(`{"a":"text 3","b":"made"}`)}, {{"add", `{"a":"text 1","d":"first"}`, 201, "", ""}, anew, read(`{"a":"text 3","d":"first"}`)},
				{first, third, read(`{"a":"text 3","b":"text 4"}`)}, {first, second, third, read(`{"a":"text 3","b":"text 5"}`)}, {first, second, read(`{"a":"text 2","b":"text 4"}`), third, read(`{"a":"text 3","b":"text 4"}`)},
				{first, {"put", `{"a":"text 2","b":"text 4"}`, 200, "", ""}, read(`{"a":"text 2","b":"text 4"}`), third, read(`{"a":"text 3","b":"text 4"}`)}, {first, second, read(`{"a":"text 2","b":"text 5"}`), third, read(`{"a":"text 2","b":"text 5"}`)},
				{first, second, read(`{"a":"text 2","b":"text 5"}`), {"put", `{"a":"text 3"}`, 202, "", ""}, read(`{"a":"text 3","b":"text 5"}`)},
				{{"add", `{"n":1,"d":"text","ownerId":"text"}`, 201, "", ""}, {"put", `{"a":"text 2","n":2,"d":"text 6","ownerId":"text 7"}`, 200, "", ""}, read(`{"a":"text 2","n":2,"d":"text 6","ownerId":"text 7"}`), third, read(`{"a":"text 3","n":2,"d":"text 6","ownerId":"text 7"}`)}},
			got: `b "text 5", as before`,
		},
		"replaced-again": {
			passes: [][]said{{add, put, read(`{"a":"x2"}`), put, read(`{"a":"x2"}`)}, {add, put, read(`{"a":"X2"}`), put, read(`{"a":"x2"}`)}, {add, put, read(`{"a":"x1"}`), put, read(`{"a":"x2"}`)}, {add, put, read(`{"a":"other"}`), put, read(`{"a":"others"}`)},
				{add, several, read(`{"n":7,"version":8,"l":["long"]}`), several, read(`{"n":7,"version":9,"l":["long"]}`)}},
			fails: [][]said{{add, put, read(`{"a":"x1 x2"}`), put, read(`{"a":"x1 x2 x2"}`)}, {add, put, read(`{"a":"x2"}`), put, read(`{"a":"x1"}`)},
				{add, several, read(`{"n":7}`), several, read(`{"n":8}`)}, {add, several, read(`{"l":["x","long"]}`), several, read(`{"l":["x","long","long"]}`)}, {add, several, read(`{"n":8}`), several, read(`{"n":15}`)}, {add, several, read(`{"l":["long"]}`), several, read(`{"l":["long","long"]}`)}},
			neither: [][]said{{add, put, read(`{"a":"x2"}`), again, read(`{"a":"x4"}`)}, {add, put, put, read(`{"a":"x1"}`)}, {add, put, read(`{"a":"x2"}`), {"put", put.body, 409, "", ""}, read(`{"a":"x1"}`)}, {add, put, read(`{"a":"x2"}`), read(`{"a":"x1"}`)}},
			got:     `a "x1 x2 x2"`,
		},
		"read-only-kept": {
			passes:  [][]said{{add, owned, read(`{"a":"x2","owner":"ann"}`)}},
			fails:   [][]said{{add, owned, read(`{"a":"x2","owner":"text 9"}`)}},
			neither: [][]said{{add, owned, read(`{"a":"x2"}`)}, {add, read(`{"a":"x1","owner":"text 9"}`), owned, read(`{"a":"x2","owner":"text 9"}`)}, {add, {"put", owned.body, 400, "", ""}, read(`{"a":"x2","owner":"text 9"}`)}, {add, {"put", `{"a":"x2","id":"text 9"}`, 200, "", ""}, read(`{"a":"x2","id":"text 9"}`)}},
			got:     `owner "text 9", as put sent it`,
		},
		"write-only-kept": {
			passes:  [][]said{{hidden, read(`{"a":"x1"}`)}, {hidden, read(`{"a":"x1","pw":"******"}`)}, {hidden, read(`{"a":"x1","w":"long text"}`)}, {hidden, {"put", `{"b":"text"}`, 200, "", ""}, read(`{"b":"text"}`)}},
			fails:   [][]said{{hidden, read(`{"a":"x1","pw":"long secret"}`)}, {hidden, read(`{"data":{"a":"x1","of":{"pin":"8462"}}}`)}, {hidden, read(`{"pw":"long secret"}`)}},
			neither: [][]said{{add, read(`{"a":"x1","pw":"long secret"}`)}, {hidden, none}, {{"add", hidden.body, 400, "", ""}, read(`{"pw":"long secret"}`)}, {hidden, read(`[]`)}},
			got:     "/pw as it was sent, in 200 OK, application/json",
		},
		"stored-patched": {
			passes: [][]said{{add, {"patch", `{"l":["long"]}`, 200, "", ""}, read(`{"l":["owner","long"]}`)}, {{"add", `{"of":{"k":"v1"}}`, 201, "", ""}, {"patch", `{"of":{"k":null}}`, 200, "", ""}, read(`{"of":{}}`)}, {{"add", `{"of":{"k":"v1"}}`, 201, "", ""}, {"patch", `{"of":{"k":null}}`, 200, "", ""}, read(`{"of":{"k":null}}`)},
				{{"add", `{"of":{"k":"v1"}}`, 201, "", ""}, {"patch", `{"of":{"k":null}}`, 200, "", ""}, read(`{"of":{"k":"a default"}}`)}, {add, pair, patch, read(`{"a":"x3","b":"y2"}`)}, {add, patch, read(`{"a":"x1","b":"y2"}`)}, {add, {"patch", `{"a":null}`, 200, "", ""}, read(`{"a":"","b":"y2"}`)},
				// A member that no PATCH changed may be fixed, and a server may give another value.
				{long, {"patch", `{"a":"text 3","b":"text 4"}`, 200, `{"a":"long x1","b":"text 4"}`, ""}, read(`{"a":"long x1","b":"text 4"}`)}, {long, {"patch", `{"a":"text 2"}`, 200, "", ""}, {"patch", `{"a":"text 3","b":"text 4"}`, 200, `{"a":"other","b":"text 4"}`, ""}, read(`{"a":"other","b":"text 4"}`)}, {add, {"patch", `{"a":null}`, 200, "", ""}, read(`{"a":null}`)}},
			fails: [][]said{{add, patch, read(`{"a":"x1","b":"y1"}`)}, {add, pair, patch, read(`{"a":"x3","b":"y3"}`)}, {add, pair, read(`{"a":"x3","b":"y3"}`), patch, read(`{"a":"x3","b":"y3"}`)}, {add, {"patch", `{"a":null}`, 200, "", ""}, read(`{"a":"x1"}`)},
				{long, {"patch", `{"a":"text 2"}`, 200, "", ""}, {"patch", `{"a":"text 3","b":"text 4"}`, 200, `{"a":"text 2","b":"text 4"}`, ""}, read(`{"a":"text 2","b":"text 4"}`)},
				{{"add", `{"l":["long"]}`, 201, "", ""}, {"patch", `{"l":["text 2"]}`, 200, `{"l":["long","text 2"]}`, ""}, read(`{"l":["long","text 2"]}`)},
				{{"add", `{"of":{"k":"v1"}}`, 201, "", ""}, {"patch", `{"of":{"k":null}}`, 200, "", ""}, read(`{"of":{"k":"v1"}}`)}, {{"add", `{"of":{"k":"v1"}}`, 201, "", ""}, {"patch", `{"of":{"k":null}}`, 200, `{"of":{"k":"null"}}`, ""}, read(`{"of":{"k":"null"}}`)}},
			neither: [][]said{{add, read(`{"b":"y1"}`)}, {add, patch, none}, {add, patch, put, read(`{"a":"x2","b":"y1"}`)}, {add, patch, closed, read(`{"a":"x1","b":"y1"}`)}},
			got:     `b "y1"`,
		},
		"patch-leaves-rest": {
			passes: [][]said{{add, read(`{"a":"x1"}`), patch, read(`{"a":"x1","b":"y2"}`)},
				{{"add", `{"a":"x1","b":"y1"}`, 201, "", ""}, read(`{"a":"x1","b":"y1"}`), patch, read(`{"a":"x1","b":"y2"}`)}, {add, put, patch, read(`{"a":"x2","b":"y2"}`)},
				{{"add", `{"of":{"k":"v1"}}`, 201, "", ""}, read(`{"of":{"k":"v1","changed":1}}`), patch, read(`{"of":{"k":"v1","changed":2},"b":"y2"}`)},
				{add, open, closed, shut, {"patch", `{"b":"y2"}`, 200, `{"a":"x1","state":"shut"}`, ""}, read(`{"a":"x1","b":"y2","state":"shut"}`)}},
			fails: [][]said{{add, read(`{"a":"x1"}`), patch, read(`{"b":"y2"}`)}, {add, read(`{"a":"x1"}`), patch, read(`{"a":null,"b":"y2"}`)}, {{"add", `{"of":{"k":"v1","j":"w1"}}`, 201, "", ""}, read(`{"of":{"k":"v1","j":"w1"}}`), {"patch", `{"of":{"k":"v2"}}`, 200, "", ""}, read(`{"of":{"k":"v2"}}`)}, {add, put, patch, read(`{"a":"x1","b":"y2"}`)}, {add, pair, patch, read(`{"a":"x1","b":"y2"}`)},
				{{"add", `{"of":{"k":"v1"}}`, 201, "", ""}, read(`{"of":{"k":"v1","changed":1}}`), patch, read(`{"of":{"k":"v2","changed":2},"b":"y2"}`)}, {add, put, read(`{"a":"x2"}`), patch, read(`{"b":"y2"}`)}, {add, open, closed, shut, {"patch", `{"b":"y2"}`, 200, `{"a":"x1","state":"shut"}`, ""}, read(`{"a":"x1","b":"y2","state":"open"}`)}},
			neither: [][]said{{add, patch, read(`{"b":"y2"}`)}, {add, put, patch, read(`{"b":"y2"}`)}, {add, pair, read(`{"a":"x1","b":"y3"}`), patch, read(`{"a":"x4","b":"y2"}`)}, {add, read(`{"a":"x1"}`), closed, patch, read(`{"a":"x2"}`)},
				{add, pair, {"put", `{"b":"y1"}`, 200, "", ""}, patch, read(`{"a":"x1","b":"y2"}`)}, {add, read(`{"a":"x1"}`), {"patch", `{"b":"y2"}`, 202, "", ""}, read(`{"a":"x2"}`)},
				{add, open, closed, shut, {"patch", `{"b":"y2"}`, 200, `{"a":"x1","state":"open"}`, ""}, read(`{"a":"x1","b":"y2","state":"open"}`)}, {add, read(`{"c":1}`), patch, read(`{"c":2}`)}},
			got: "a no value",
		},
		"json-patched": {
			passes: [][]said{{add, read(`{"a":"x1"}`), set, read(`{"a":"x3"}`)}, {add, read(`{"a":"x1","b":"y1"}`), without, read(`{"b":"y1"}`)}, {add, read(`{"a":"x1"}`), without, read(`{"a":null}`)},
				{add, read(`{"a":"x1"}`), {"patch", set.body, 200, `{"a":"x-3"}`, ""}, read(`{"a":"x-3"}`)}},
			fails: [][]said{{add, read(`{"a":"x1"}`), {"patch", `[{"op":"test","path":"/a","value":"x4"}]`, 200, "", ""}, read(`{"a":"x1"}`)}, {add, read(`{"a":"x1"}`), set, read(`{"a":"x1"}`)}, {add, read(`{"a":"x1"}`), without, read(`{"a":"x1"}`)}, {add, read(`{"a":"x1"}`), tested, read(`{"a":"x1"}`)},
				{add, read(`{"a":"x1"}`), {"patch", set.body, 200, `{"a":"x3"}`, ""}, read(`{"a":"x1"}`)}, {add, read(`{"a":"x1"}`), {"patch", `[{"op":"add","path":"/c","value":"z"}]`, 200, "", ""}, read(`{"c":"z"}`)}},
			neither: [][]said{{add, set, read(`{"a":"x1"}`)}, {add, read(`{"a":"x1"}`), patch, read(`{"a":"x1"}`)}, {add, read(`{"a":"x1"}`), {"patch", tested.body, 409, "", ""}, read(`{"a":"x1"}`)},
				{add, read(`{"a":"x1"}`), {"patch", `[{"op":"replace","path":"/a/b","value":1}]`, 200, "", ""}, read(`{"a":"x1"}`)}, {add, read(`{"a":"x1"}`), {"patch", set.body, 202, "", ""}, read(`{"a":"x1"}`)}},
			got: `patch was answered with 200 OK, no media type`,
		},
		"refused-unchanged": {
			passes:  [][]said{{add, read(`{"a":"x1"}`), no, read(`{"a":"x1"}`)}, {add, pair, no, read(`{"a":"x3","b":"y3"}`)}, {add, read(`{"a":"x1"}`), {"close", "", 409, "", ""}, read(`{"a":"x1"}`)}},
			fails:   [][]said{{add, read(`{"a":"x1"}`), no, read(`{"a":"x9"}`)}, {add, pair, no, read(`{"a":"x1"}`)}},
			neither: [][]said{{add, no, read(`{"a":"x9"}`)}, {add, read(`{"a":"x1"}`), {"patch", `{"a":"x9"}`, 408, "", ""}, read(`{"a":"x9"}`)}, {add, read(`{"a":"x1"}`), pair, read(`{"a":"x3"}`)}, {add, read(`{"a":"x1"}`), no, none}},
			got:     `a "x9"`,
		},
		"gone": {
			passes:  [][]said{{add, read(`{}`), drop, none}, {add, drop, list(`[]`)}},
			fails:   [][]said{{add, drop, list(`[{"id":"k9"}]`)}, {add, read(`{"a":1}`), drop, read(`{"a":1}`)}, {add, drop, read(`{"a":1}`)}, {add, read(`{"a":1}`), drop, {"patch", `{}`, 200, `{"a":1}`, ""}}},
			neither: [][]said{{add, drop, read(`{"deleted":true}`), {"head", "", 200, "", ""}}, {add, read(`{"a":1,"deleted":false}`), drop, {"patch", `{}`, 200, `{"a":1,"deleted":true}`, ""}}, {add, read(`{}`), later, read(`{}`)}, {add, read(`{"id":1,"a":"x"}`), drop, read(`{"id":2,"a":"y"}`)}, {add, read(`{"id":1,"status":"new"}`), drop, read(`{"id":1,"status":"deleted"}`)}, {add, read(`{}`)}},
			got:     "200 OK, application/json",
		},
		"unlisted": {
			passes:  [][]said{{add, list(`[{"id":"k1"}]`), drop, list(`[]`)}, {add, list(`{"items":[{"id":"k1"}]}`), drop, list(`{"items":[{"id":"k2"}]}`)}},
			fails:   [][]said{{add, list(`[{"id":"k1"}]`), drop, list(`[{"id":"k1"}]`)}, {add, page("", "k1", ""), page(`"state":"x"`, "k1", ""), drop, page(`"state":"x"`, "k1", ""), page("", "", "")}},
			neither: [][]said{{add, list(`[]`), drop, list(`[]`)}, {add, list(`[{"id":"k1"}]`), drop, list(`[{"id":"k1","deleted":true}]`)}, {add, list(`[{"id":"k1"}]`), later, list(`[{"id":"k1"}]`)}, {add, page("", "k2", ""), drop, page("", "k2", "")}},
			got:     "the deleted item in 200 OK, application/json",
		},
		"etag-changes": {
			passes:  [][]said{{add, old, put, changed}},
			fails:   [][]said{{add, old, put, changed.tagged(`"1"`)}, {add, read(`{"a":1}`).tagged(`W/"1"`), {"patch", `{"a":2}`, 200, "", ""}, read(`{"a":2}`).tagged(`W/"1"`)}},
			neither: [][]said{{add, old, put, old}, {add, read(`{"a":1}`).tagged(`W/"1"`), put, changed.tagged(`W/"1"`)}, {add, read(`{"a":1,"seen":1}`).tagged(`W/"1"`), {"patch", `{"a":1}`, 200, "", ""}, read(`{"a":1,"seen":2}`).tagged(`W/"1"`)}, {add, old}, {add, old, put, none}},
			got:     "the same ETag with another representation",
		},
		"not-modified": {
			passes:  [][]said{{add, old, same}},
			fails:   [][]said{{add, old, old}},
			neither: [][]said{{add, old, changed}, {add, read(`{}`), read(`{}`)}, {add, old, none}},
			got:     "200 OK, application/json",
		},
		"modified": {
			passes:  [][]said{{add, old, put, changed, changed}},
			fails:   [][]said{{add, old, put, changed, same}},
			neither: [][]said{{add, read(`{}`), put, read(`{}`), same}, {add, old, put, changed, none}, {add, old, put, old, same}, {add, old, same}},
			got:     "304 Not Modified, no media type",
		},
		"if-match": {
			passes:  [][]said{{add, old, put, changed, {"put", `{}`, 412, "", ""}}},
			fails:   [][]said{{add, old, put, changed, put}},
			neither: [][]said{{add, read(`{}`), put, read(`{}`), put}, {add, old, put, old, put}, {add, old, put}},
			got:     "200 OK, application/json",
		},
		"not-modified-fields": { // the tag is one of them
			passes:  [][]said{{add, old, same.tagged(`"1"`).asked(`If-None-Match: "1"`)}, {add, old, same.tagged(`"2"`).asked("If-None-Match: *")}},
			fails:   [][]said{{add, old, same.asked(`If-None-Match: "1"`)}},
			neither: [][]said{{add, read(`{}`), same.asked(`If-None-Match: "1"`)}, {add, old, same.asked("If-Modified-Since: " + noon)}, {add, old, old.asked(`If-None-Match: "1"`)}},
			got:     "304 without ETag",
		},
		"match-listed": {
			passes: [][]said{{add, old, put, changed, put.asked(`If-Match: "9", "2"`)}},
			fails:  [][]said{{add, old, put, changed, late.asked(`If-Match: "9", "2"`)}, {add, old, put, changed, said{"put", `{}`, 400, "", ""}.asked(`If-Match: "9", "2"`)}},
			neither: [][]said{{add, old, late, changed, late.asked(`If-Match: "9", "2"`)}, {add, old, put, changed, late.asked(`If-Match: "2"`)}, {add, old, put, changed, late.asked(`If-Match: "9", "1"`)},
				{add, old, put, changed, said{"put", `{}`, 409, "", ""}.asked(`If-Match: "9", "2"`)}, {add, old, patch, changed, late.asked(`If-Match: "9", "2"`)}, {add, old, late.asked(`If-Match: "9", "1"`)},
				{add, old, put, changed.tagged(`W/"2"`), late.asked(`If-Match: "9", W/"2"`)}},
			got: "412 Precondition Failed, no media type",
		},
		"match-existing": {
			passes: [][]said{{add, old, put, changed, put.asked("If-Match: *")}},
			fails:  [][]said{{add, old, put, changed, late.asked("If-Match: *")}},
			neither: [][]said{{add, old, late, changed, late.asked("If-Match: *")}, {add, old, put, changed, late.asked(`If-Match: "2"`)}, {add, old, late.asked("If-Match: *")},
				{add, old, put, changed, said{"put", `{}`, 400, "", ""}.asked("If-Match: *")}, {add, old, patch, changed, late.asked("If-Match: *")}, {add, drop, none, late.asked("If-Match: *")}},
			got: "412 Precondition Failed, no media type",
		},
		"match-weak": {
			passes: [][]said{{add, old, late, old, late.asked(`If-Match: W/"1"`)}, {add, old, late, old, said{"put", `{}`, 400, "", ""}.asked(`If-Match: W/"1"`)}},
			fails:  [][]said{{add, old, late, old, put.asked(`If-Match: W/"1"`)}},
			neither: [][]said{{add, old, put, changed, put.asked(`If-Match: W/"2"`)}, {add, old, late, old, put.asked(`If-Match: "1"`)}, {add, old, late, read(`{}`).tagged(`W/"1"`), put.asked(`If-Match: W/"1"`)},
				{add, old, late, old, put.asked(`If-Match: W/"2"`)}},
			got: "200 OK, application/json",
		},
		"match-any": {
			passes:  [][]said{{add, drop, none, late.asked("If-Match: *")}, {add, drop, {"read", "", 410, "", ""}, said{"put", `{}`, 404, "", ""}.asked("If-Match: *")}},
			fails:   [][]said{{add, drop, none, put.asked("If-Match: *")}},
			neither: [][]said{{add, drop, none, put}, {add, drop, none, put.asked(`If-Match: "1"`)}, {add, drop, read(`{}`), put.asked("If-Match: *")}, {add, none, put.asked("If-Match: *")}, {add, drop, put.asked("If-Match: *")}},
			got:     "200 OK, application/json",
		},
		"stored-done": {
			passes: [][]said{{add, state("open"), shutting, state("shut")}, {add, state("open"), {"close", "", 409, "", ""}, shutting, state("shut")}},
			fails:  [][]said{{add, state("open"), shutting, state("open")}},
			neither: [][]said{{add, shutting, state("open")}, {add, state("open"), closed, state("open")}, {add, state("open"), {"close", "", 202, shutting.came, ""}, state("open")}, {add, state("open"), {"close", "", 200, `{"id":"k2","state":"shut"}`, ""}, state("open")},
				{add, voucher("open"), {"close", "", 201, `{"code":"k1","id":"n1","state":"shut"}`, ""}, voucher("open")}, {add, voucher("open"), {"close", "", 201, `{"code":"k1","state":"shut","till":"T1"}`, ""}, voucher("open")}},
			got: `state "open"`,
		},
		"not-modified-since": {
			passes:  [][]said{{add, old.at(noon), same.asked("If-Modified-Since: " + noon)}},
			fails:   [][]said{{add, old.at(noon), old.at(noon).asked("if-modified-since: " + noon)}},
			neither: [][]said{{add, old.at(noon), old.at(noon).asked("If-Modified-Since: " + day)}, {add, old.at(noon), changed.at(day).asked("If-Modified-Since: " + noon)}, {add, old, old.asked("If-Modified-Since: " + noon)}, {add, old.at(noon), none.asked("If-Modified-Since: " + noon)}, {add, old.at(noon), old.at(noon).asked(`If-None-Match: "9"`).asked("If-Modified-Since: " + noon)}},
			got:     "200 OK, application/json",
		},
		"modified-since": {
			passes:  [][]said{{add, old.at(noon), old.at(noon).asked("If-Modified-Since: " + day)}},
			fails:   [][]said{{add, old.at(noon), same.asked("If-Modified-Since: " + day)}},
			neither: [][]said{{add, old.at(noon), same.asked("If-Modified-Since: " + noon)}, {add, old, same.asked("If-Modified-Since: " + day)}, {add, old.at(noon), same}, {add, old.at(noon), none.asked("If-Modified-Since: " + day)}},
			got:     "304 Not Modified, no media type",
		},
		"unmodified-since": {
			passes:  [][]said{{add, old.at(noon), late.asked("If-Unmodified-Since: " + day)}},
			fails:   [][]said{{add, old.at(noon), put.asked("If-Unmodified-Since: " + day)}},
			neither: [][]said{{add, old.at(noon), put.asked("If-Unmodified-Since: " + noon)}, {add, old, put.asked("If-Unmodified-Since: " + day)}, {add, old.at(noon), put.asked(`If-Match: "1"`).asked("If-Unmodified-Since: " + day)}},
			got:     "200 OK, application/json",
		},
		"head-like-get": {
			passes:  [][]said{{add, old, old, {"head", "", 200, "", `W/"1"`}}, {add, old, old, {"head", "", 200, "", ""}}, {add, old, changed, {"head", "", 200, "", `"9"`}}},
			fails:   [][]said{{add, old, old, {"head", "", 200, "", `"9"`}}, {add, old, old, {"head", "", 404, "", `"1"`}}},
			neither: [][]said{{add, old, {"head", "", 200, "", `"9"`}}, {add, none, none, {"head", "", 200, "", ""}}, {add, old, none, {"head", "", 404, "", ""}}},
			got:     `ETag "9"`,
		},
		"others-kept": { // the last request is of another principal
			passes:  [][]said{{add, read(`{"a":"long x1"}`), none}, {add, {"drop", "", 403, "", ""}}, {add, old, none, {"close", "", 404, "", ""}}},
			fails:   [][]said{{long, read(`{"a":"long x1"}`), read(`{"a":"long x1","seen":2}`)}, {add, old, none, {"close", "", 200, "", ""}}, {add, read(`{"n":1}`), read(`{"n":1}`)}, {add, drop}, {add, put}, {add, old, none, {"head", "", 200, "", ""}}},
			neither: [][]said{{add, old, old, {"head", "", 200, "", ""}}, {long, read(`{"a":"long x1"}`), read(`{"a":"other"}`)}, {add, read(`{"n":1}`), read(`{}`)}, {add, later}, {add, {"put", `{}`, 400, "", ""}}, {none}, {add, old, old, {"close", "", 200, "", ""}}, {add, old, old, drop}, {add, old, old, put}},
			got:     "200 OK, application/json",
		},
		"page-limit": {
			passes:  [][]said{{page(`"limit":2`, "a b", "")}, {add, page("", "a b c", "")}, {page(`"limit":9`, "a b c", ""), page(`"limit":2`, "a", "")}},
			fails:   [][]said{{page(`"limit":2`, "a b c", "")}, {page("", "a b c d", "")}, {page(`"limit":1`, "a b", ""), page(`"limit":1`, "a", "")}},
			neither: [][]said{{page(`"limit":2`, "a", "")}, {page("", "a b", "")}, {{"page", "", 404, "", ""}}, {page(`"limit":2`, "a b", ""), {"page", "", 200, `{}`, ""}}},
			got:     "3 items",
		},
		"pages-disjoint": {
			passes:  [][]said{{whole("a b c"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "c", ""), whole("a b c")}},
			fails:   [][]said{{whole("a b c"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "b c", ""), whole("a b c")}},
			neither: [][]said{{whole("a b c"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "b c", ""), whole("x a b c")}, {whole("a b c"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "b c", ""), whole("x a b")}, {whole("a a"), page(`"limit":2`, "a a", ""), page(`"limit":2,"offset":2`, "", ""), whole("a a")}, {whole("a"), page(`"limit":2`, "a", ""), page(`"limit":2,"offset":1`, "", ""), whole("a")}},
			got:     `id b again on page 2`,
		},
		"pages-complete": {
			passes: [][]said{{whole("a b c"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "c", ""), whole("a b c")}, {whole("a b c d"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "c", ""), whole("a b c d")}, {whole("a b"), page(`"limit":2`, "a", ""), page(`"limit":2,"offset":1`, "b", ""), whole("a b")}},
			fails: [][]said{{whole("a b c d"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "d", ""), whole("a b c d")}, {whole("a b c"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "", ""), whole("a b c")},
				{scroll(`"limit":5`, "a b c", ""), scroll(`"limit":2`, "a b", ""), scroll(`"limit":2`, "a b", ""), scroll(`"limit":5`, "a b c", "")}},
			neither: [][]said{{whole("a b c"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "", ""), whole("a b")}, {whole("a b"), page(`"limit":2`, "a b", ""), page(`"limit":2,"offset":2`, "", ""), whole("a b")}, {whole("a b"), page(`"limit":2`, "c", ""), page(`"limit":2,"offset":1`, "", ""), whole("a b")}},
			got:     `id d instead of c`,
		},
		"total": {
			passes:  [][]said{{page(`"limit":2,"offset":2`, "c", `,"total":3`)}, {scroll(`"limit":5`, "a b c", ""), scroll(`"limit":2`, "a b", `,"next":"x","total":3`), scroll(`"limit":2,"cursor":"x"`, "c", `,"total":3`), scroll(`"limit":5`, "a b c", "")}},
			fails:   [][]said{{page(`"limit":2`, "a b", `,"total":1`)}, {page(`"limit":2,"offset":2`, "", `,"total":3`)}, {page(`"limit":3,"offset":1`, "b c", `,"total":2`)}, {scroll(`"limit":5`, "a b c", ""), scroll(`"limit":2`, "a b", `,"next":"x","total":4`), scroll(`"limit":2,"cursor":"x"`, "c", `,"total":4`), scroll(`"limit":5`, "a b c", "")}},
			neither: [][]said{{page(`"limit":2`, "a b", `,"total":9`)}, {page(`"limit":2,"offset":7`, "", `,"total":3`)}, {page(`"limit":2`, "a b", "")}, {page("", "", `,"total":0`)}},
			got:     "more: 2 items behind the first 0",
		},
		"filtered": { // by state
			passes:  [][]said{{page(`"state":"x"`, "a:x", "")}, {page("", "a:x b:y", ""), page(`"state":"x"`, "a:x", "")}, {page("", "a:y", ""), page(`"state":"x"`, "", "")}},
			fails:   [][]said{{page(`"state":"x"`, "a:x b:y", "")}, {{"add", `{"a":"text of b"}`, 201, "", ""}, page(`"state":"x","limit":1`, "", ""), page(`"state":"x","limit":5`, "b:x", "")}, {{"add", `{"a":"text of b"}`, 201, "", ""}, page("", "a:y b:x", ""), page(`"state":"x"`, "", "")}},
			neither: [][]said{{page(`"state":"x"`, "", "")}, {{"add", `{"a":"text of b"}`, 201, "", ""}, page("", "b:x", ""), page(`"state":"x","offset":1`, "", "")}, {page(`"state":"x"`, "a", "")}, {page("", "a:y", "")}, {page("", "b:x", ""), page(`"state":"x"`, "", "")}, {{"add", `{"a":"text of b"}`, 201, "", ""}, page(`"state":"x","limit":1,"offset":1`, "", ""), page(`"state":"y","limit":5`, "", "")}},
			got:     `state "y"`,
		},
		"sorted": {
			passes:  [][]said{{page(`"sort":"n"`, "a=1 b=2 c=10", "")}, {page(`"sort":"-n"`, "a=2 b=2 c=1", "")}, {page(`"sort":"n"`, `a="2026-01-02T00:00:00+05:00" b="2026-01-01T20:00:00Z"`, "")}, {page(`"sort":"n"`, `a="bz" b="da"`, "")}, {page(`"sort":"n"`, `a="Text-b" b="Text-d"`, "")}},
			fails:   [][]said{{page(`"sort":"n"`, "a=10 b=9", "")}, {page(`"sort":"-n"`, "a=1 b=2", "")}, {page(`"sort":"n"`, `a="d" b="b"`, ""), page(`"sort":"-n"`, "a=2 b=1", "")}},
			neither: [][]said{{page(`"sort":"n"`, "a=1 b=1", "")}, {page("", "a=2 b=1", "")}, {page(`"sort":"n"`, `a="b" b="B" c="_"`, "")}, {page(`"sort":"n"`, `a="h" b="ch"`, "")}, {page(`"sort":"n"`, `a="ck" b="ch"`, "")}, {page(`"sort":"n"`, `a="bb" b="b"`, "")}, {page(`"sort":"n"`, "a b=null c=1", "")}, {page(`"sort":"n"`, `a="10" b="9"`, "")}},
			got:     `n 10 before 9`,
		},
		"below-other": {
			passes: [][]said{{card, readCard, below("readCard", "", 404, "")}, {card, readCard, below("readCard", "", 403, "")}},
			fails:  [][]said{{card, readCard, below("readCard", "", 200, `{"a":"long x1"}`)}, {card, readCard, below("readCard", "", 200, `{"data":{"a":"Long X1"}}`)}, {counted, at(drawn, `{"id":"`+drawn+`","n":3}`), {"readCard", "@b2/" + drawn, 200, `{"id":"` + drawn + `","n":3}`, ""}}},
			neither: [][]said{{counted, at("c1", `{"id":"c1","n":3}`), below("readCard", "", 200, `{"id":"c1","n":3}`)}, {counted, at(drawn, `{"id":"`+drawn+`","n":3}`), {"readCard", "@b2/" + drawn, 200, `{"id":"` + drawn + `","n":4}`, ""}},
				{card, readCard, readCard}, {card, readCard, below("readCard", "", 200, `{"a":"first steps"}`)}, {card, below("readCard", "", 200, `{"a":"long x1"}`)}, {card, readCard, below("readCard", "", 301, "")}, {{"card", `@b1 {"d":"long x1"}`, 201, "", ""}, readCard, below("readCard", "", 200, `{"d":"long x1"}`)}},
			got: "200 OK, application/json",
		},
		"changed-below": { // what goes on by itself may go on while a request is refused, or answered like one that finds nothing
			passes: [][]said{{card, readCard, readCard, below("dropCard", "", 404, ""), readCard}, {card, readCard, readCard, below("dropCard", "", 204, ""), readCard},
				{card, readCard, readCard, below("setCard", `{"a":"other"}`, 404, ""), {"readCard", "@b1/c1", 200, `{"a":"long x1","open":false,"seen":2}`, ""}},
				{card, readCard, readCard, below("setCard", "{}", 200, ""), closedCard}, {card, readCard, readCard, below("setCard", "{}", 200, `{"open":false}`), closedCard}, {card, readCard, readCard, below("setCard", "{}", 200, `{"a":"first steps","open":false}`), closedCard},
				{card, waiting, waiting, below("setCard", `{"state":"finished"}`, 200, `{"a":"first steps","state":"finished"}`), finished}, {card, waiting, waiting, below("setCard", `{"d":"later"}`, 204, ""), {"readCard", "@b1/c1", 200, `{"a":"long x1","d":"later"}`, ""}},
				{card, readCard, readCard, below("setCard", `{"on":"2026-01-02"}`, 204, ""), {"readCard", "@b1/c1", 200, `{"a":"long x1","on":"2026-01-02"}`, ""}}},
			fails: [][]said{{card, readCard, readCard, below("dropCard", "", 204, ""), {"readCard", "@b1/c1", 404, "", ""}}, {card, readCard, readCard, below("dropCard", "", 404, ""), {"readCard", "@b1/c1", 410, "", ""}},
				{card, readCard, readCard, below("setCard", `{"a":"other"}`, 200, ""), {"readCard", "@b1/c1", 200, `{"a":"other"}`, ""}}, {card, readCard, readCard, below("setCard", "{}", 200, `{"a":"long x1","open":false}`), closedCard},
				{card, readCard, readCard, below("setCard", "{}", 200, `{"card":{"a":"long x1","open":false}}`), closedCard}, {card, waiting, waiting, below("setCard", `{"state":"finished"}`, 200, `{"a":"long x1","state":"finished"}`), finished}},
			neither: [][]said{{card, readCard, readCard, {"dropCard", "@b1/c1", 204, "", ""}, {"readCard", "@b1/c1", 404, "", ""}}, {card, below("dropCard", "", 204, ""), {"readCard", "@b1/c1", 404, "", ""}}, {card, readCard, readCard, readCard}, {card, readCard, readCard, below("dropCard", "", 204, ""), {"readCard", "@b1/c1", 403, "", ""}},
				{card, readCard, below("dropCard", "", 204, ""), {"readCard", "@b1/c1", 404, "", ""}}, {card, readCard, {"readCard", "@b1/c1", 404, "", ""}, below("dropCard", "", 204, ""), {"readCard", "@b1/c1", 404, "", ""}}},
			got: "404 Not Found, no media type",
		},
		"listed-below": {
			passes:  [][]said{{card, cards("")}, {card, cards(`{"id":"c0","a":"first steps"}`)}},
			fails:   [][]said{{card, cards(`{"id":"c0","a":"first steps"},{"id":"c1","a":"long x1"}`)}},
			neither: [][]said{{card, {"cards", "@b1", 200, `[{"id":"c1","a":"long x1"}]`, ""}}, {cards(`{"a":"long x1"}`)}, {card, {"cards", "@b2", 404, "", ""}}, {card, {"cards", "@b2", 200, `{}`, ""}}},
			got:     "it in 200 OK, application/json",
		},
		"never-given": {
			passes:  [][]said{{add, none}},
			fails:   [][]said{{add, read(`{}`)}},
			neither: [][]said{{none}},
			got:     "200 OK, application/json",
		},
		"put-creates": {
			passes: [][]said{{{"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 201, "", ""}}, {add, {"read", "@far-away", 410, "", ""}, {"put", "@far-away {}", 201, "", ""}}},
			fails:  [][]said{{{"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 200, "", ""}}, {add, {"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 204, "", ""}}},
			neither: [][]said{{{"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 202, "", ""}}, {{"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 404, "", ""}}, {{"read", "@near", 404, "", ""}, {"put", "@near {}", 200, "", ""}},
				{{"read", "@far-away", 200, "", ""}, {"put", "@far-away {}", 200, "", ""}}, {{"read", "@far-beyond", 404, "", ""}, {"put", "@far-away {}", 200, "", ""}}, {{"put", "@far-away {}", 200, "", ""}}},
			got: "200 OK, no media type",
		},
		"create-only": {
			passes:  [][]said{{add, read(`{}`), late.asked("If-None-Match: *")}, {add, read(`{}`), said{"put", `{}`, 409, "", ""}.asked("If-None-Match: *")}},
			fails:   [][]said{{add, read(`{}`), put.asked("If-None-Match: *")}},
			neither: [][]said{{add, read(`{}`), put}, {add, read(`{}`), put.asked(`If-None-Match: "1"`)}, {add, none, put.asked("If-None-Match: *")}, {add, put.asked("If-None-Match: *")}},
			got:     "200 OK, application/json",
		},
		"put-missing": {
			passes: [][]said{{add, {"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 404, "", ""}}, {add, {"read", "@far-away", 410, "", ""}, {"put", "@far-away {}", 400, "", ""}}},
			fails:  [][]said{{add, {"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 200, "", ""}}, {add, {"read", "@far-away", 410, "", ""}, {"put", "@far-away {}", 204, "", ""}}},
			neither: [][]said{{add, {"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 201, "", ""}}, {add, {"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 202, "", ""}}, {add, {"read", "@near", 404, "", ""}, {"put", "@near {}", 200, "", ""}},
				{add, {"read", "@far-away", 200, "", ""}, {"put", "@far-away {}", 200, "", ""}}, {add, {"read", "@far-beyond", 404, "", ""}, {"put", "@far-away {}", 200, "", ""}}, {add, {"put", "@far-away {}", 200, "", ""}}, {{"add", `{}`, 400, "", ""}, {"read", "@far-away", 404, "", ""}, {"put", "@far-away {}", 200, "", ""}}},
			got: "200 OK, no media type",
		},
	}
	maps.Copy(rows, besideRows())
	maps.Copy(rows, rangeRows())
	for _, r := range Rules() {
		if r.Rank != requirement.History {
			continue
		}
		row, found := rows[r.Name]
		require.True(t, found, "%s has no row here", r.Name)
		for want, lists := range map[report.Verdict][][]said{report.Pass: row.passes, report.Fail: row.fails, report.Inapplicable: row.neither} {
			require.NotEmpty(t, lists, r.Name)
			for _, l := range lists {
				out := r.Check(history(t, l...))
				assert.Equal(t, want, out.Verdict, "%s: %v: %s", r.Name, l, out.Got)
			}
		}
		assert.Equal(t, row.got, r.Check(history(t, row.fails[0]...)).Got, r.Name)
		delete(rows, r.Name)
	}
	assert.Empty(t, rows, "rows without a rule")
}

func TestWhatAnotherOperationDeletedIsForAnotherRequirement(t *testing.T) {
	in := history(t, said{"add", `{}`, 201, "", ""}, said{"drop", "", 204, "", ""}, said{"read", "", 200, `{"a":1}`, ""})
	assert.Equal(t, report.Fail, gone.Check(in).Verdict)
	in.Requirement.Args.Kind = "delete-others"
	assert.Equal(t, requirement.None, gone.Check(in))
}

func TestHEADIsNotComparedWithWhatACacheAnswered(t *testing.T) {
	old := said{"read", "", 200, `{"a":1}`, `"1"`}
	in := history(t, said{"add", `{}`, 201, "", ""}, old, old, said{"head", "", 200, "", `"2"`})
	assert.Equal(t, report.Fail, headLikeGet.Check(in).Verdict)
	in.History[1].Cached = true
	assert.Equal(t, requirement.None, headLikeGet.Check(in))
}
