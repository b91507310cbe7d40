package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/secondopinion"
	"plantstore/spec"
)

// refusal is a 400 answer with one field changed.
func refusal(number string) string { return `{"error":` + number + `,"message":"m"}` }

// judgedAnswers are bodies of a 400 answer: ours reports whether the exact judge
// takes them, why is the reason where libopenapi-validator says otherwise.
func judgedAnswers() []struct {
	body string
	ours bool
	why  string
} {
	return []struct {
		body string
		ours bool
		why  string
	}{
		{refusal("7"), true, ""},
		{refusal("-2147483648"), true, ""},
		{refusal("2147483647"), true, ""},
		{refusal("1.0"), true, ""},
		{refusal("4e2"), true, ""},
		{refusal("1.5"), false, ""},
		{refusal("null"), false, ""},
		{refusal(`"7"`), false, ""},
		{refusal("true"), false, ""},
		{refusal("[7]"), false, ""},
		{refusal("{}"), false, ""},
		{refusal("NaN"), false, ""},
		{`{"error":7}`, false, ""},
		{`{"message":"m"}`, false, ""},
		{`{"error":7,"message":null}`, false, ""},
		{`{"error":7,"message":8}`, false, ""},
		{`[]`, false, ""},
		{`"x"`, false, ""},
		{`{"error":7,"message":"m"`, false, ""},
		{refusal("7") + "x", false, ""},
		{refusal("7") + refusal("7"), false, ""},
		{refusal("07"), false, ""},
		{"\xef\xbb\xbf" + refusal("7"), false, ""},
		{refusal("7") + " \r\n\t", true, ""},
		{`{"error":7,"message":"m","more":1}`, true, ""},
		{refusal("2147483648"), false, "int32 is not asserted"},
		{refusal("-2147483649"), false, "int32 is not asserted"},
		{refusal("9007199254740993"), false, "int32 is not asserted"},
		{refusal("9223372036854775808"), false, "int32 is not asserted"},
		{refusal("1.0000000000000000001"), false, "numbers become doubles"},
		{refusal("1e400"), false, ""},
		{"", false, "an empty body is not looked at"},
		{" ", false, "an empty body is not looked at"},
		{"null", false, "null is not looked at"},
		{`{"error":7,"error":8,"message":"m"}`, false, "the last of two names counts"},
		{"{\"error\":7,\"message\":\"\xff\"}", false, "invalid UTF-8 is replaced"},
		{`{"error":7,"message":"\ud800"}`, false, "lone surrogates are replaced"},
	}
}

// The exact judge decides; this holds the list of what the adopted validator
// takes for something else, so that a new version of it is noticed.
func TestTheValidatorDisagreesWithTheExactJudgeWhereItIsKnownTo(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	second, err := secondopinion.New(c.Document())
	require.NoError(t, err)
	op := c.Operations[0]
	shape := op.Response(400).Media[0].Shape
	for _, row := range judgedAnswers() {
		r := shape.Read([]byte(row.body))
		exact := r.Sound() && len(r.Violations) == 0
		assert.Equal(t, row.ours, exact, "the exact judge on %q", row.body)
		theirs := second.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: 400,
			ContentType: "application/json", Body: []byte(row.body)})
		known := strings.TrimSpace(row.why) != ""
		assert.Equal(t, known, theirs.OK != exact, fmt.Sprintf("%q: exact %v, libopenapi-validator %v (%s): a disagreement came or went: mend the row",
			row.body, exact, theirs.OK, theirs.Why))
	}
}
