package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

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
