package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// at gives the place in Bound of a requirement.
func (j *Judge) at(id string) int {
	for at := range j.Bound {
		if j.Bound[at].ID == id {
			return at
		}
	}
	panic("no requirement " + id)
}

// played is a step with this body and what came of it.
func played(j *Judge, body string, ex *exchange.Exchange) *Played {
	m := &message.Message{Op: j.Bound[0].Op, Raw: []byte(body)}
	ex.Request = j.Endpoint.Wire(m, "case")
	return &Played{Step: plan.Step{Message: m}, Sender: "case", Sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex}
}

func aCase(j *Judge) *plan.Case {
	return &plan.Case{ID: "case", Op: j.Bound[0].Op, Class: &plan.Class{Slug: "post-plants/valid/baseline/body/baseline"}}
}

// trying makes a case one that can try these requirements.
func (j *Judge) trying(c *plan.Case, ids ...string) {
	set := j.NewSet(c.Op)
	for _, id := range ids {
		set.Add(j.at(id))
	}
	of := &classCovers{sets: map[*plan.Case]Set{c: set}}
	of.once.Do(func() {})
	j.covers = &covers{of: map[*plan.Class]*classCovers{c.Class: of}}
}

// A failed MUST suppresses what the case could have shown and what comes behind it, and
// nothing else: what came before it was seen to pass, what the case is not about is
// no matter of it.
func TestAFailedMustSuppressesTheLessBasicRequirementsOfTheCaseAndNothingElse(t *testing.T) {
	j := plants(t)
	c := aCase(j)
	j.trying(c, "post-plants-answered", "post-plants-valid-accepted", "post-plants-200-media-type", "echo-name", "echo-exact")
	p := played(j, baselinePlant, answered(200, "text/plain", echoed))
	j.Check(c, plan.Identity{}, p)
	require.NotNil(t, p.Checked.Reason)
	assert.Equal(t, "post-plants-200-media-type", j.Bound[p.Checked.Reason.At].ID)
	var suppressed []string
	p.Checked.Suppressed.Each(func(at int) { suppressed = append(suppressed, j.Bound[at].ID) })
	assert.Equal(t, []string{"echo-name", "echo-exact"}, suppressed)
	assert.True(t, p.Checked.Passed.Has(j.at("post-plants-answered")))
	assert.True(t, p.Checked.Passed.Has(j.at("post-plants-valid-accepted")))
	assert.False(t, p.Checked.Passed.Has(j.at("echo-name")))
	assert.Empty(t, p.Checked.Warnings)
}

// A SHOULD that fails stands before nothing, and a MUST behind it is the reason.
func TestAFailedShouldSuppressesNothing(t *testing.T) {
	j := plants(t)
	should := &j.Bound[j.at("post-plants-200-media-type")]
	changed := *should.Requirement
	changed.Level = report.Should
	should.Requirement = &changed
	c := aCase(j)
	j.trying(c, "post-plants-200-media-type", "echo-name")
	p := played(j, baselinePlant, answered(200, "text/plain", `{"name":"rose3"}`))
	j.Check(c, plan.Identity{}, p)
	assert.Nil(t, p.Checked.Reason, "what is no JSON by its type is not read")
	require.Len(t, p.Checked.Warnings, 1)
	assert.True(t, p.Checked.Suppressed.Empty())
}

func TestAnObservationIsMadeWhateverFails(t *testing.T) {
	j := plants(t)
	c := aCase(j)
	c.Class.Slug = "post-plants/may-refuse/unknown-members/body/other"
	p := played(j, `{"id":7,"name":"fern2","more":1}`, answered(200, "text/plain", echoed))
	j.Check(c, plan.Identity{}, p)
	require.NotNil(t, p.Checked.Reason)
	var seen []string
	for _, f := range p.Checked.Observed {
		seen = append(seen, j.Bound[f.At].ID)
	}
	assert.Contains(t, seen, "open-unknown-members")
}

// One passing exchange is enough for such a rule: a failing one is kept apart.
func TestARuleThatOnePassingExchangeIsEnoughForIsNoReason(t *testing.T) {
	j := plants(t)
	c := aCase(j)
	p := played(j, `{"id":7,"name":"fern2","tag":"rose"}`, answered(400, jsonType, refused))
	j.Check(c, plan.Identity{}, p)
	assert.Nil(t, p.Checked.Reason)
	require.Len(t, p.Checked.Provisional, 1)
	assert.Equal(t, "newplant-tag-accepted", j.Bound[p.Checked.Provisional[0].At].ID)
	p = played(j, `{"id":7,"name":"fern2","tag":"rose"}`, answered(200, jsonType, `{"name":"fern2","tag":"rose"}`))
	j.Check(c, plan.Identity{}, p)
	assert.Empty(t, p.Checked.Provisional)
	assert.True(t, p.Checked.Passed.Has(j.at("newplant-tag-accepted")))
}

// Whoever asks for another answer than JSON may get any: only that it is whole and
// no server error is judged.
func TestOfARequestThatAsksForAnotherAnswerOnlyThatItIsAnsweredIsJudged(t *testing.T) {
	j := plants(t)
	m := &message.Message{Op: j.Bound[0].Op, Raw: []byte(baselinePlant), Fields: []exchange.Field{{Name: "Accept", Value: "text/html"}}}
	for status, want := range map[int]string{200: "", 302: "", 406: "", 500: "post-plants-answered"} {
		ex := answered(status, "text/html", "<p>")
		ex.Request = j.Endpoint.Wire(m, "case")
		p := &Played{Step: plan.Step{Message: m}, Sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex}
		j.Check(aCase(j), plan.Identity{}, p)
		got := ""
		if p.Checked.Reason != nil {
			got = j.Bound[p.Checked.Reason.At].ID
		}
		assert.Equal(t, want, got, status)
	}
}

func TestALongTextOfTheTargetIsCutAfterItsSecretsAreTakenOut(t *testing.T) {
	j := plants(t)
	for before := findingText - 2*len(fake.Token); before <= findingText; before++ {
		text := j.brief(strings.Repeat("x", before) + fake.Token + strings.Repeat("y", 100))
		assert.LessOrEqual(t, len(text), findingText+len("…"))
		assert.NotContains(t, text, fake.Token[:1], "a part of the token behind %d others", before)
	}
	short := strings.Repeat("z", findingText)
	assert.Equal(t, short, j.brief(short))
}

func TestAnswersAreKeptAsFarAsAReportShowsThem(t *testing.T) {
	j := plants(t)
	maximum := j.Reach()
	assert.Equal(t, limits.Kept+12*len(fake.Token), maximum)
	body := `{"name":"fern2","more":"` + strings.Repeat("x", 3*maximum) + `"}`
	p := played(j, baselinePlant, answered(200, jsonType, body))
	p.Exchange.Response.Content = p.Exchange.Response.Body
	j.Check(aCase(j), plan.Identity{}, p)
	assert.Nil(t, p.Checked.Reason, "it was judged whole")
	assert.Equal(t, len(body)-maximum, p.Left)
	assert.Len(t, p.Exchange.Response.Body, maximum)
	assert.Len(t, p.Exchange.Response.Content, maximum)
	assert.Nil(t, p.Answer.Reading.Document, "its tree is not kept")

	p = played(j, baselinePlant, answered(200, jsonType, echoed))
	p.Exchange.Response.Head = []byte("HTTP/1.1 200 OK\r\n")
	j.Check(aCase(j), plan.Identity{}, p)
	assert.Zero(t, p.Left)
	assert.Equal(t, echoed, string(p.Exchange.Response.Body))
	assert.NotNil(t, p.Answer.Reading.Root(), "a small one is")
}

func TestAClassIsHeldAgainstTheBytesOfItsLastRequest(t *testing.T) {
	j := plants(t)
	for _, c := range []struct {
		expected message.Expectation
		body     string
		holds    bool
	}{
		{message.Accept, baselinePlant, true}, {message.Accept, badPlant, false}, {message.Accept, `{"id":0,"name":"fern2"}`, false},
		{message.Refuse, badPlant, true}, {message.Refuse, "{", false}, {message.Refuse, baselinePlant, false},
		{message.RefuseNotJSON, "{", true}, {message.RefuseNotJSON, badPlant, false},
		{message.Either, `{"id":0,"name":"fern2"}`, true}, {message.Either, baselinePlant, false}, {message.Either, badPlant, false},
		{message.RefuseCredential, baselinePlant, false}, {message.Unstated, baselinePlant, true}, {message.Unstated, "{", true},
	} {
		p := played(j, c.body, answered(200, jsonType, echoed))
		assert.Equal(t, c.holds, AsExpected(c.expected, p.Sent, false), "%d %s", c.expected, c.body)
	}
	repeated := played(j, baselinePlant, answered(200, jsonType, echoed)).Sent
	repeated.Reused = true
	assert.True(t, AsExpected(message.Accept, repeated, false))
	assert.True(t, AsExpected(message.Refuse, &message.Sent{Body: &schema.Reading{Kind: schema.Undecided}}, false), "nobody can say")
	assert.True(t, AsExpected(message.RefuseCredential, &message.Sent{Credential: message.CredentialAbsent}, false))
}

func TestDefectsAndDifferencesFromTheBaselineRequestAreCounted(t *testing.T) {
	const inOrder = `{"name":"fern2","id":7}`
	j := plants(t)
	for body, want := range map[string]struct {
		defects, unusual int
		baseline         bool
	}{
		inOrder:                 {1, 0, true},
		baselinePlant:           {1, 1, false}, // in another order
		" " + inOrder:           {1, 1, false},
		`{"name":"植物","id":7}`:  {1, 1, false},
		` {"name":"植物","id":7}`: {2, 2, false},
		`{"name":"植物","id":9007199254740993}`: {2, 2, false},
		badPlant:                  {1, 1, false},
		`{"id":"7","name":8}`:     {2, 2, false},
		`{"name":"fern2","id":0}`: {1, 2, false},
		"":                        {1, 0, false},
		"{":                       {1, 0, false},
	} {
		p := played(j, body, answered(200, jsonType, echoed))
		assert.Equal(t, want.defects, Defects(p.Sent), body)
		assert.Equal(t, want.unusual, Unusual(p.Sent), body)
		assert.Equal(t, want.baseline, j.IsBaseline(p), body)
	}
	p := played(j, inOrder, answered(200, jsonType, echoed))
	for name, change := range map[string]func(m *message.Message){
		"field":      func(m *message.Message) { m.Fields = []exchange.Field{{Name: "X-A", Value: "b"}} },
		"drop":       func(m *message.Message) { m.Drop = []string{"User-Agent"} },
		"query":      func(m *message.Message) { m.Query = "x=1" },
		"names":      func(m *message.Message) { m.Names = strings.ToUpper },
		"framing":    func(m *message.Message) { m.Framing = message.Chunked },
		"credential": func(m *message.Message) { m.Credentials = []message.Presented{} },
	} {
		m := p.Step.Message.Clone()
		change(m)
		q := *p
		q.Step.Message = m
		assert.False(t, j.IsBaseline(&q), name)
	}
	p.Sent.Transport = []string{"query", "field x"}
	assert.Equal(t, 3, Defects(p.Sent))
	assert.Equal(t, 2, Unusual(p.Sent))
	assert.Equal(t, 1, Defects(&message.Sent{}), "an operation without a body")
}

func TestARequirementFailedInACaseWhereOneOfItsFailuresIsIt(t *testing.T) {
	r := Record{Failures: []Failure{{Finding: Finding{At: 3}}, {Finding: Finding{At: 5}}}}
	assert.True(t, r.FailedAt(3) && r.FailedAt(5))
	assert.False(t, r.FailedAt(4))
}

func TestAnAnswerThatIsNotWholeIsNotRead(t *testing.T) {
	j := plants(t)
	e := answered(200, jsonType, `{"name":"fe`)
	e.Failure = &exchange.Failure{Kind: exchange.Truncated}
	assert.Nil(t, requirement.Read(j.Bound[0].Op, e))
}

// TestABodyMayBeRefusedAsTooLargeFromAKilobyteOn: limits below the usual ones are not shown
// either, but a limit says that it is one.
func TestABodyMayBeRefusedAsTooLargeFromAKilobyteOn(t *testing.T) {
	for _, row := range []struct {
		size, status int
		large        bool
	}{{1000, 413, true}, {999, 413, false}, {5000, 400, false}} {
		s := &subject{sent: &message.Sent{}, Answer: &requirement.Answer{Status: row.status}, Exchange: &exchange.Exchange{Request: &exchange.Request{Body: make([]byte, row.size)}}}
		assert.Equal(t, row.large, len(limited(s).Transport) == 1, row)
		assert.Empty(t, s.sent.Transport, "what was sent stays as it is")
	}
}

func TestAValueOfTheTargetMayMakeABodyLarge(t *testing.T) {
	large := &message.Sent{Body: &schema.Reading{}, Transport: []string{"large body"}}
	assert.True(t, AsExpected(message.Accept, large, true))
	assert.False(t, AsExpected(message.Accept, large, false))
	large.Transport = append(large.Transport, "query")
	assert.False(t, AsExpected(message.Accept, large, true))
}

// A success that was made for another request says nothing of the one that got it.
func TestAnInvalidRequestThatGotTheAnswerOfAnotherOneIsNoFaultOfTheCheckOfBodies(t *testing.T) {
	j := plants(t)
	d, err := jsontree.Parse([]byte(`{"id":8,"name":"word45rose"}`))
	require.NoError(t, err)
	j.Origins.Note(&message.Message{Op: j.Bound[0].Op, Tree: d.Root}, "another")
	const foreign = `{"name":"word45rose"}`
	for name, c := range map[string]struct{ sent, credential, came, want string }{
		"of another request":         {badPlant, "", foreign, "answer-belongs"},
		"of another, for no JSON":    {"{", "", foreign, "answer-belongs"},
		"of another, for no token":   {baselinePlant, "Bearer wrong", foreign, "answer-belongs"},
		"its own":                    {badPlant, "", echoed, "newplant-id-integer"},
		"a word that nobody sent":    {badPlant, "", `{"name":"word67lily"}`, "newplant-id-integer"},
		"its own, for no JSON":       {"{", "", echoed, "post-plants-body-json"},
		"of another, about its id":   {`{"id":8}`, "", foreign, "newplant-name-required"},
		"refused, as it has to be":   {badPlant, "", "", ""},
		"of another, and it is fine": {baselinePlant, "", foreign, "answer-belongs"},
	} {
		came := answered(200, jsonType, c.came)
		if c.came == "" {
			came = answered(400, jsonType, refused)
		}
		must, _ := reason(j, c.sent, c.credential, came)
		assert.Equal(t, c.want, must, name)
	}
}

func TestTheRequirementThatAForeignAnswerHidesIsNotGreen(t *testing.T) {
	j := plants(t)
	d, err := jsontree.Parse([]byte(`{"id":8,"name":"word45rose"}`))
	require.NoError(t, err)
	j.Origins.Note(&message.Message{Op: j.Bound[0].Op, Tree: d.Root}, "another")
	c := aCase(j)
	j.trying(c, "newplant-id-integer")
	p := played(j, badPlant, answered(200, jsonType, `{"name":"word45rose"}`))
	j.Check(c, plan.Identity{}, p)
	require.NotNil(t, p.Checked.Reason)
	assert.Equal(t, "answer-belongs", j.Bound[p.Checked.Reason.At].ID)
	assert.True(t, p.Checked.Suppressed.Has(j.at("newplant-id-integer")))
	assert.False(t, p.Checked.Passed.Has(j.at("newplant-id-integer")))
}

func TestACaseTriesTheRequirementsOfItsOwnMediaType(t *testing.T) {
	d := fake.Of(t, fake.SeveralMedia, plan.Mutator{Name: "baseline", Doc: "A baseline.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyValid, Kind: "k", Expected: message.Accept, Cases: 1,
			Build: func(g *plan.Gen, _ int) []plan.Step { return []plan.Step{{Message: g.Baseline()}} }}}
	}})
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	j.Cover(d.Plan.Cases)
	seen := map[string]bool{}
	for _, c := range d.Plan.Cases {
		j.Covers(c).Each(func(at int) {
			b := j.Bound[at]
			assert.True(t, b.About(c.Op), "%s tries %s", c.ID, b.ID)
			seen[c.Op.Slug+" "+b.ID] = true
		})
	}
	assert.True(t, seen["post-pets post-pets-valid-accepted"])
	assert.True(t, seen["post-pets post-pets-201-status"])
	assert.True(t, seen["post-pets-text-json post-pets-text-json-valid-accepted"])
	assert.True(t, seen["post-pets-text-json post-pets-201-status"], "what is asked of the answers holds for each")
}

// A request with such a field may be answered in many ways, but each answer is described.
func TestTheFieldsOfAnAnswerThatAConditionSelectsAreThoseThatAreDocumented(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/notes: {get: {
		responses: {"200": {description: d}, "206": {description: d, headers: {ETag: {required: true, schema: {type: string}}}}, "304": {description: d, headers: {ETag: {required: true, schema: {type: string}}}}}}}}}`)
	for _, row := range []struct {
		field, tag string
		status     int
		failed     bool
	}{{"If-None-Match", "", 304, true}, {"If-None-Match", `"1"`, 304, false}, {"Range", "", 206, true}, {"Range", `"1"`, 206, false}} {
		m := &message.Message{Op: op, Fields: []exchange.Field{{Name: row.field, Value: "*"}}}
		ex := answered(row.status, "", "")
		if row.tag != "" {
			ex.Response.Fields = append(ex.Response.Fields, exchange.Field{Name: "ETag", Value: row.tag})
		}
		ex.Request = j.Endpoint.Wire(m, "case")
		got := j.check(&subject{op: op, sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: requirement.Read(op, ex)}, Set{})
		assert.Equal(t, row.failed, len(got.Failed()) > 0, row)
	}
}

func TestAListedValueOutsideTheBodyMaySayWhichThingsAreThere(t *testing.T) {
	for path, open := range map[string]bool{"/pages/{id}": true, "/pages": false} {
		id := ""
		if open {
			id = ", {name: id, in: path, required: true, schema: {type: string}}"
		}
		j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"`+path+`": {parameters: [{name: lang, in: query, schema: {enum: [en, fr]}}`+id+`],
			get: {responses: {"200": {description: d}, "400": {description: d}, "404": {description: not translated}}}}}}`)
		for _, status := range []int{404, 400} {
			m := &message.Message{Op: op, Params: jsontree.NewObject(jsontree.Member{Name: "query", Value: jsontree.NewObject(jsontree.Member{Name: "lang", Value: jsontree.NewString("fr")})},
				jsontree.Member{Name: "path", Value: jsontree.NewObject(jsontree.Member{Name: "id", Value: jsontree.NewString("a")})}), Bound: map[string]*jsontree.Value{"path/id": jsontree.NewString("a")}}
			ex := answered(status, "", "")
			ex.Request = j.Endpoint.Wire(m, "case")
			s := &subject{op: op, sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: requirement.Read(op, ex)}
			assert.Equal(t, open && status == 404, slices.Contains(j.open(s), "query/lang"), "%s %d", path, status)
		}
	}
}

func TestARequestWithAKeyThatAnotherAnswerGaveIsAboutThatThing(t *testing.T) {
	j := plants(t)
	op := j.Bound[0].Op
	note := func(sender, body, answer string) {
		d, err := jsontree.Parse([]byte(body))
		require.NoError(t, err)
		j.Origins.Note(&message.Message{Op: op, Tree: d.Root}, sender)(answered(201, jsonType, answer))
	}
	const made = `{"name":"word23fern","plant_id":"p77"}`
	note("a", `{"name":"word23fern"}`, made)
	note("b", `{"name":"word45rose","plant_id":"p77"}`, made)
	note("c", `{"name":"word67lily","plant_id":"p88"}`, made)
	note("d", `{"name":"word89moss","owner_id":"o5"}`, `{"name":"word89moss","owner_id":"o5"}`)
	note("e", `{"name":"word12reed","owner_id":"o5"}`, `{"name":"word89moss","owner_id":"o5"}`)
	another := func(sender, value string) bool {
		ex := answered(201, jsonType, made)
		return j.Origins.ofAnother(&subject{op: op, sender: sender, sent: &message.Sent{}, Exchange: ex, Answer: requirement.Read(op, ex)}, "/name", value, requirement.MadeValues)
	}
	assert.False(t, another("b", "word23fern"), "the server drew the key that b sends")
	assert.True(t, another("c", "word23fern"), "another key")
	assert.True(t, another("e", "word89moss"), "both refer to one owner, and are two things")
}
