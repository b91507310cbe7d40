package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

func TestWhatIsWriteOnlyDoesNotComeBack(t *testing.T) {
	for came, want := range map[string]report.Verdict{
		`{"id":"k1"}`:                           report.Pass,
		`{"id":"k1","pw":"other secret"}`:       report.Pass,
		`{"id":"k1","pw":"long secret"}`:        report.Fail,
		`{"data":{"a":"x","pw":"long secret"}}`: report.Fail,
		`"long secret"`:                         report.Inapplicable,
	} {
		out := writeOnlyEchoed.Check(history(t, said{"add", `{"a":"x","pw":"long secret"}`, 201, came, ""}))
		assert.Equal(t, want, out.Verdict, came)
	}
	short := said{"add", `{"pw":"abc"}`, 201, `{"pw":"abc"}`, ""}
	assert.Equal(t, report.Inapplicable, writeOnlyEchoed.Check(history(t, short)).Verdict, "a server may have such a value of its own")
	short.body, short.status = `{"pw":"long secret"}`, 400
	assert.Equal(t, report.Inapplicable, writeOnlyEchoed.Check(history(t, short)).Verdict, "a refusal may say what is wrong")
}
