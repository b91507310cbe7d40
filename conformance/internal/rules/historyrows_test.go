package rules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/rule"
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

// besideRows are about several things. A request whose name begins with "beside" is about
// another thing than the case.
func besideRows() map[string]historyRow {
	add, twin := said{"add", `{"a":"x1"}`, 201, `{"id":"k1"}`, ""}, said{"beside add", `{"a":"x2"}`, 201, `{"id":"k2"}`, ""}
	read, other := said{"read", "", 200, `{"a":"x1"}`, ""}, said{"beside drop", "", 204, "", ""}
	read2, none := said{"read", "", 200, `{"a":"x1","state":"done"}`, ""}, said{"read", "", 404, "", ""}
	page := func(ids string) said { return said{"page", `"limit":5`, 200, `{"items":[` + items(ids) + `]}`, ""} }
	scroll := func(ids, next string) said {
		return said{"scroll", `"limit":5`, 200, `{"items":[` + items(ids) + `],"next":"` + next + `"}`, ""}
	}
	return map[string]historyRow{
		"siblings-kept": {
			passes: [][]said{{add, twin, read, other, read}, {add, twin, read, other, read2}, {add, twin, page("k1 k2"), read, other, read, page("k1")}},
			fails: [][]said{{add, twin, read, other, none}, {twin, add, read, other, {"read", "", 410, "", ""}}, {add, twin, read, {"beside drop", "", 202, "", ""}, none},
				{add, twin, page("k1 k2"), read, other, read, page("")}, {add, twin, scroll("k1 k2 k3", ""), read, other, read, scroll("k3", "")}},
			neither: [][]said{{add, twin, other, none}, {add, read, {"drop", "", 204, "", ""}, none}, {add, twin, read, {"beside drop", "", 409, "", ""}, none}, {add, twin, read, other, {"read", "", 401, "", ""}},
				{add, twin, page("k2 k3"), read, other, read, page("k3")}, {add, twin, page("k1 k2"), read, other, read, page("k3 k4")}, {add, twin, page("k1 k2"), read, other, read2, page("")},
				{add, twin, page("k1 k2"), read, other, none, page("")}, {add, twin, scroll("k1 k2 k3", "c1"), read, other, read, scroll("k3", "c1")}, {add, twin, read, other, read, {"page", `"limit":5`, 500, "", ""}}},
			got: "404 Not Found, no media type",
		},
	}
}

func TestAThingThatWasMadeTwiceMayBeDeletedOnce(t *testing.T) {
	in := history(t, said{"add", `{}`, 201, "", ""}, said{"beside add", `{}`, 200, "", ""}, said{"read", "", 200, `{"a":1}`, ""}, said{"beside drop", "", 204, "", ""}, said{"read", "", 404, "", ""})
	assert.Equal(t, report.Fail, siblingsKept.Check(in).Verdict)
	in.History[3].Key = in.History[2].Key
	assert.Equal(t, rule.None, siblingsKept.Check(in))
}
