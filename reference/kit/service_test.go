package kit

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
)

func TestJSONIsReadExactly(t *testing.T) {
	for _, good := range []string{`{"a":[1.0,-2e3,"\ud83c\udf31",null]}`, ` true `, strings.Repeat("[", levels) + strings.Repeat("]", levels)} {
		_, ok := ReadJSON([]byte(good))
		assert.True(t, ok, good)
	}
	for _, bad := range []string{"", "{", "1 2", "01", `"\ud83c"`, "\"\xff\"", `{"a":1,"a":2}`, strings.Repeat("[", levels+1) + strings.Repeat("]", levels+1)} {
		_, ok := ReadJSON([]byte(bad))
		assert.False(t, ok, bad)
	}
	v, ok := ReadJSON([]byte(`{"a":1.00,"a":2.50}`), jsontext.AllowDuplicateNames(true))
	assert.True(t, ok)
	assert.Equal(t, `{"a":2.50}`, string(Encode(v)), "the last one counts, and its digits stay")
}

// asked gives the status and the body of an answer.
func asked(h http.Handler, method, path, body string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

// tree is the value of a JSON text, whose members have no order.
func tree(text string) any {
	v, _ := ReadJSON([]byte(text))
	return v
}

func TestAServiceMakesReadsAndDropsThings(t *testing.T) {
	shelf := func(wrong string) *Service {
		s, k := New(wrong), &Store{}
		s.On("POST /books", func(c *Check, r *http.Request) (int, any) { return k.Made(c, c.Words(r, "book", false, "title")) })
		s.On("GET /books/{id}", k.Read("id"))
		s.On("DELETE /books/{id}", k.About("id", func(_ *Check, _ *http.Request, book map[string]any) (int, any) {
			k.Drop(book)
			return http.StatusNoContent, nil
		}))
		return s.Keeping(k.Shown(nil))
	}
	s := shelf("")
	status, body := asked(s, "POST", "/books", `{"title":"one"}`)
	assert.Equal(t, http.StatusCreated, status)
	assert.Equal(t, tree(`{"id":1,"title":"one"}`), tree(body))
	assert.Equal(t, []string{`0 {"id":1,"title":"one"}`}, s.State())
	status, body = asked(s, "POST", "/books", `{"title":""}`)
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Equal(t, tree(`{"why":"title length"}`), tree(body))
	status, _ = asked(shelf("title length"), "POST", "/books", `{"title":""}`)
	assert.Equal(t, http.StatusCreated, status, "that check is left out")
	for path, want := range map[string]int{"/books/1": 200, "/books/2": 404, "/books/01": 404, "/books/x": 404} {
		status, _ = asked(s, "GET", path, "")
		assert.Equal(t, want, status, path)
	}
	status, _ = asked(s, "DELETE", "/books/1", "")
	assert.Equal(t, http.StatusNoContent, status)
	status, _ = asked(s, "GET", "/books/1", "")
	assert.Equal(t, http.StatusNotFound, status)
	assert.Empty(t, s.State())
}
