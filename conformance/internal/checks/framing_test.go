package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

func TestABodyBehindTheHeadOfAHEADIsExcusedOnlyWhereTheRequestCouldNotBeRead(t *testing.T) {
	for _, row := range []struct {
		method    string
		status    int
		transport []string
		want      report.Verdict
	}{
		{"HEAD", 400, []string{"HTTP/1.2"}, report.Inapplicable},
		{"HEAD", 505, []string{"HTTP/1.2"}, report.Inapplicable},
		{"HEAD", 400, nil, report.Fail},
		{"HEAD", 404, []string{"HTTP/1.2"}, report.Fail},
		{"HEAD", 200, []string{"HTTP/1.2"}, report.Fail},
		{"GET", 400, []string{"HTTP/1.2"}, report.Fail},
	} {
		p := &rule.Input{Op: &openapi.Operation{Method: row.method}, Sent: &message.Sent{Transport: row.transport},
			Exchange: &exchange.Exchange{Response: &exchange.Response{Status: row.status, Surplus: []byte("{}")}}}
		assert.Equal(t, row.want, framing.Check(p).Verdict, "%v", row)
	}
}
