package services_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services"
)

// small judges a server of a document in testdata by that alone. If cases are named, it
// tries only those.
func small(t *testing.T, document string, h http.Handler, only ...string) *report.Report {
	t.Helper()
	return configured(t, document, h, conformance.Config{Only: only})
}

// configured judges a server by a document of testdata, with what a test adds to the
// configuration.
func configured(t *testing.T, document string, h http.Handler, c conformance.Config) *report.Report {
	t.Helper()
	spec, err := os.ReadFile("testdata/" + document)
	require.NoError(t, err)
	return byDocument(t, document, spec, h, c)
}

// byDocument is configured for the text of a document.
func byDocument(t *testing.T, name string, spec []byte, h http.Handler, c conformance.Config) *report.Report {
	t.Helper()
	sample.OneIn(t, oneIn)
	server := httptest.NewServer(h)
	defer server.Close()
	c.Target, c.Spec, c.SpecName, c.Effort, c.Cache = server.URL, spec, name, "gate", shared
	c.AllowDisruptive = true                 // notes are deleted all together
	c.MaxTime = cmp.Or(c.MaxTime, time.Hour) // a busy machine cuts no run
	r, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	return r
}

// replayed judges a server of a document in testdata by the named cases and sends the first
// failure again as its report has it.
func replayed(t *testing.T, document string, h http.Handler, requirements string, only ...string) *report.Transcript {
	t.Helper()
	sample.OneIn(t, oneIn)
	spec, err := os.ReadFile("testdata/" + document)
	require.NoError(t, err)
	server := httptest.NewServer(h)
	defer server.Close()
	c := conformance.Config{Target: server.URL, Spec: spec, SpecName: document, Requirements: []byte(requirements), Effort: "gate", Only: only, Cache: shared}
	r, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	require.NotEmpty(t, tripped(r))
	out, err := conformance.ReplayFailure(t.Context(), c, r, 1, false)
	require.NoError(t, err)
	require.NotEmpty(t, out.Failures)
	return out
}

// reachable are small servers, each of which is reached in one way.
var reachable = map[string]func(wrong string) http.Handler{
	"library.yaml":  services.Library,
	"shipping.yaml": services.Shipping,
	"hotel.yaml":    services.Hotel,
	"notes.yaml":    services.Notes,
	"club.yaml":     services.Club,
	"articles.yaml": services.Articles,
}

func TestEveryOperationOfARightServiceIsReached(t *testing.T) {
	t.Parallel()
	for document, ways := range map[string][]string{
		"library.yaml":  {"addAuthor <- nothing needed", "addBook <- addAuthor#/id", "getBook <- addBook#/id"},
		"shipping.yaml": {"addOrder <- nothing needed", "shipOrder <- addOrder#/id after payOrder", "getPayment <- addOrder#/id after payOrder", "payOrder <- addOrder#/id"},
		"hotel.yaml": {"listRooms <- nothing needed", "getRoom <- listRooms#/rooms/-/number", "bookRoom <- listRooms#/rooms/-/number",
			"listKeys <- listRooms#/rooms/-/number", "getKey <- listRooms#/rooms/-/number, listKeys#/-/code"},
		"notes.yaml": {"dropNotes <- nothing needed", "getNote <- putNote#request.path/key", "putNote <- any value", "dropNote <- putNote#request.path/key"},
		"club.yaml": {"addTeam <- nothing needed", "addMember <- addTeam#/id", "addBadge <- addTeam#/id, addMember#/id",
			"getBadge <- addTeam#/id, addMember#/id, addBadge#/id"},
		"articles.yaml": {"addArticle <- nothing needed", "publishArticle <- addArticle#/id after submitArticle, approveArticle",
			"approveArticle <- addArticle#/id after submitArticle", "submitArticle <- addArticle#/id", "getArticle <- addArticle#/id", "editArticle <- addArticle#/id"},
	} {
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			r := small(t, document, reachable[document](""))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			assert.Zero(t, r.Summary.Unsettled, shown(t, r))
			assert.Equal(t, ways, r.Reach.Ways)
		})
	}
}

func TestAFaultBehindWhatMustBeReachedIsFound(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		document, wrong string
		requirements    []string
	}{
		{"library.yaml", "title length", []string{"newbook-title-min-length", "newbook-title-max-length"}},
		{"library.yaml", "title required", []string{"newbook-title-required"}},
		{"library.yaml", "book without title", []string{"get-books-bookid-book-title-required"}},
		{"shipping.yaml", "carrier length", []string{"shipment-carrier-min-length", "shipment-carrier-max-length"}},
		{"shipping.yaml", "shipment state", []string{"post-orders-orderid-shipment-order-state-enum"}},
		{"shipping.yaml", "payment without card", []string{"payment-card-required"}},
		{"shipping.yaml", "card length", []string{"post-orders-orderid-payment-payment-card-min-length", "post-orders-orderid-payment-payment-card-max-length"}},
		{"articles.yaml", "place length", []string{"publication-place-min-length", "publication-place-max-length"}},
		{"hotel.yaml", "guest length", []string{"newbooking-guest-min-length", "newbooking-guest-max-length"}},
		{"hotel.yaml", "beds as text", []string{"room-beds-integer"}},
		{"hotel.yaml", "key as number", []string{"key-code-string"}},
		{"notes.yaml", "key", []string{"put-notes-key-path-key-pattern"}},
		{"notes.yaml", "note without text", []string{"note-text-required"}},
		{"notes.yaml", "clear answers", []string{"delete-notes-204-status"}},
		{"notes.yaml", "delete answers", []string{"delete-notes-key-204-status"}},
		{"club.yaml", "label length", []string{"newbadge-label-min-length", "newbadge-label-max-length"}},
		{"club.yaml", "nick length", []string{"newmember-nick-min-length", "newmember-nick-max-length"}},
		{"club.yaml", "badge of nobody", []string{"get-teams-teamid-members-memberid-badges-badgeid-badge-memberid-required"}},
	} {
		t.Run(one.document+" "+one.wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, one.document, reachable[one.document](one.wrong))
			assert.Equal(t, report.NotConformant, r.Summary.Verdict, shown(t, r))
			assert.Equal(t, one.requirements, tripped(r), shown(t, r))
		})
	}
}
