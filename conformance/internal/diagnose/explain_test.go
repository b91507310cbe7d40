package diagnose

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// explained is a run with its findings in words.
type explained struct {
	run      *execute.Run
	explain  *Explainer
	found    []Finding
	failures map[string][]report.Failure
}

// explain runs the cases against a server and words what was found.
func explain(t *testing.T, doc *fake.Document, serve fake.Server) *explained {
	out := &explained{run: fakerun.Of(t, doc, serve), failures: map[string][]report.Failure{}}
	out.explain = NewExplainer(out.run, func(id string) string { return "replay " + id })
	_, out.found = Diagnose(t.Context(), out.run, nil)
	for i := range out.found {
		id := out.run.Judge.Bound[out.found[i].At].ID
		out.failures[id] = append(out.failures[id], out.explain.Failure(&out.found[i]))
	}
	return out
}

// only gives the one failure of a requirement.
func (x *explained) only(t *testing.T, id string) report.Failure {
	t.Helper()
	require.Len(t, x.failures[id], 1, "%v", x.failures)
	return x.failures[id][0]
}

func refuseExplained() *exchange.Exchange {
	return fake.Answer(400, "application/json", `{"error":400,"message":"no"}`)
}

// refusing refuses where a condition on the value of a member holds.
func refusing(doc *fake.Document, member string, where func(v *jsontree.Value) bool) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		if d, err := jsontree.Parse(r.Body); err == nil {
			if v := d.Root.Get(member); v != nil && where(v) {
				return refuseExplained()
			}
		}
		return doc.Conforming(r)
	}
}

func TestAFailureSaysWhatWasSentWhatWasExpectedWhatCameAndHowToSeeItAgain(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	x := explain(t, doc, refusing(doc, "id", func(v *jsontree.Value) bool {
		return v.Kind == jsontree.Number && jsontree.Compare(v.Text, "2147483647") > 0
	}))
	f := x.only(t, "newplant-id-accepted")
	assert.Equal(t, "/id = 2147483648", f.Sent)
	assert.Equal(t, "200 with a Plant", f.Expected)
	assert.Equal(t, "400 Bad Request, an Error", f.Got)
	assert.Equal(t, "replay "+f.Case, f.Replay)
	assert.True(t, f.Stable && f.Minimal)
	assert.Contains(t, f.Curl, `curl -i -X POST 'http://target/plants'`)
	assert.Contains(t, f.Curl, "2147483648")
	require.Len(t, f.Steps, 1)
	assert.Contains(t, string(f.Steps[0].Request.Data), "POST /plants HTTP/1.1\r\n")
	assert.Contains(t, string(f.Steps[0].Response.Data), `"message":"no"`)
	assert.Regexp(t, `^all \d+ requests with a /id above 2147483647 fail, and none of the \d+ others$`, f.Common)
	require.NotEmpty(t, f.Classes)
	failed := 0
	for _, c := range f.Classes {
		assert.LessOrEqual(t, c.Failed, c.Judged, c.Class)
		assert.Positive(t, c.Failed)
		failed += c.Failed
	}
	assert.Len(t, x.found[0].Cases(), failed)
}

func TestWhatTheFailingRequestsHaveInCommonIsNamedOnlyWithoutException(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "string-values")
	foreign := func(v *jsontree.Value) bool {
		return strings.ContainsFunc(v.Text, func(c rune) bool { return c > 0xffff })
	}
	x := explain(t, doc, refusing(doc, "name", foreign))
	assert.Regexp(t, `with a /name with a character above U\+FFFF fail, and none of the \d+ others$`, x.only(t, "newplant-name-accepted").Common)

	// Some of them are taken: there is no such rule.
	n := 0
	wide := func(v *jsontree.Value) bool {
		return strings.ContainsFunc(v.Text, func(c rune) bool { return c > 0x7f })
	}
	x = explain(t, doc, refusing(doc, "name", func(v *jsontree.Value) bool { return wide(v) && len(v.Text)%5 != 0 }))
	for _, f := range x.failures["newplant-name-accepted"] {
		assert.NotContains(t, f.Common, "above U+")
		for _, c := range f.Classes {
			n += c.Failed
		}
	}
	assert.Greater(t, n, 2*commonMin)

	// Some of the others are refused as well.
	x = explain(t, doc, refusing(doc, "name", func(v *jsontree.Value) bool { return foreign(v) || strings.Contains(v.Text, "'") }))
	require.NotEmpty(t, x.failures["newplant-name-accepted"])
	for _, f := range x.failures["newplant-name-accepted"] {
		assert.NotContains(t, f.Common, "U+FFFF")
	}
}

func TestWhatWholeRequestsHaveInCommonIsNamed(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "credentials", "wrong-types", "syntax-errors")
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if _, err := jsontree.Parse(r.Body); err != nil {
			return fake.Answer(500, "text/plain", "no")
		}
		return doc.Conforming(r)
	})
	assert.Regexp(t, `^all \d+ requests with a body that is not JSON fail, and none of the \d+ others$`, x.only(t, "post-plants-answered").Common)
}

func TestHowTheFailingBodiesAreWrittenIsNamed(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "escapes", "white-space", "member-order")
	capital := regexp.MustCompile(`\\u[0-9a-f]*[A-F]`)
	nameLast := func(body []byte) bool {
		d, err := jsontree.Parse(body)
		return err == nil && len(d.Root.Members) > 0 && d.Root.Members[len(d.Root.Members)-1].Name == "name"
	}
	for want, refused := range map[string]func(body []byte) bool{
		"upper-case hex escapes":   capital.Match,
		"/name as the last member": nameLast,
	} {
		x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
			if refused(r.Body) {
				return refuseExplained()
			}
			return doc.Conforming(r)
		})
		var common []string
		for _, list := range x.failures {
			for _, f := range list {
				common = append(common, f.Common)
			}
		}
		assert.Contains(t, strings.Join(common, "\n"), "requests with "+want+" fail, and none of the ")
	}
}

// An escaped backslash begins no escape.
func TestUpperHexIsFoundInEscapesAlone(t *testing.T) {
	for text, is := range map[string]bool{`"\u00E9"`: true, `"\\\u00E9"`: true, `\uaB00`: true, `"\u00e9A"`: false, `"\\u00E9"`: false, `"uABCD"`: false} {
		assert.Equal(t, is, upperHex.MatchString(text), text)
	}
}

// sent is what a finding knows of a request with this body.
func sent(doc *fake.Document, text string) *tried {
	m := &message.Message{Op: doc.Op(), Raw: []byte(text)}
	return &tried{doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, "")), m.Raw}
}

func list(doc *fake.Document, bodies ...string) []*tried {
	var out []*tried
	for _, b := range bodies {
		out = append(out, sent(doc, b))
	}
	return out
}

// plainest names the first trait that all failed requests and no passed one has.
func plainest(doc *fake.Document, failed, passed []*tried) string {
	for _, x := range traits(doc.Op(), failed, passed) {
		if all(failed, x.has) && !some(passed, x.has) {
			return x.name
		}
	}
	return ""
}

func TestTraitsAreTriedTheSimplestFirst(t *testing.T) {
	doc := fake.Plants(t)
	passed := list(doc, `{"name":"a1","id":5}`, `{"name":"b22","id":9}`)
	for want, failed := range map[string][]string{
		"a /name with a character above U+FFFF": {`{"name":"🌱é'","id":5}`, `{"name":"x🌱","id":5}`},
		"a /name with a character above U+00FF": {`{"name":"🌱","id":5}`, `{"name":"植","id":5}`},
		"a /name with a character above U+007F": {`{"name":"é","id":5}`, `{"name":"植","id":5}`},
		`a /name with '\''`:                     {`{"name":"O'a","id":5}`, `{"name":"b'","id":5}`},
		"a /name longer than 3 characters":      {`{"name":"aaaa","id":5}`, `{"name":"bbbbb","id":5}`},
		"a /id above 9":                         {`{"name":"a1","id":10}`, `{"name":"a1","id":11}`},
		"a /id below 5":                         {`{"name":"a1","id":4}`, `{"name":"a1","id":0}`},
		"":                                      {`{"name":"a1","id":4}`, `{"name":"a1","id":10}`},
	} {
		assert.Equal(t, want, plainest(doc, list(doc, failed...), passed), "%v", failed)
	}
	assert.Equal(t, "a /name longer than 2 bytes", plainest(doc, list(doc, `{"name":"é1","id":5}`, `{"name":"aé","id":5}`),
		list(doc, `{"name":"é","id":5}`, `{"name":"b2","id":9}`)))
}

func TestTheTokenIsInNothingThatIsShown(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers", "credentials")
	leaks := []string{fake.Token, base64.StdEncoding.EncodeToString([]byte(fake.Token)), "%75ser7Zq"}
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		e := fake.Answer(500, "text/plain", "log: "+strings.Join(leaks, " ")+" "+string(r.Head))
		if fake.Holds(r, "2147483648") || !bytes.Contains(r.Head, []byte("Bearer "+fake.Token)) {
			e.Response.Head = []byte("HTTP/1.1 500 No\r\nX-Echo: " + fake.Token + "\r\n\r\n")
			e.Response.Reason = fake.Token
			return e
		}
		return doc.Conforming(r)
	})
	require.NotEmpty(t, x.failures)
	shown := fmt.Sprintf("%+v", x.failures)
	for _, list := range x.failures {
		for _, f := range list {
			for _, st := range f.Steps {
				shown += string(st.Request.Data) + string(st.Response.Data) + st.Failure
			}
		}
	}
	for _, leak := range leaks {
		assert.NotContains(t, shown, leak)
	}
	assert.Contains(t, shown, "$CONFORMANCE_TOKEN")
	assert.Equal(t, "a $CONFORMANCE_TOKEN b", x.explain.Hide("a "+fake.Token+" b"))
	assert.Equal(t, "a $CONFORMANCE_TOKEN b", x.explain.Own("a "+fake.Token+" b"))

	var trace bytes.Buffer
	c := x.run.Cases[0]
	write := x.explain.Trace(&trace)
	for _, f := range x.found {
		write(c, 0, &f.Failure.Steps[0])
	}
	for _, leak := range leaks {
		assert.NotContains(t, trace.String(), leak)
	}
	assert.Equal(t, len(x.found), strings.Count(trace.String(), "\n"))
	assert.Contains(t, trace.String(), `"verdict":"fail","reason":"post-plants-answered"`)
}

func TestTheDifferencesFromTheBaselineRequestAreDescribed(t *testing.T) {
	doc := fakerun.Plants(t, "baseline")
	x := NewExplainer(fakerun.Of(t, doc, doc.Conforming), nil)
	for want, change := range map[string]func(m *message.Message){
		"":              func(*message.Message) {},
		"no credential": func(m *message.Message) { m.Credentials = []message.Presented{} },
		"Authorization: Bearer wrong": func(m *message.Message) {
			m.Credentials = []message.Presented{{Field: "Authorization", Show: "Bearer wrong", Value: func(string) string { return "Bearer wrong" }}}
		},
		"X-A: b":                                          func(m *message.Message) { m.Fields = []exchange.Field{{Name: "X-A", Value: "b"}} },
		"no header User-Agent":                            func(m *message.Message) { m.Drop = []string{"User-Agent"} },
		"the query ?x=1":                                  func(m *message.Message) { m.Query = "x=1" },
		"header names written like CONTENT-TYPE":          func(m *message.Message) { m.Names = strings.ToUpper },
		"no blank behind the colons of the header":        func(m *message.Message) { m.Gap = message.NoBlank },
		"the headers in two TCP segments":                 func(m *message.Message) { m.Framing = message.HeadPieces },
		"chunked":                                         func(m *message.Message) { m.Framing = message.Chunked },
		"no Content-Length, and a body behind the header": func(m *message.Message) { m.Framing = message.AsIs },
		"Expect: 100-continue":                            func(m *message.Message) { m.Framing = message.Expect },
		"an empty body":                                   func(m *message.Message) { m.Raw = []byte{} },
		"body {":                                          func(m *message.Message) { m.Raw = []byte("{") },
		"/id = \"7\"":                                     func(m *message.Message) { m.Raw = []byte(`{"name":"fern2","id":"7"}`) },
		"no /id":                                          func(m *message.Message) { m.Raw = []byte(`{"name":"fern2"}`) },
		`no /id, but "" = {"id":7}`:                       func(m *message.Message) { m.Raw = []byte(`{"name":"fern2","":{"id":7}}`) },
		"no /id, but /ID = 7":                             func(m *message.Message) { m.Raw = []byte(`{"name":"fern2","ID":7}`) },
		"/name = \"植\"":                                   func(m *message.Message) { m.Raw = []byte(`{"name":"植","id":7}`) },
		"/more = 1 (unknown member)":                      func(m *message.Message) { m.Raw = []byte(`{"name":"fern2","id":7,"more":1}`) },
		`written as {"id":7,"name":"fern2"}`:              func(m *message.Message) { m.Raw = []byte(`{"id":7,"name":"fern2"}`) },
		"body = []":                                       func(m *message.Message) { m.Raw = []byte(`[]`) },
	} {
		m := &message.Message{Op: doc.Op(), Raw: []byte(`{"name":"fern2","id":7}`)}
		change(m)
		p := &judge.Played{Step: plan.Step{Message: m}, Sent: doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, ""))}
		assert.Equal(t, want, strings.Join(x.differences(p), "; "), want)
	}
}

func TestASequenceShowsItsFirstStepsAndTheLast(t *testing.T) {
	doc := fakerun.Plants(t, "baseline")
	x := NewExplainer(fakerun.Of(t, doc, doc.Conforming), func(string) string { return "" })
	f := &judge.Failure{}
	for n := range stepsShown + 9 {
		m := &message.Message{Op: doc.Op(), Raw: fmt.Appendf(nil, `{"name":"fern2","id":%d}`, n+1)}
		wire := doc.Endpoint.Wire(m, "")
		e := refuseExplained()
		e.Request = wire
		f.Steps = append(f.Steps, judge.Played{Step: plan.Step{Message: m}, Sent: doc.Endpoint.Classify(m, wire), Exchange: e})
	}
	c := x.run.Cases[0]
	run := x.run
	run.Replace(c, &judge.Record{State: judge.Tried, Passed: run.Judge.NewSet(doc.Op()), Suppressed: run.Judge.NewSet(doc.Op()), Failures: []judge.Failure{*f}})
	_, found := Diagnose(t.Context(), run, nil)
	require.NotEmpty(t, found)
	found[0].Failure = f
	got := x.Failure(&found[0])
	assert.Len(t, got.Steps, stepsShown+1)
	assert.Contains(t, string(got.Steps[stepsShown].Request.Data), fmt.Sprintf(`"id":%d}`, stepsShown+9))
	assert.Empty(t, got.Curl, "one command cannot show it")
	assert.True(t, strings.HasPrefix(got.Sent, fmt.Sprintf("request %d of a sequence: the baseline request {", stepsShown+9)), got.Sent)

	last := &f.Steps[len(f.Steps)-1]
	last.Step.Message.Names = strings.ToUpper
	assert.Contains(t, x.sentence(f, true), "the baseline request {\"name\":\"fern2\"", "any request fails: its values come first")
	assert.True(t, strings.HasSuffix(x.sentence(f, true), ", with header names written like CONTENT-TYPE"))
	*last = judge.Played{Step: plan.Step{Message: &message.Message{Op: doc.Op(), Raw: []byte{}}}, Exchange: last.Exchange, Sent: &message.Sent{}}
	assert.Contains(t, x.sentence(f, false), "the baseline request POST /plants", "nothing stands in a body")
}
