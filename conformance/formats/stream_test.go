package formats_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// byCall keeps what each call wrote.
type byCall struct {
	calls []string
	full  int // calls that it takes; 0 for all
}

func (b *byCall) Write(p []byte) (int, error) {
	if b.full > 0 && len(b.calls) == b.full {
		return 0, errors.New("no space left on device")
	}
	b.calls = append(b.calls, string(p))
	return len(p), nil
}

func TestAStreamWritesEachLineWhenItIsKnown(t *testing.T) {
	r := oneFault()
	var out byCall
	s := formats.NewStream(&out)
	s.Started(r.Tool, r.Header)
	require.Len(t, out.calls, 1)
	for done := range 25 {
		s.Progress(done+1, 25, 1)
	}
	require.Len(t, out.calls, 11, "one line for each tenth")
	assert.Equal(t, `{"kind":"progress","done":3,"planned":25,"failed":1}`+"\n", out.calls[1])
	assert.Equal(t, `{"kind":"progress","done":25,"planned":25,"failed":1}`+"\n", out.calls[10])
	x := report.Result{Requirement: "thing-size", Level: report.Must, Clause: "#/x"}
	s.Failing(x, "a/b/0")
	assert.Equal(t, `{"kind":"failing","requirement":"thing-size","level":"MUST","case":"a/b/0"}`+"\n", out.calls[11])
	s.Confirmed(x, report.Failure{Case: "a/b/0", Stable: true, Sent: "size = 7", Expected: "400", Got: "200 \n\u2028"})
	assert.Equal(t, `{"kind":"confirmed","requirement":"thing-size","level":"MUST","clause":"#/x","case":"a/b/0","stable":true,"sent":"size = 7","expected":"400","got":"200 \n\u2028"}`+"\n", out.calls[12])
	require.NoError(t, s.End(r))
	for _, line := range out.calls {
		assert.Equal(t, 1, strings.Count(line, "\n"), line)
	}
	var whole bytes.Buffer
	require.NoError(t, formats.NDJSON(&whole, r, formats.Options{}))
	assert.Equal(t, whole.String(), strings.Join(append(out.calls[:1:1], out.calls[13:]...), ""), "without its events, a stream is the report")
}

func TestAStreamThatCannotBeWrittenHasNoGapAndSaysWhy(t *testing.T) {
	out := byCall{full: 1}
	s := formats.NewStream(&out)
	s.Started("suite/1", oneFault().Header)
	s.Progress(1, 1, 0)
	out.full = 0
	assert.EqualError(t, s.End(oneFault()), "no space left on device")
	assert.Len(t, out.calls, 1)
}
