package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

func TestAReportedRequestIsSentAgainToTheBlankButForItsHost(t *testing.T) {
	j := plants(t)
	head := "POST /plants HTTP/1.1\r\nHost: %\r\nAuthorization: Bearer \r\nX-Odd:\t a \r\nContent-Length: 2\r\n\r\n"
	was, now := []byte(replaceHost(head, "there:2")+"{}"), replaceHost(head, "target")
	r, shown, body, err := j.fill(&plan.Case{Op: j.Contract.Operations[0]}, report.Step{Request: report.Bytes{Data: was}, Cuts: []int{0, 1}})
	require.NoError(t, err)
	assert.Equal(t, now, string(r.Head))
	assert.Equal(t, now+"{}", string(shown))
	assert.Equal(t, "{}", string(body))
	assert.Equal(t, []int{0, 1}, r.Cuts)
}

func replaceHost(head, host string) string {
	const mark = "%"
	i := len("POST /plants HTTP/1.1\r\nHost: ")
	return head[:i] + host + head[i+len(mark):]
}
