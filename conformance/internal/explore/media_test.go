package explore_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
)

// What the first media type has accepted cannot be what another one lacks.
func TestARefusedMediaTypeIsAFailureAndNotAnOperationThatIsNotReached(t *testing.T) {
	d := fake.Of(t, fake.SeveralMedia)
	o := d.Over(&fake.Client{Serve: d.Pets("", "application/x-www-form-urlencoded")})
	o.Stated = false
	to := explore.New(o)
	require.True(t, to.Learn(t.Context()))
	last := to.Openings[len(to.Openings)-1]
	assert.Equal(t, "application/x-www-form-urlencoded", last.Op.Body.Media)
	assert.Equal(t, 400, last.Exchange.Response.Status)
	assert.Empty(t, to.Facts.Of(last.Op).Unreached)
	require.Len(t, to.Ways(), 1)
	assert.Equal(t, "createPet <- nothing needed", to.Ways()[0].String())
}

func TestWhatWasMadeWithAFurtherMediaTypeIsDeletedToo(t *testing.T) {
	var next int
	kept := map[string]bool{}
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/users/{userId}", "integer", operation("delete", "dropUser", "", "204", "")))
	text = strings.Replace(text, "{application/json: {schema: "+named+"}}", "{application/json: {schema: "+named+"}, text/json: {schema: "+named+"}}", 1)
	require.Contains(t, text, "text/json")
	w := learned(t, text, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			next++
			kept[fmt.Sprint(next)] = true
			respond(w, http.StatusCreated, `{"id": %d}`, next)
			return
		}
		if id := strings.TrimPrefix(r.URL.Path, "/users/"); kept[id] {
			delete(kept, id)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
	}))
	s := w.Session()
	defer s.Close()
	w.Target.Send(t.Context(), s, w.Baseline(w.Fresh(w.op("addUser").Further[0])), "c", "c")
	require.NotEmpty(t, kept)
	w.CleanUp(t.Context())
	assert.Empty(t, kept)
}
