package checks

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
	"plantstore/spec"
)

// tried is one exchange as a rule sees it.
type tried struct {
	body       string
	credential message.Credential
	transport  []string
	otherMedia bool
	class      string
	place      string
	needs      map[string]bool
	origin     requirement.Origin

	status      int
	media, came string
	header      exchange.Field // of the answer
	failure     *exchange.Failure
	odd         string
	reading     *schema.Reading // of a body that is not JSON
	open        []string        // the members that may be why it was refused
	field       string          // the value of the documented header X-Rest; "-" means that it is missing
}

// rest is a documented header field of an answer.
func rest(t *testing.T) []*openapi.Header {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d,
  headers: {X-Rest: {required: true, schema: {type: integer}}}}}}}}}`))
	require.NoError(t, err)
	return c.Operations[0].Responses[0].Headers
}

// under is x in a request whose media type the document does not list.
func (x tried) under() tried { x.otherMedia = true; return x }

func (x tried) pass(t *testing.T, args requirement.Args) *requirement.Input {
	t.Helper()
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	return x.of(t, c.Operations[0], args)
}

// of is the exchange of an operation.
func (x tried) of(t *testing.T, op *openapi.Operation, args requirement.Args) *requirement.Input {
	t.Helper()
	op.Body.Shape.Domains = map[string]schema.Domain{"/tag": {Given: "may-refuse"}}
	p := &requirement.Input{Open: x.open, Requirement: &requirement.Requirement{Args: args, Sentence: "the sentence"}, Op: op, Needs: x.needs, Class: x.class, Place: x.place,
		Origin:   func(string, string) requirement.Origin { return x.origin },
		Exchange: &exchange.Exchange{Failure: x.failure},
		Sent:     &message.Sent{Body: op.Body.Shape.Read([]byte(x.body)), Credential: x.credential, Transport: x.transport, OtherMedia: x.otherMedia}}
	if x.failure != nil {
		return p
	}
	p.Exchange.Response = &exchange.Response{Status: x.status, Content: []byte(x.came)}
	if x.odd != "" {
		p.Exchange.Response.Oddities = []string{x.odd}
	}
	if x.header.Name != "" {
		p.Exchange.Response.Fields = []exchange.Field{x.header}
	}
	p.Got = &requirement.Answer{Status: x.status, Media: x.media, NotJSON: x.reading != nil, Reading: x.reading, Documented: op.Response(x.status)}
	if x.field != "" {
		d := *p.Got.Documented
		d.Headers, p.Got.Documented = rest(t), &d
		if x.field != "-" {
			p.Exchange.Response.Fields = []exchange.Field{{Name: "x-rest", Value: x.field}}
		}
		p.Got.Headers = []*schema.Reading{d.Headers[0].Read(p.Exchange.Response.Values("X-Rest"))}
	}
	if d := p.Got.Documented; d != nil && x.media == "application/json" {
		p.Got.Form = &d.Media[0]
		p.Got.Reading = p.Got.Form.Shape.Read([]byte(x.came))
	}
	return p
}

const (
	baseline = `{"id":7,"name":"fern2"}`
	noName   = `{"id":7}`
	decimal  = "decomposed e\u0301"
)

// taken answers a body with a plant.
func taken(body, came string) tried {
	return tried{body: body, status: 200, media: "application/json", came: came}
}

// refused answers a body with an error.
func refused(body string) tried {
	return tried{body: body, status: 400, media: "application/json", came: `{"error":400,"message":"no"}`}
}

func (x tried) by(c message.Credential) tried { x.credential = c; return x }

func (x tried) having(value string) tried { x.field = value; return x }

func (x tried) as(status int) tried { x.status = status; return x }

func TestARuleFailsWhatItIsAboutAndNothingElse(t *testing.T) {
	name := requirement.Args{From: "/name", To: "/name"}
	missing := requirement.Args{Key: schema.Key{Keyword: "required", Name: "name"}}
	ok, bad := requirement.Args{Statuses: []string{"200"}}, requirement.Args{Statuses: []string{"400"}}
	some := taken(`{"id":7,"name":"fern2","tag":"a"}`, `{"name":"fern2"}`)
	alien := taken(baseline, `{"name":"rose3"}`)
	alien.origin = requirement.OtherRequest
	needy := refused(baseline)
	needy.needs = map[string]bool{"/tag": true}
	challenged := refused(baseline).by(message.CredentialAbsent).as(401)
	challenged.header = exchange.Field{Name: "WWW-Authenticate", Value: "Bearer"}
	dead := tried{body: baseline, failure: &exchange.Failure{Kind: exchange.Dropped, Detail: "gone"}}
	torn := tried{body: baseline, failure: &exchange.Failure{Kind: exchange.Truncated, Detail: "torn"}}
	both := taken(baseline, "")
	both.odd = exchange.OddBothLengths
	doubted := refused(baseline)
	doubted.open = []string{"/name"}
	const never = "never"
	rows := map[string]struct {
		args                 requirement.Args
		passes, fails, other tried
		expected, got        string
	}{
		"answered":           {requirement.Args{}, refused(noName), dead, tried{}, "an answer other than a server error", "gone"},
		"framing":            {requirement.Args{}, taken(baseline, ""), torn, tried{}, "well-formed HTTP", "torn"},
		"optional":           {requirement.Args{Key: schema.Key{Path: "/tag"}}, taken(baseline, ""), needy, refused(baseline), "200 with a Plant", "400 Bad Request, an Error"},
		"accepted":           {requirement.Args{}, taken(baseline, ""), refused(baseline), refused(noName), "200 with a Plant", "400 Bad Request, an Error"},
		"undocumented-rule":  {requirement.Args{}, taken(baseline, ""), doubted, refused(baseline), "a success, or a rule in the document about /name", "400 no"},
		"some-accepted":      {requirement.Args{Key: schema.Key{Path: "/tag"}}, some, some.as(400), taken(baseline, ""), "a success for at least one value", "400 Bad Request, application/json"},
		"accepts-credential": {requirement.Args{Kind: "case"}, taken(baseline, "").by(message.CredentialCase), refused(baseline).by(message.CredentialCase), refused(baseline), "a success", "400 Bad Request, an Error"},
		"refuses-empty":      {requirement.Args{}, refused(""), taken("", `{"name":""}`), taken("{", ""), "400 with an Error", "200 OK, a Plant"},
		"refuses-syntax":     {requirement.Args{}, refused("{"), taken("{", `{"name":""}`), taken(noName, ""), "400 with an Error", "200 OK, a Plant"},
		"refuses-schema":     {missing, refused(noName), taken(noName, `{"name":"x"}`), taken(`{"name":"x"}`, ""), "400 with an Error", "200 OK, a Plant"},
		"refuses-media":      {requirement.Args{}, refused(baseline).under(), taken(baseline, "").under(), taken(baseline, ""), "415, or another client error", "200 OK, application/json"},
		"refuses-credential": {requirement.Args{Kind: "token"}, refused(baseline).by(message.CredentialToken), taken(baseline, "{}").by(message.CredentialToken), taken(baseline, "").by(message.CredentialAbsent), "a client error (4xx)", "200 OK, application/json"},
		"credential-refusal": {requirement.Args{}, refused(baseline).by(message.CredentialToken).as(401), refused(baseline).by(message.CredentialToken).as(302), refused(baseline).as(302), "a client error (4xx)", "302 Found, application/json"},
		"challenge":          {requirement.Args{}, challenged, refused(baseline).by(message.CredentialAbsent).as(401), refused(baseline), "401 with WWW-Authenticate, 403 where a credential was sent, or 400", "401 without WWW-Authenticate"},
		"success-status":     {ok, taken(baseline, ""), taken(baseline, "").as(201), refused(baseline), "200 with a Plant", "201 Created, application/json"},
		"refusal-status":     {bad, refused(noName), refused(noName).as(422), taken(noName, ""), "400 with an Error", "422 Unprocessable Entity, application/json"},
		"refusal-listed":     {requirement.Args{}, refused(noName), refused(noName).as(422), refused(baseline).by(message.CredentialToken), "a status that the document lists", "422 Unprocessable Entity, application/json"},
		"media-type":         {bad, refused(noName), tried{body: noName, status: 400, media: "text/html"}, taken(noName, ""), "application/json", "400 with text/html"},
		"answer-json":        {ok, taken(baseline, "{}"), taken(baseline, ""), refused(baseline), "a JSON text in UTF-8", "an empty body"},
		"answer-schema":      {requirement.Args{Statuses: []string{"200"}, Key: missing.Key}, taken(baseline, `{"name":"x"}`), taken(baseline, "{}"), refused(baseline), "the sentence", "no /name in 200 OK, application/json"},
		"answer-form": {requirement.Args{Statuses: []string{"200"}}, tried{body: baseline, status: 200, media: "text/plain", reading: &schema.Reading{}},
			tried{body: baseline, status: 200, media: "text/plain", reading: &schema.Reading{Kind: schema.NotJSON, Syntax: errors.New("bad text")}},
			taken(baseline, ""), "a body of text/plain", "bad text"},
		"answer-header": {requirement.Args{Statuses: []string{"200"}, Header: "X-Rest"}, taken(baseline, "{}").having("7"), taken(baseline, "{}").having("-"), refused(baseline), "the sentence", "no X-Rest in 200 OK, application/json"},
		"answer-header-schema": {requirement.Args{Statuses: []string{"200"}, Header: "X-Rest", Key: schema.Key{Keyword: "type"}}, taken(baseline, "{}").having("7"), taken(baseline, "{}").having("seven"),
			taken(baseline, "{}").having("-"), "the sentence", "X-Rest: seven in 200 OK, application/json"},
		"accepts-alternative": {requirement.Args{}, taken(baseline, "").by(message.CredentialOther), refused(baseline).by(message.CredentialOther).as(401),
			refused(baseline).by(message.CredentialOther).as(404), "a success", "401 Unauthorized, application/json"},
		"write-only": {requirement.Args{Statuses: []string{"200"}, Key: schema.Key{Path: "/owners/*/key"}}, taken(baseline, `{"name":"x","owners":[{"id":1}]}`),
			taken(baseline, `{"name":"x","owners":[{"id":1},{"key":null}]}`), refused(baseline), "no /owners/*/key", "the writeOnly /owners/*/key in 200 OK, a Plant"},
		"write-only-echoed": {requirement.Args{}, tried{class: never}, tried{class: never}, taken(baseline, "{}"), "", ""}, // see TestWhatIsWriteOnlyDoesNotComeBack
		"default-applied":   {requirement.Args{}, tried{class: never}, tried{class: never}, taken(baseline, "{}"), "", ""}, // see TestWhatIsLeftOutHasItsDefault
		"unique-names":      {requirement.Args{}, taken(baseline, `{"name":"x"}`), taken(baseline, `{"name":"x","name":"x"}`), dead, "unique member names", "a duplicate name"},
		"strict-framing":    {requirement.Args{}, taken(baseline, ""), both, dead, "either Content-Length or Transfer-Encoding", "both"},
		"retry-after":       {requirement.Args{}, tried{body: baseline, status: 429, header: after("120")}, tried{body: baseline, status: 302, header: after("soon")}, taken(baseline, ""), "digits or an HTTP-date", "Retry-After: soon in 302 Found, no media type"},
		"belongs":           {requirement.Args{}, taken(baseline, `{"name":"fern2"}`), alien, refused(baseline), "no value of another request", "the name of another request"},
		"echo":              {name, taken(`{"id":1,"name":"`+decimal+`"}`, "{\"name\":\"decomposed \u00e9\"}"), taken(baseline, `{"name":"fern2 "}`), taken(`{"id":1,"name":""}`, `{"name":"x"}`), "the value that was sent", `"fern2 "`},
		"echo-exact":        {name, taken(baseline, `{"name":"fern\u0032"}`), taken(`{"id":1,"name":"`+decimal+`"}`, "{\"name\":\"decomposed \u00e9\"}"), taken(`{"id":1,"name":""}`, `{"name":"x"}`), "the value that was sent", "\"decomposed \u00e9\""},
		"echo-may-refuse":   {name, taken(`{"id":1,"name":""}`, `{"name":""}`), taken(`{"id":1,"name":""}`, `{}`), taken(baseline, `{"name":"x"}`), "the value that was sent", "no value"},
		"observe":           {requirement.Args{Classes: []string{"a/*"}}, tried{body: baseline, class: "a/b", status: 200}, tried{class: never}, tried{class: "b/a", status: 200}, "", ""},
		"unobservable":      {requirement.Args{}, tried{class: never}, tried{class: never}, taken(baseline, ""), "", ""},
	}
	require.NoError(t, requirement.Validate(Rules()))
	single := slices.DeleteFunc(Rules(), func(r requirement.Rule) bool { return r.Rank == requirement.History })
	require.Len(t, rows, len(single), "a rule without a row here")
	for _, r := range single {
		t.Run(r.Name, func(t *testing.T) {
			row, found := rows[r.Name]
			require.True(t, found)
			if row.passes.class != never {
				assert.Equal(t, report.Pass, r.Check(row.passes.pass(t, row.args)).Verdict)
			}
			if row.fails.class != never {
				out := r.Check(row.fails.pass(t, row.args))
				assert.Equal(t, report.Fail, out.Verdict)
				assert.Equal(t, row.expected, out.Expected)
				assert.Equal(t, row.got, out.Got)
				assert.NotEmpty(t, out.Signature)
			}
			if row.other.status != 0 {
				assert.Equal(t, requirement.None, r.Check(row.other.pass(t, row.args)))
			}
		})
	}
}

// A request whose values are all usual is about the place of its class, a path
// and not a part of a case id: only a member of the body has a requirement of its
// own.
func TestAcceptanceIsJudgedForTheMemberThatTheClassIsAbout(t *testing.T) {
	body, name := requirement.Args{}, requirement.Args{Key: schema.Key{Path: "/name"}}
	for place, want := range map[string]requirement.Args{"/name": name, "": body, "name": body, "/name/x": body, "/other": body} {
		x := refused(`{"name":"fern2","id":7}`)
		x.place, x.class = place, "post-plants/valid/some-mutator/name/kind"
		assert.Equal(t, report.Fail, accepted.Check(x.pass(t, want)).Verdict, "%q", place)
		other := body
		if want.Key == body.Key {
			other = name
		}
		assert.Equal(t, requirement.None, accepted.Check(x.pass(t, other)), "%q", place)
	}
}

func TestAnAlternativeIsRefusedBy403UnlessSomebodyOwnsWhatThePathNames(t *testing.T) {
	x := refused(baseline).by(message.CredentialOther).as(403).pass(t, requirement.Args{})
	assert.Equal(t, report.Fail, acceptsAlternative.Check(x).Verdict)
	x.Op.Parameters = []*openapi.Parameter{{In: "path", Name: "id"}}
	assert.Equal(t, requirement.None, acceptsAlternative.Check(x))
	x.Op.Parameters, x.Sent.Alternative, x.Requirement.Args.Kind = nil, "none", "none"
	assert.Equal(t, requirement.None, acceptsAlternative.Check(x), "who is nobody may see less")
}

func TestARefusalIsJudgedForTheSchemeThatIsWrong(t *testing.T) {
	x := taken(baseline, "{}").by(message.CredentialToken).pass(t, requirement.Args{Kind: "token", Scheme: "a"})
	x.Sent.Faults = []message.Fault{{Scheme: "b", Credential: message.CredentialToken}}
	assert.Equal(t, requirement.None, refusesCredential.Check(x), "the other one is wrong")
	x.Sent.Faults[0].Scheme = "a"
	assert.Equal(t, report.Fail, refusesCredential.Check(x).Verdict)
}

// DELETE without a credential becomes a GET that anybody may send.
func TestAnotherMethodThatAFieldAsksForMayNeedNoCredential(t *testing.T) {
	op := &openapi.Operation{Method: "DELETE", Responses: []*openapi.Response{{Status: "204"}, {Status: "200"}}}
	for _, row := range []struct {
		field  string
		status int
		want   report.Verdict
	}{
		{"x-http-method-override", 200, report.Inapplicable},
		{"x-http-method-override", 204, report.Fail},
		{"x-original-url", 200, report.Inapplicable},
		{"x-real-ip", 200, report.Fail},
	} {
		p := &requirement.Input{Requirement: &requirement.Requirement{Args: requirement.Args{Kind: "absent"}}, Op: op,
			Exchange: &exchange.Exchange{Response: &exchange.Response{Status: row.status}}, Got: &requirement.Answer{Status: row.status},
			Sent: &message.Sent{Credential: message.CredentialAbsent, Transport: []string{"field " + row.field}}}
		assert.Equal(t, row.want, refusesCredential.Check(p).Verdict, "%v", row)
	}
}

// A page for browsers asks for another form of the answer, and for no other place.
func TestARefusedCredentialIsNotRedirectedWhateverFormIsAskedFor(t *testing.T) {
	for what, want := range map[string]report.Verdict{
		"accept: text/html": report.Fail, "field x-debug": report.Fail, "HTTP/1.0": report.Fail,
		"field x-forwarded-proto": report.Inapplicable, "field upgrade-insecure-requests": report.Inapplicable, "field accept-datetime twice": report.Inapplicable,
		"field x-http-method-override": report.Inapplicable, "host: a.example": report.Inapplicable,
	} {
		x := refused(baseline).by(message.CredentialAbsent).as(302)
		x.transport = []string{what}
		assert.Equal(t, want, credentialRefusal.Check(x.pass(t, requirement.Args{})).Verdict, what)
		x.status = 406
		assert.Equal(t, report.Inapplicable, credentialRefusal.Check(x.pass(t, requirement.Args{})).Verdict, what)
	}
}

// A text such as "expected a success or a client error, got 204" sends its reader looking for a
// fault of the tool.
func TestNoFailureExpectsTheStatusThatItGot(t *testing.T) {
	args := []requirement.Args{{Statuses: []string{"200", "400"}}, {Kind: "token"}, {Kind: "case"}, {Key: schema.Key{Path: "/tag"}}, {Key: schema.Key{Keyword: "required", Name: "name"}}}
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	failures := 0
	for _, body := range []string{baseline, noName, "", "{", `{"id":1,"name":""}`} {
		for _, x := range []tried{{}, {transport: []string{"field x"}}, {otherMedia: true}, {credential: message.CredentialToken}, {credential: message.CredentialCase}, {credential: message.CredentialAbsent, transport: []string{"field x"}}, {credential: message.CredentialOther}} {
			for _, status := range []int{200, 201, 204, 302, 400, 401, 404, 409, 415, 422, 429, 500, 503} {
				x.body, x.status, x.class, x.place = body, status, "a/b", "/name"
				p := x.of(t, c.Operations[0], requirement.Args{})
				p.Exchange.Request = &exchange.Request{}
				for _, p.Requirement.Args = range args {
					failures += contradictions(t, p)
				}
			}
		}
	}
	assert.Greater(t, failures, 100)
}

// contradictions fails the test for each failure that expects what it got, and returns how many
// failures there are.
func contradictions(t *testing.T, p *requirement.Input) (failures int) {
	t.Helper()
	for _, r := range Rules() {
		if r.Rank == requirement.History {
			continue
		}
		out := r.Check(p)
		if out.Verdict != report.Fail {
			continue
		}
		failures++
		status := strconv.Itoa(p.Got.Status)
		same := r.Rank == requirement.Status && slices.Contains(regexp.MustCompile(`[0-9]{3}`).FindAllString(out.Expected, -1), status)
		success := strings.Contains(out.Expected, "a success") && status[0] == '2'
		if same || success || strings.Contains(out.Expected, "client error") && status[0] == '4' {
			t.Errorf("%s: %v: expected %s, got %s", r.Name, p.Sent.Transport, out.Expected, out.Got)
		}
	}
	return failures
}

func after(value string) exchange.Field { return exchange.Field{Name: "retry-after", Value: value} }

func TestRetryAfterIsASecondCountOrADateInEveryFormOfHTTP(t *testing.T) {
	for value, want := range map[string]report.Verdict{
		"0": report.Pass, "120": report.Pass, "99999999999999999999": report.Pass, "Fri, 31 Dec 1999 23:59:59 GMT": report.Pass,
		"Friday, 31-Dec-99 23:59:59 GMT": report.Pass, "Fri Dec 31 23:59:59 1999": report.Pass,
		"-1": report.Fail, "+1": report.Fail, "1.5": report.Fail, "60s": report.Fail, "soon": report.Fail, "1999-12-31T23:59:59Z": report.Fail, "60, 120": report.Fail,
	} {
		p := tried{body: baseline, status: 503, header: after(value)}.pass(t, requirement.Args{})
		assert.Equal(t, want, retryAfter.Check(p).Verdict, value)
	}
}

func TestTheSchemaOfTheDocumentJudgesRetryAfterAlone(t *testing.T) {
	p := tried{body: baseline, status: 429, header: after("soon")}.pass(t, requirement.Args{})
	h := *rest(t)[0]
	h.Name = "retry-after"
	p.Got.Documented = &openapi.Response{Status: "429", Headers: []*openapi.Header{&h}}
	assert.Equal(t, requirement.None, retryAfter.Check(p))
	h.Shape = nil
	assert.Equal(t, report.Fail, retryAfter.Check(p).Verdict)
}
