package explore_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
)

// A new account has no money, and both accounts of a transfer are named by its body.
func TestAnAccountGetsMoneyBeforeSomeIsTransferred(t *testing.T) {
	amount := `{type: object, required: [amount], properties: {amount: {type: integer, minimum: 1, maximum: 1000000}}}`
	transfer := `{type: object, required: [fromAccountId, toAccountId, amount], properties: {fromAccountId: {type: integer}, toAccountId: {type: integer}, amount: {type: integer, minimum: 1}}}`
	text := document(path("/accounts", "", operation("post", "addAccount", named, "201", identified)),
		path("/accounts/{accountId}/deposits", "integer", operation("post", "deposit", amount, "201", identified)),
		path("/transfers", "", operation("post", "transfer", transfer, "201", identified)))
	money := map[string]int{}
	s := http.NewServeMux()
	s.HandleFunc("POST /accounts", func(w http.ResponseWriter, _ *http.Request) {
		id := len(money) + 1
		money[fmt.Sprint(id)] = 0
		respond(w, 201, `{"id":%d}`, id)
	})
	s.HandleFunc("POST /accounts/{id}/deposits", func(w http.ResponseWriter, r *http.Request) {
		money[r.PathValue("id")]++
		respond(w, 201, `{"id":1}`)
	})
	s.HandleFunc("POST /transfers", func(w http.ResponseWriter, r *http.Request) {
		if money[sentText(t, r, "/fromAccountId")] == 0 {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	assert.Equal(t, "transfer <- addAccount#/id, addAccount#/id after deposit", w.dependency("transfer"))
	before := len(w.Sent())
	m, err := w.bound("transfer")
	require.NoError(t, err)
	from, to := m.At("/fromAccountId").Text, m.At("/toAccountId").Text
	assert.NotEqual(t, from, to)
	assert.Equal(t, []string{"POST /accounts", "POST /accounts", "POST /accounts/" + from + "/deposits", "POST /accounts/" + to + "/deposits"}, w.lines()[before:])
	assert.Equal(t, 1, money[from])
}

// A worker that asks for a job while there is none is answered rightly, without one.
func TestAThingIsMadeBeforeItIsTaken(t *testing.T) {
	taken := strings.Replace(operation("post", "takeJob", "", "201", `{type: object, properties: {leaseId: {type: integer}}}`),
		"responses:\n", "responses:\n        '204': {description: no job}\n", 1)
	text := document(path("/queues", "", operation("post", "addQueue", named, "201", identified)),
		path("/queues/{queueId}/leases", "integer", taken),
		path("/queues/{queueId}/jobs", "integer", operation("post", "addJob", named, "201", identified)),
		path("/leases/{leaseId}/completion", "integer", operation("post", "complete", named, "200", "")))
	queues, leases, jobs := 0, 0, map[string]int{}
	s := http.NewServeMux()
	s.HandleFunc("POST /queues", func(w http.ResponseWriter, _ *http.Request) {
		queues++
		respond(w, 201, `{"id":%d}`, queues)
	})
	s.HandleFunc("POST /queues/{id}/jobs", func(w http.ResponseWriter, r *http.Request) {
		jobs[r.PathValue("id")]++
		respond(w, 201, `{"id":1}`)
	})
	s.HandleFunc("POST /queues/{id}/leases", func(w http.ResponseWriter, r *http.Request) {
		if jobs[r.PathValue("id")] == 0 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		jobs[r.PathValue("id")]--
		leases++
		respond(w, 201, `{"leaseId":%d}`, leases)
	})
	s.HandleFunc("POST /leases/{id}/completion", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("id") != fmt.Sprint(leases) {
			respond(w, 400, `{}`)
			return
		}
		leases++
		respond(w, 200, `{}`)
	})
	w := learned(t, text, s)
	assert.Equal(t, "complete <- takeJob#/leaseId", w.dependency("complete"))
	assert.Equal(t, "takeJob <- addQueue#/id after addJob", w.dependency("takeJob"))
}

// What is deleted is one's own: a PUT that replaced something had a key that others use.
func TestAKeyThatReplacesSomethingIsNotOnesOwn(t *testing.T) {
	put := strings.Replace(operation("put", "putLot", named, "201", ""), "responses:\n", "responses:\n        '200': {description: replaced}\n", 1)
	text := document(path("/lots/{code}", "string", put, operation("delete", "closeLot", "", "204", "")))
	created, replaces := "", 0
	s := http.NewServeMux()
	s.HandleFunc("PUT /lots/{code}", func(w http.ResponseWriter, r *http.Request) {
		if replaces > 0 {
			replaces--
			respond(w, 200, `{}`)
			return
		}
		created = r.PathValue("code")
		respond(w, 201, `{}`)
	})
	s.HandleFunc("DELETE /lots/{code}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	w := learned(t, text, s)
	replaces = 2
	m, err := w.bound("closeLot")
	require.NoError(t, err)
	assert.Equal(t, created, m.At("path/code").Text)
	assert.Zero(t, replaces)
}

// The number of a card and its pin are those of the same card.
func TestWhatOneRequestNamesByTwoValuesIsOneThing(t *testing.T) {
	card := `{type: object, required: [pin], properties: {pin: {type: string, minLength: 8}}}`
	numbered := `{type: object, required: [number], properties: {number: {type: integer}}}`
	asking := `{type: object, required: [number, pin], properties: {number: {type: integer}, pin: {type: string, minLength: 8}}}`
	text := document(path("/cards", "", operation("post", "addCard", card, "201", numbered)),
		path("/balance", "", operation("post", "askBalance", asking, "200", identified)))
	pins := map[string]bool{}
	s := http.NewServeMux()
	s.HandleFunc("POST /cards", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		pins[fmt.Sprintf(`{"number":%d,%s`, len(pins)+1, sent[1:])] = true
		respond(w, 201, `{"number":%d}`, len(pins))
	})
	s.HandleFunc("POST /balance", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		if !pins[string(sent)] {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 200, `{"id":1}`)
	})
	w := learned(t, text, s)
	assert.Equal(t, "askBalance <- addCard#/number, addCard#request/pin", w.dependency("askBalance"))
}

// The document names a poll that is there, which only one request can open.
func TestAnActionIsTriedOnAThingOfItsOwnBehindTwoRequestsOfOneKindBeforeThatOfAnExample(t *testing.T) {
	for _, options := range []int{2, 9} {
		text := strings.Replace(document(path("/polls", "", operation("post", "addPoll", named, "201", identified)),
			path("/polls/{pollId}/options", "integer", operation("post", "addOption", named, "201", identified)),
			path("/polls/{pollId}/open", "integer", strings.Replace(operation("post", "openPoll", "", "200", identified), "responses:\n", "responses:\n        '409': {description: too few}\n", 1))),
			"/open:\n    parameters:\n      - {", "/open:\n    parameters:\n      - {example: 7, ", 1)
		require.Contains(t, text, "example: 7")
		polls := map[string]int{"7": options}
		s := http.NewServeMux()
		s.HandleFunc("POST /polls", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, `{"id":%d}`, len(polls)+100) })
		s.HandleFunc("POST /polls/{id}/options", func(w http.ResponseWriter, r *http.Request) {
			polls[r.PathValue("id")]++
			respond(w, 201, `{"id":1}`)
		})
		s.HandleFunc("POST /polls/{id}/open", func(w http.ResponseWriter, r *http.Request) {
			if polls[r.PathValue("id")] < options {
				respond(w, 409, `{}`)
				return
			}
			respond(w, 200, `{"id":1}`)
		})
		want := map[int]string{2: "openPoll <- addPoll#/id after addOption, addOption", 9: "openPoll <- example 7"}[options]
		assert.Equal(t, want, learned(t, text, s).dependency("openPoll"))
	}
}

// The day of a visit has to be one of its tour, and no schema says so.
func TestWhatHasToComeFirstIsSentWithOtherValuesIfTheseAreRefused(t *testing.T) {
	tours, sent := map[string]int{}, 0
	s := http.NewServeMux()
	s.HandleFunc("POST /tours", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, `{"id":%d}`, len(tours)+100) })
	s.HandleFunc("POST /tours/{id}/visits", func(w http.ResponseWriter, r *http.Request) {
		if sent++; sent%8 != 1 {
			respond(w, 422, `{}`)
			return
		}
		tours[r.PathValue("id")]++
		respond(w, 201, `{"id":1}`)
	})
	s.HandleFunc("POST /tours/{id}/start", func(w http.ResponseWriter, r *http.Request) {
		if tours[r.PathValue("id")] == 0 {
			respond(w, 409, `{}`)
			return
		}
		respond(w, 200, `{"id":1}`)
	})
	start := strings.Replace(operation("post", "start", "", "200", identified), "responses:\n", "responses:\n        '409': {description: no visit}\n", 1)
	text := document(path("/tours", "", operation("post", "addTour", named, "201", identified)),
		path("/tours/{tourId}/visits", "integer", operation("post", "addVisit", named, "201", identified)), path("/tours/{tourId}/start", "integer", start))
	assert.Equal(t, "start <- addTour#/id after addVisit", learned(t, text, s).dependency("start"))
}

// expiring plays with a target that accepts one credential, and another one after a
// renewal. Renewed counts the renewals.
func expiring(t *testing.T, play func(s scene, expire func(), renewed *int)) {
	t.Helper()
	current, renewed := "first-4fQ", 0
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if fake.Field(c.Request, "Authorization") != "Bearer "+current {
			return fake.Answer(401, "", "")
		}
		return fake.Answer(200, "application/json", string(c.Body))
	}
	script(t, serve, func(s scene) {
		scheme := s.Op().Security[0][0].Name
		s.Document.Endpoint.Keys = message.NewKeys(map[string]string{scheme: current})
		s.Renew = func(context.Context) bool {
			renewed++
			s.Document.Endpoint.Keys.Renew(map[string]string{scheme: current})
			return true
		}
		play(s, func() { current = "second-8kW" }, &renewed)
	})
}

func TestACredentialThatWasAcceptedIsRenewedOnceItIsRefused(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Zero(t, *renewed)
		expire()
		assert.Equal(t, 200, status(s.send(s.baseline())), "sent again with the new one")
		assert.Equal(t, 1, *renewed)
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Equal(t, 1, *renewed)
	})
}

func TestACredentialThatWasNeverAcceptedIsNotRenewed(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		expire()
		assert.Equal(t, 401, status(s.send(s.baseline())))
		assert.Zero(t, *renewed)
	})
}

func TestTheRefusalOfAWrongCredentialRenewsNothing(t *testing.T) {
	expiring(t, func(s scene, _ func(), renewed *int) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Equal(t, 401, status(s.send(s.wrong())))
		absent := s.baseline()
		absent.Credentials = []message.Presented{}
		assert.Equal(t, 401, status(s.send(absent)))
		assert.Zero(t, *renewed)
	})
}

func TestARequestMadeBeforeARenewalIsSentAgainWithoutAnotherOne(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		expire()
		late := 0
		s.ServeCall = func(c fake.Call) *exchange.Exchange {
			if late++; late == 1 { // another request renews meanwhile
				s.Renew(t.Context())
				return fake.Answer(401, "", "")
			}
			return fake.Answer(200, "application/json", string(c.Body))
		}
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Equal(t, 1, *renewed)
	})
}

// It was on its way before the answer to the request in front of it could tell that the
// credential had expired, which another request has renewed since.
func TestARequestBehindAnotherOneIsSentAgainAloneBeforeItsCredentialIsRenewed(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		behind := s.baseline()
		behind.Behind = true
		assert.Equal(t, 200, status(s.send(s.baseline())))
		serve, late := s.ServeCall, true
		s.ServeCall = func(c fake.Call) *exchange.Exchange {
			if late {
				late = false
				return fake.Answer(401, "", "")
			}
			return serve(c)
		}
		assert.Equal(t, 200, status(s.send(behind)))
		assert.Zero(t, *renewed)
		expire()
		assert.Equal(t, 200, status(s.send(behind)), "alone it is refused too")
		assert.Equal(t, 1, *renewed)
	})
}

// A server can break where there is nothing yet, and only there.
func TestWhatOnlyReadsIsAskedBeforeAnythingIsMade(t *testing.T) {
	text := document(path("/posts", "", operation("post", "addPost", named, "201", identified)),
		path("/posts/latest", "", operation("get", "latest", "", "200", identified)))
	made := 0
	s := http.NewServeMux()
	s.HandleFunc("POST /posts", func(w http.ResponseWriter, _ *http.Request) {
		made++
		respond(w, 201, `{"id":%d}`, made)
	})
	s.HandleFunc("GET /posts/latest", func(w http.ResponseWriter, _ *http.Request) {
		if made == 0 {
			respond(w, 500, `{}`)
			return
		}
		respond(w, 200, `{"id":%d}`, made)
	})
	w := learned(t, text, s)
	assert.Equal(t, "GET /posts/latest", w.lines()[0])
	broken := w.Broken()
	require.Len(t, broken, 1)
	assert.Equal(t, w.op("latest"), broken[0].Op)
}

// Each message lists what one member takes, beside other texts, and in the words of one framework or another.
func TestValuesThatARefusalListsAreTried(t *testing.T) {
	body := `{type: object, required: [kind, size, name], properties: {name: {type: string}, kind: {type: string}, size: {type: integer}}}`
	text := document(path("/trees", "", strings.Replace(operation("post", "addTree", body, "201", identified), "responses:\n", "responses:\n        '422': {description: d}\n", 1)))
	s := http.NewServeMux()
	s.HandleFunc("POST /trees", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		switch {
		case !bytes.Contains(sent, []byte(`"elm"`)):
			respond(w, 422, `{"detail":[{"type":"enum","loc":["body","kind"],"msg":"Input should be 'oak' or 'elm'","name":"given"}]}`)
		case !bytes.Contains(sent, []byte(`"size":3`)):
			respond(w, 422, `{"message":"Tree.Size must be one of the following values: 3, 4"}`)
		default:
			respond(w, 201, `{"id":1}`)
		}
	})
	w := learned(t, text, s)
	assert.True(t, w.Facts.Of(w.op("addTree")).Accepted)
}
