package execute_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// many is a document of operations alike.
func many(n int) string {
	var b strings.Builder
	b.WriteString(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
`)
	for i := range n {
		fmt.Fprintf(&b, "  /t%03d: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 9}, size: {type: integer, minimum: 1}}}}}}, responses: {'200': {description: d}, '400': {description: d}}}}\n", i)
	}
	return b.String()
}

// TestASlowTargetWithManyOperationsIsExploredForAThirdOfTheTimeAndThenTried has a target that
// crashes on one operation and answers another with a status that the document does not list.
func TestASlowTargetWithManyOperationsIsExploredForAThirdOfTheTimeAndThenTried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 5 * time.Minute
		d := fake.Of(t, many(120), fakerun.Mutators(t, "baseline", "missing-members", "wrong-types")...)
		serve := func(c fake.Call) *exchange.Exchange {
			at := slices.IndexFunc(d.Contract.Operations, func(op *openapi.Operation) bool { return bytes.Contains(c.Head, []byte(" "+op.Path)) })
			e := fake.Answer(http.StatusOK, "", "")
			switch s := d.Endpoint.ClassifyBytes(d.Contract.Operations[max(at, 0)], c.Request, c.Body); {
			case at == 1:
				e = fake.Answer(http.StatusInternalServerError, "", "")
			case s.Expectation() == message.Refuse, s.Expectation() == message.RefuseAnyhow:
				e = fake.Answer(http.StatusBadRequest, "", "")
			case at == 2:
				e = fake.Answer(http.StatusAccepted, "", "")
			}
			return fake.Lasting(time.Second, e)
		}
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		o := d.Over(&fake.Client{ServeCall: serve})
		o.Sending = j.Origins.Note
		to := explore.New(o)
		j.Facts = to.Facts
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		began := time.Now()
		settled := to.LearnInShare(ctx)
		require.True(t, settled)
		assert.Less(t, time.Since(began), limit/2)
		assert.True(t, to.Facts.Probed, "how many connections are served is found out all the same")
		run := execute.New(to, j, execute.Settings{Workers: 1}, d.Plan.Cases, settled)
		j.Cover(d.Plan.Cases)
		run.All(ctx)

		reached, left := 0, 0
		for _, op := range d.Contract.Operations[3:] {
			if f := to.Facts.Of(op); f.Accepted {
				reached++
			} else {
				assert.Equal(t, explore.NoTime, f.Unreached)
				left++
			}
		}
		assert.Greater(t, reached, 5)
		assert.Greater(t, left, 5)
		require.Len(t, to.Reasons, 1)
		assert.Contains(t, to.Reasons[0], fmt.Sprintf("%d operations are not reached", left))
		failed := map[string]bool{}
		for _, c := range d.Plan.Cases {
			r := run.Record(c)
			if f := to.Facts.Of(c.Op); f.Unreached == explore.NoTime {
				require.NotNil(t, r)
				assert.Equal(t, explore.NoTime, r.Why)
				continue
			} else if f.Accepted && c.Class.Mutator == "baseline" && c.Draw == 0 {
				require.NotNil(t, r)
				assert.Equal(t, judge.Tried, r.State, c.ID)
			}
			if r != nil {
				for _, f := range r.Failures {
					failed[j.Bound[f.At].ID] = true
				}
			}
		}
		assert.Contains(t, failed, d.Contract.Operations[1].Slug+"-answered")
		assert.Contains(t, failed, d.Contract.Operations[2].Slug+"-200-status")
		assert.Len(t, failed, 2, "%v", failed)
	})
}
