package target_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/report"
)

func TestWaysAreInTheOrderOfTheDocumentWithoutWhatIsNotTried(t *testing.T) {
	w := over(t, withDelete, deleting())
	w.Aside = map[*contract.Operation]bool{w.op("getUser"): true}
	require.True(t, w.Learn(t.Context()))
	assert.Equal(t, []report.Way{
		{Operation: "addUser", Reached: true},
		{Operation: "dropUser", Reached: true, Sources: []report.Source{{Place: "path/userId", Kind: "producer", From: "addUser#/id"}}},
	}, w.Ways())
}

func TestAnOperationThatIsNotReachedListsThePlacesThatMayMatter(t *testing.T) {
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/users/{userId}/mails", "integer", operation("post", "addMail", `{type: object, required: [text], properties: {text: {type: string}, note: {type: string}}}`, "201", "")))
	s := newService(`{"id":%d}`)
	s.HandleFunc("POST /users/{id}/mails", func(w http.ResponseWriter, _ *http.Request) { respond(w, 400, `{}`) })
	w := learned(t, text, s)
	got := w.Ways()[1]
	assert.False(t, got.Reached)
	assert.Equal(t, []report.Source{{Place: "path/userId"}, {Place: "/text"}}, got.Sources)
}

func TestAHelperIsAskedAndIsNoWayOfItsOwn(t *testing.T) {
	s := newService(`{"id":%d}`)
	w := over(t, users, s)
	w.Aside = map[*contract.Operation]bool{w.op("addUser"): true}
	require.True(t, w.Learn(t.Context()))
	assert.Equal(t, "getUser <- addUser#/id", w.way("getUser"))
	assert.Empty(t, w.way("addUser"))
	assert.Positive(t, s.users)
}
