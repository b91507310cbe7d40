package report_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/report"
)

// fails is a failed requirement with one flaw.
func fails(id, operation string, x report.Flaw) report.Result {
	return report.Result{Requirement: id, Level: report.Must, Operation: operation, Verdict: report.Fail,
		Failures: []report.Failure{{N: 1, Stable: true, Sent: id, Flaw: x}}}
}

func leniency(kind, where string) report.Flaw {
	return report.Flaw{Category: report.Leniency, Rule: "refuses-schema", Tells: report.TellsValue, Means: "a value that the schema forbids is accepted", Kind: kind, Where: where, Alike: 14}
}

func sentences(list []report.Finding) (out []string) {
	for _, f := range list {
		out = append(out, f.Sentence)
	}
	return out
}

func TestNullThatIsTakenEverywhereIsOneFinding(t *testing.T) {
	got := report.Findings([]report.Result{
		fails("a", "POST /a", leniency("type/null", "string in body")),
		fails("b", "POST /a", leniency("type/null", "array in body")),
		fails("c", "POST /c", leniency("type/null", "number in body")),
	})
	assert.Equal(t, []string{"Null is accepted where an array, a number or a string is documented: 3 places in 2 operations"}, sentences(got))
	assert.Equal(t, []string{"a", "b", "c"}, got[0].Requirements)
}

func TestPlacesThatPassDoNotSplitAFindingAndAreCounted(t *testing.T) {
	var list []report.Result
	for i := range 12 {
		list = append(list, fails(fmt.Sprint("r", i), fmt.Sprint("GET /", i%5), leniency("type/converted", "integer in query")))
	}
	assert.Equal(t, []string{"A value of another type is accepted where an integer is documented in the query: 12 of 14 integers in queries, in 5 operations"}, sentences(report.Findings(list)))
}

func TestConversionAtTheSamePlacesIsOneFindingWithNull(t *testing.T) {
	var list []report.Result
	for i := range 6 {
		r := fails(fmt.Sprint("r", i), "POST /a", leniency("type/converted", "string in body"))
		r.Failures = append(r.Failures, report.Failure{N: 2, Flaw: leniency("type/null", "string in body")})
		list = append(list, r)
	}
	assert.Len(t, report.Findings(list), 1)
	for i := range 30 {
		list = append(list, fails(fmt.Sprint("n", i), "POST /b", leniency("type/null", "number in body")))
	}
	assert.Len(t, report.Findings(list), 2, "null is taken at many other places")
}

func TestAConversionThatAlsoTakesFractionsIsOneFinding(t *testing.T) {
	var list []report.Result
	for i := range 6 {
		list = append(list, fails(fmt.Sprint("s", i), "POST /a", leniency("type/converted", "string in body")))
	}
	r := fails("i", "POST /a", leniency("type/converted", "integer in body"))
	r.Failures = append(r.Failures, report.Failure{N: 2, Flaw: leniency("type/fraction", "integer in body")})
	assert.Len(t, report.Findings(append(list, r)), 1)
	other := fails("k", "POST /b", leniency("type/fraction", "integer in body"))
	assert.Len(t, report.Findings(append(list, other)), 2, "this place refuses texts")
	query := fails("q", "POST /a", leniency("type/fraction", "integer in query"))
	assert.Len(t, report.Findings(append(list, r, query)), 2, "queries are read elsewhere")
}

// crashes is a failure of the rule about answers by a request of a kind.
func crashes(operation, kind, tried, said string) report.Result {
	return fails(operation+kind, operation, report.Flaw{Category: report.Crash, Rule: "answered", Kind: kind, Where: "string in body", Tried: tried, Said: said})
}

// of is a failure at another kind of place.
func of(where string, r report.Result) report.Result {
	r.Failures[0].Flaw.Where = where
	return r
}

func TestACrashAtOnePlaceWithTheSameWordsIsOneWhateverTheText(t *testing.T) {
	const none = "Internal Server Error"
	for name, row := range map[string]struct {
		a, b report.Result
		want int
	}{
		"one place":               {crashes("POST /a", "500/value/texts/empty", "/at", none), crashes("POST /a", "500/value/texts/long", "/at", none), 1},
		"one place, telling":      {crashes("POST /a", "500/value/texts/empty", "/at", "ENOTFOUND"), crashes("POST /a", "500/value/texts/long", "/at", "ENOTFOUND"), 1},
		"one kind of text":        {crashes("POST /a", "500/value/texts/long", "/at", none), crashes("POST /a", "500/value/texts/long", "/b", none), 1},
		"other words":             {crashes("POST /a", "500/value/texts/empty", "/at", "ENOTFOUND"), crashes("POST /a", "500/value/texts/long", "/at", "RangeError"), 2},
		"another place and text":  {crashes("POST /a", "500/value/texts/empty", "/at", none), crashes("POST /a", "500/value/texts/long", "/b", none), 2},
		"two kinds of places":     {crashes("POST /a", "500/value/optional-members/present", "/at", none), of("integer in body", crashes("POST /a", "500/value/optional-members/present", "/n", none)), 2},
		"another form":            {crashes("POST /a", "500/value/texts/empty", "/at", none), crashes("POST /a", "dropped/value/texts/long", "/at", none), 2},
		"another kind of request": {crashes("POST /a", "500/value/texts/empty", "/at", none), crashes("POST /a", "500/type/null", "", none), 2},
		"a member of a thing":     {crashes("POST /a", "500/value/texts/long", "/at", none), crashes("PUT /a/{id}", "500/value/texts/long", "/at", none), 1},
		"other words of a thing":  {crashes("POST /a", "500/value/texts/long", "/at", "RangeError"), crashes("PUT /a/{id}", "500/value/texts/long", "/at", "ENOTFOUND"), 2},
		"an ordinary request":     {crashes("POST /a", "500/baseline", "", "UNIQUE failed"), crashes("POST /a", "500/value/texts/long", "/at", "UNIQUE failed"), 1},
		"ordinary, other words":   {crashes("POST /a", "500/baseline", "", "UNIQUE failed"), crashes("POST /a", "500/value/texts/long", "/at", "RangeError"), 2},
	} {
		assert.Len(t, report.Findings([]report.Result{row.a, row.b}), row.want, name)
	}
}

func TestCrashesInsteadOfRefusalsAreOneFindingWhereNoWrongValueIsRefused(t *testing.T) {
	at := func(kind string, places ...string) report.Result {
		x := crashes("GET /a", kind, "", "Internal Server Error")
		x.Failures[0].Flaw.Unrefused = places
		return x
	}
	everywhere := []report.Result{at("500/type/null", report.Anywhere, "query/n"), at("500/minimum", report.Anywhere, "query/n"), at("500/enum", report.Anywhere, "/kind")}
	assert.Equal(t, []string{"GET /a: the answer is 500 instead of a refusal, whatever is wrong with the request: 3 places"}, sentences(report.Findings(everywhere)))
	place := []report.Result{at("500/type/null", "query/n"), at("500/minimum", "query/n"), at("500/maximum", "query/n"), at("500/enum", "/kind")}
	assert.Equal(t, []string{"GET /a: the answer is 500 instead of a refusal, whatever is wrong with n in the query: 3 places"}, sentences(report.Findings(place))[:1])
	assert.Len(t, report.Findings(place), 2, "the other place refuses what is wrong")
	assert.Len(t, report.Findings(everywhere[:2]), 2, "two kinds may be two faults")
}

func TestCrashesForLongHeaderFieldsAreOneWhateverTheirNames(t *testing.T) {
	x := report.Flaw{Category: report.Crash, Rule: "answered", Kind: "500/long-field", Where: "Cookie in header", Said: "Internal Server Error"}
	y := x
	y.Where = "any of 8 header fields in header"
	assert.Equal(t, []string{"GET /a: the answer is 500 if Cookie is long"}, sentences(report.Findings([]report.Result{fails("a", "GET /a", x)})))
	assert.Equal(t, []string{"GET /a: the answer is 500 if any of 8 header fields is long"}, sentences(report.Findings([]report.Result{fails("a", "GET /a", y)})))
	assert.Equal(t, []string{"The answer is 500 if a header field is long: 2 operations"}, sentences(report.Findings([]report.Result{fails("a", "GET /a", x), fails("b", "GET /b", y)})))
}

func TestCrashesWithoutWordsAreOneIfManyOperationsCrashAlike(t *testing.T) {
	list := []report.Result{crashes("POST /a", "dropped/type/null", "", ""), crashes("POST /b", "dropped/type/null", "", "")}
	for i := range 7 {
		list = append(list, report.Result{Requirement: fmt.Sprint("p", i), Operation: fmt.Sprint("GET /", i), Verdict: report.Pass})
	}
	assert.Len(t, report.Findings(list), 2, "two panics")
	assert.Len(t, report.Findings(append(list, crashes("POST /c", "dropped/type/null", "", ""))), 1, "what decodes bodies")
	for i := range list[:2] {
		list[i].Failures[0].Flaw.Kind = "dropped/field/If-Match"
	}
	assert.Len(t, report.Findings(list), 1, "one place reads a header field")
	for i := range list[:2] {
		list[i].Failures[0].Flaw.Kind, list[i].Failures[0].Flaw.Said = "500/type/null", "NullPointerException: name"
	}
	assert.Len(t, report.Findings(list), 1, "the same words")
}

func TestAFewPlacesOfManyAreFaultsOfTheirOwn(t *testing.T) {
	two := []report.Result{
		fails("a", "POST /a", leniency("minimum", "integer in body")),
		fails("b", "POST /b", leniency("minimum", "integer in body")),
	}
	assert.Len(t, report.Findings(two), 2)
	for i := range two {
		two[i].Failures[0].Flaw.Component = "/components/schemas/Age/minimum"
	}
	assert.Len(t, report.Findings(two), 1, "one component")
}

func TestCrashesWithTheWordsOfOrdinaryRequestsAreOne(t *testing.T) {
	crash := func(kind, said string) report.Flaw {
		return report.Flaw{Category: report.Crash, Rule: "answered", Means: "a request gets no answer, or a server error", Kind: kind, Said: said}
	}
	assert.Len(t, report.Findings([]report.Result{
		fails("a", "GET /a", crash("500/baseline", "no such table: a")), fails("b", "GET /b", crash("500/field/If-Match", "no such table: a")),
	}), 1)
	assert.Len(t, report.Findings([]report.Result{
		fails("a", "GET /a", crash("500/empty", "An error occurred, developers have been informed.")), fails("b", "GET /b", crash("500/field/If-Match", "An error occurred, developers have been informed.")),
	}), 2, "these words say nothing of the cause")
	assert.Len(t, report.Findings([]report.Result{
		fails("a", "GET /a", crash("500/baseline", "Internal Server Error")), fails("b", "GET /b", crash("500/baseline", "Internal Server Error")),
	}), 2)
	list := []report.Result{fails("a", "GET /a", crash("500/baseline", "An error occurred, developers have been informed.")), fails("b", "GET /b", crash("500/baseline", "An error occurred, developers have been informed."))}
	for _, operation := range []string{"GET /c", "GET /d", "GET /e"} {
		list = append(list, report.Result{Requirement: operation, Operation: operation, Verdict: report.Pass})
	}
	assert.Len(t, report.Findings(list), 2, "others are answered")
	list = append(list, fails("f", "GET /f", crash("500/baseline", "An error occurred, developers have been informed.")))
	assert.Len(t, report.Findings(list), 1, "many are not")
	for _, operation := range []string{"GET /g", "GET /h", "GET /i", "GET /j"} {
		list = append(list, fails(operation, operation, crash("500/wrong-types/null", "An error occurred, developers have been informed.")))
	}
	assert.Len(t, report.Findings(list), 4, "most ordinary requests are answered, and others meet the same words")
}

func TestWordsTellCrashesApartWhereAServerHasOthersForMost(t *testing.T) {
	list := []report.Result{crashes("GET /a", "500/baseline", "", "no such level"), crashes("GET /b", "500/baseline", "", "no such level"), crashes("GET /c", "500/baseline", "", "division by zero")}
	for _, operation := range []string{"GET /d", "GET /e", "GET /f"} {
		list = append(list, report.Result{Requirement: operation, Operation: operation, Verdict: report.Pass})
	}
	assert.Len(t, report.Findings(list), 3, "they may be its words for any crash")
	list = append(list, crashes("GET /g", "500/baseline", "", "invalid latitude"), crashes("GET /h", "500/baseline", "", "no such band"))
	assert.Len(t, report.Findings(list), 4)
}

func TestStatusesOfRefusalsThatADocumentDoesNotListAreOneFinding(t *testing.T) {
	x := report.Flaw{Category: report.Protocol, Rule: "refusal-listed", Tells: report.TellsStatus, Kind: "404", OnePlace: true, Means: "a refusal has a status that the document does not list"}
	y := x
	y.Kind = "400"
	assert.Equal(t, []string{"A refusal has a status that the document does not list: 400 or 404: 2 operations"},
		sentences(report.Findings([]report.Result{fails("a", "GET /a", x), fails("b", "GET /b", y)})))
}

func TestCrashesOfAParserAreOneAndOthersAreApart(t *testing.T) {
	crash := func(kind string) report.Result {
		return fails(kind, "POST /a", report.Flaw{Category: report.Crash, Rule: "answered", Kind: kind, Where: "body", Said: "Internal Server Error"})
	}
	got := report.Findings([]report.Result{crash("500/syntax/inside"), crash("500/syntax/odd"), crash("500/syntax/behind"), crash("500/required")})
	assert.Len(t, got, 2)
}

func TestWhatIsNotCheckedOfAHeaderFieldIsOneFinding(t *testing.T) {
	var list []report.Result
	for i := range 4 {
		for _, keyword := range []string{"required", "enum"} {
			x := leniency("field/X-Version/"+keyword, keyword+" in header")
			list = append(list, fails(fmt.Sprint(keyword, i), fmt.Sprint("GET /", i), x))
		}
	}
	list = append(list, fails("other", "GET /0", leniency("field/X-Other/required", "required in header")))
	assert.Equal(t, []string{"A request without X-Version or with a value of X-Version that its schema forbids is accepted: 8 places in 4 operations",
		"GET /0: a request without X-Other is accepted"}, sentences(report.Findings(list)))
	x := report.Flaw{Category: report.Crash, Rule: "answered", Kind: "500/field/X-Version/required"}
	y := x
	y.Kind = "500/field/X-Version/enum"
	assert.Equal(t, []string{"GET /a: the answer is 500 without X-Version", "GET /a: the answer is 500 if X-Version breaks enum"},
		sentences(report.Findings([]report.Result{fails("a", "GET /a", x), fails("b", "GET /a", y)})), "crashes by the kind of request")
}

func TestWhoTakesANameInAnyCaseIsToldApartFromWhoMissesAMember(t *testing.T) {
	var list []report.Result
	for i := range 3 {
		for _, kind := range []string{"required", "required/letters"} {
			list = append(list, fails(fmt.Sprint(kind, i), fmt.Sprint("POST /", i), leniency(kind, "object in body")))
		}
	}
	assert.ElementsMatch(t, []string{"A request without a required member is accepted: 3 operations",
		"A required member whose name is in another case of letters is accepted: 3 operations"}, sentences(report.Findings(list)))
}

func TestNoKeywordOfAStandardSchemaStandsInASentence(t *testing.T) {
	for _, keyword := range []string{"false", "not", "oneOf", "anyOf", "contains", "propertyNames", "dependentRequired", "unevaluatedProperties"} {
		got := sentences(report.Findings([]report.Result{fails("a", "POST /a", leniency(keyword, keyword+" in body"))}))
		assert.Regexp(t, `^POST /a: an? [a-z ,]+ is accepted$`, got[0], keyword)
		assert.NotContains(t, got[0], "breaks", keyword)
	}
}

func TestOneSwitchedOffLoginIsOneFinding(t *testing.T) {
	x := report.Flaw{Category: report.Security, Rule: "refuses-credential", Tells: report.TellsCredential, Means: "a request without the right credential is answered like one with it", Kind: "credential/absent", Also: []string{"b"}}
	y := x
	y.Kind, y.Also = "credential/token", []string{"d"}
	other := report.Result{Requirement: "b", Operation: "GET /b", Verdict: report.Inconclusive}
	same := report.Result{Requirement: "d", Operation: "GET /b", Verdict: report.Inconclusive}
	got := report.Findings([]report.Result{fails("a", "GET /a", x), other, fails("c", "GET /a", y), same})
	assert.Equal(t, []string{"Requests without a credential or with a wrong one are answered like those with the right one: 2 operations"}, sentences(got))
}

func TestAKnownFailureIsAFindingOfItsOwn(t *testing.T) {
	one, two := fails("a", "POST /a", leniency("type/null", "string in body")), fails("b", "POST /a", leniency("type/null", "string in body"))
	two.Known = &report.Known{Reason: "old"}
	got := report.Findings([]report.Result{two, one})
	require.Len(t, got, 2)
	assert.NotEqual(t, got[0].Known, got[1].Known)
	assert.Equal(t, got[0].ID, got[1].ID, "the kind of fault is the same")
}

func TestAFindingOfTheFileIsKnownWhereverItFails(t *testing.T) {
	enum := leniency("enum", "string in body")
	accept := func(list []report.Result, id string) []report.Result {
		report.Accept(list, func(of string) *report.Known {
			if of != id {
				return nil
			}
			return &report.Known{Line: 1}
		})
		return list
	}
	null := func() []report.Result {
		return []report.Result{fails("a", "POST /a", leniency("type/null", "string in body")), fails("b", "POST /b", leniency("type/null", "array in body")), fails("c", "POST /c", enum)}
	}
	list := null()
	for i := range list {
		list[i].Failures[0].N = i + 1
	}
	list[0].Failures = append(list[0].Failures, report.Failure{N: 9, Flaw: enum})
	id := in(t, report.Findings(list), 1)
	accept(list, id)
	assert.Nil(t, list[0].Known, "it has another failure")
	assert.NotNil(t, list[1].Known)
	assert.Nil(t, list[2].Known)
	var known []bool
	for _, f := range report.Findings(list) {
		known = append(known, f.Known)
	}
	assert.Equal(t, []bool{false, false, true}, known, "null alone is known, and last")

	one := fails("d", "POST /d", leniency("minimum", "integer in body"))
	was := report.Findings([]report.Result{one})[0].ID
	many := []report.Result{one}
	for i := range 5 {
		x := fails(fmt.Sprint("e", i), "POST /e", leniency("minimum", "integer in body"))
		x.Failures[0].N = i + 2
		many = append(many, x)
	}
	accept(many, was)
	assert.NotNil(t, many[0].Known, "a place that was known stays known")
	assert.Nil(t, many[1].Known, "others are new")
}

func TestTheWorstComesFirstAndNullLast(t *testing.T) {
	got := report.Findings([]report.Result{
		fails("null", "POST /a", leniency("type/null", "string in body")),
		fails("enum", "POST /a", leniency("enum", "string in body")),
		fails("lost", "PUT /a", report.Flaw{Category: report.Loss, Rule: "stored-replaced", Means: "reading gives other values than those of the PUT"}),
		fails("down", "PUT /a", report.Flaw{Category: report.Crash, Rule: "answered", Means: "a request gets no answer, or a server error", Kind: "500/empty"}),
	})
	assert.Equal(t, []string{"PUT /a: the answer is 500 if the body is empty", "PUT /a: reading gives other values than those of the PUT",
		"POST /a: a value that is not listed is accepted", "POST /a: null is accepted where a string is documented"}, sentences(got))
}

func TestUndocumentedRulesWithTheSameWordsAreOneFinding(t *testing.T) {
	rule := func(operation, said string) report.Result {
		x := report.Flaw{Category: report.Guessed, Rule: "undocumented-rule", Means: "values are refused by a rule that no schema states", Said: said}
		return fails(operation, operation, x)
	}
	const token = "_token has invalid content"
	assert.Equal(t, []string{"Values are refused by a rule that no schema states: 2 operations"}, sentences(report.Findings([]report.Result{rule("GET /a", token), rule("GET /b", token)})))
	assert.Len(t, report.Findings([]report.Result{rule("GET /a", token), rule("GET /b", "no such sort field")}), 2)
	assert.Len(t, report.Findings([]report.Result{rule("GET /a", "Bad Request"), rule("GET /b", "Bad Request")}), 2, "these words say nothing")
}

func TestARefusedRequestWithoutABodyIsSaidToHaveNone(t *testing.T) {
	x := report.Flaw{Category: report.Refusal, Rule: "accepted", Tells: report.TellsRequest, Kind: "empty", Where: "body", Said: "title is required"}
	assert.Equal(t, []string{`POST /a: a request without a body is refused, although the document does not require one: "title is required"`}, sentences(report.Findings([]report.Result{fails("a", "POST /a", x)})))
}

func TestWhyOperationsWereNotTriedIsSaidOfOneToo(t *testing.T) {
	for why, one := range map[string]string{"have a fault": "has a fault", "were not reached": "was not reached", "need a value": "needs a value"} {
		u := report.Untried{Why: why}
		assert.Equal(t, one, u.Of(1))
		assert.Equal(t, why, u.Of(2))
	}
}

func TestCrashesByUnusualHeadsWithTheSameWordsAreOne(t *testing.T) {
	list := []report.Result{crashes("GET /a", "500/sent/path-texts", "", "invalid header field value"), crashes("GET /b", "500/sent/unusual-strings", "", "invalid header field value"),
		crashes("GET /c", "500/sent/path-texts", "", "no such key")}
	assert.Len(t, report.Findings(list), 2)
}

func TestServerErrorsThatDependOnWhatElseIsAskedAreOne(t *testing.T) {
	for kind, sentence := range map[string]string{
		"503/" + report.NowAndThen:              "The answer is 503 now and then, but not if the same request is sent again alone: 2 operations",
		"500/" + report.NowAndThen + "/untried": "The answer is 500 to a request that was not tried again: 2 operations",
	} {
		for _, words := range []string{"", "Limit of concurrent requests reached"} {
			list := []report.Result{crashes("GET /a", kind, "", words), crashes("GET /b", kind, "", words)}
			assert.Equal(t, []string{sentence}, sentences(report.Findings(list)), words)
		}
	}
}

func TestCrashesThatOrdinaryRequestsMeetComeFirst(t *testing.T) {
	list := []report.Result{
		fails("h", "GET /a", report.Flaw{Category: report.Crash, Rule: "answered", Kind: "500/sent/pauses"}),
		fails("i", "GET /b", report.Flaw{Category: report.Crash, Rule: "answered", Kind: "500/sent/pauses"}),
		fails("n", "POST /c", report.Flaw{Category: report.Crash, Rule: "answered", Kind: "500/type/null", Where: "string in body"}),
		crashes("POST /d", "500/value/optional-members/present", "/at", ""),
		fails("z", "POST /e", report.Flaw{Category: report.Crash, Rule: "answered", Kind: "unreachable/type/null", Where: "string in body"}),
	}
	var first []string
	for _, f := range report.Findings(list) {
		first = append(first, f.Operations[0])
	}
	assert.Equal(t, []string{"POST /e", "POST /d", "POST /c", "GET /a", "GET /b"}, first)
}

func TestATextThatIsNoNumberAndANumberThatIsTooLargeAreOneCauseInAQuery(t *testing.T) {
	at := func(clause, kind, where string) report.Result {
		r := fails(clause, "GET /a", leniency(kind, where))
		r.Clause = clause
		return r
	}
	text, large := at("#/p/0/type", "type/converted", "integer in query"), at("#/p/0/format", "format/int64", "integer in query")
	assert.Equal(t, []string{"GET /a: a value of another type is accepted where an integer is documented in the query: 2 of 28 integers in queries"}, sentences(report.Findings([]report.Result{large, text})))
	assert.Len(t, report.Findings([]report.Result{text, at("#/p/1/format", "format/int64", "integer in query")}), 2, "another place")
	assert.Len(t, report.Findings([]report.Result{at("#/p/0/type", "type/converted", "integer in body"), at("#/p/0/format", "format/int64", "integer in body")}), 2, "what JSON holds is read")
}
