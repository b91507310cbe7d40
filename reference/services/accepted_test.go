package services_test

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// What a requirements file says of the documents whose servers break it.
const (
	ofBallots = `operations:
  openBallot: {allowedIn: {status: [draft]}}
  closeBallot: {allowedIn: {status: [open]}}
  dropBallot: {allowedIn: {status: [draft, closed]}}
  putBallot: {replacesAll: true}
`
	ofChores = `operations:
  addChore: {listed: true}
  listChores: {newestFirst: true, order: sort, filters: [room, {who: any}], paging: {limit: limit, offset: offset}}
`
	ofPayments = `operations:
  POST /payments: {madeOnce: Idempotency-Key}
`
	ofAlbums = `operations:
  DELETE /albums/{albumId}: {unlisted: true, gone: true}
  PATCH /albums/{albumId}: {keepsRest: true}
`
)

// The texts of a document in testdata: those that end a line, and those inside a mapping.
var (
	textOfLine = regexp.MustCompile(`(?m)^(\s+)(description|summary): .*$`)
	textInside = regexp.MustCompile(`(description|summary): [^,}\n]*`)
)

func TestWhatSentencesSaidIsFoundWithTheRequirementsFileAlone(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		document, file, wrong, want string
		server                      func(wrong string) http.Handler
	}{
		{"ballots.yaml", ofBallots, "opening", "post-ballots-ballotid-open-state-refused", services.Ballots},
		{"ballots.yaml", ofBallots, "closing", "post-ballots-ballotid-close-state-refused", services.Ballots},
		{"ballots.yaml", ofBallots, "deletion", "delete-ballots-ballotid-state-refused", services.Ballots},
		{"ballots.yaml", ofBallots, "note", "get-ballots-ballotid-replaced-members", services.Ballots},
		{"ballots.yaml", ofBallots, "", "*-state-refused", services.Ballots},
		{"chores.yaml", ofChores, "oldest first", "get-chores-newest-first", services.Chores},
		{"chores.yaml", ofChores, "nothing is kept", "get-chores-stored-added", services.Chores},
		{"chores.yaml", ofChores, "", "get-chores-newest-first", services.Chores},
		{"payments.yaml", ofPayments, "pays again", "post-payments-made-once", services.Payments},
		{"payments.yaml", ofPayments, "", "post-payments-made-once", services.Payments},
		{"albums.yaml", ofAlbums, "deleted is listed", "get-albums-unlisted", services.Albums},
		{"albums.yaml", ofAlbums, "patch drops the rest", "get-albums-albumid-patch-leaves-rest", services.Albums},
	} {
		t.Run(one.document+" "+one.wrong, func(t *testing.T) {
			t.Parallel()
			spec, err := os.ReadFile("testdata/" + one.document)
			require.NoError(t, err)
			spec = textInside.ReplaceAll(textOfLine.ReplaceAll(spec, []byte("$1$2: x")), []byte("$1: x"))
			r := byDocument(t, one.document, spec, one.server(one.wrong), conformance.Config{Requirements: []byte(one.file), Only: []string{one.want}})
			if one.wrong == "" {
				assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
				return
			}
			assert.Equal(t, []string{one.want}, tripped(r), shown(t, r))
			for _, x := range r.Results {
				if x.Requirement == one.want {
					assert.Equal(t, report.Must, x.Level)
					assert.Contains(t, x.Clause, "accepted at requirements:", "the clause names the line")
				}
			}
		})
	}
}
