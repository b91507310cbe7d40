package crud

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

// seenIn is what a story shows, answer by answer.
func seenIn(list []reply) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.seen())
	}
	return out
}

// differs names the stories that an option changes.
func differs(t *testing.T, options ...Option) []string {
	t.Helper()
	var out []string
	for name, list := range stories() {
		if !assert.ObjectsAreEqual(seenIn(serve(t).run(t, list)), seenIn(serve(t, options...).run(t, list))) {
			out = append(out, name)
		}
	}
	return out
}

func TestTheRightServiceTellsAStoryTwiceAlikeAndByTheDocument(t *testing.T) {
	assert.Empty(t, differs(t))
	fits(t, openBook(t))
}

// fits compares every answer of the stories alone with the document. It leaves out
// errors of the server.
func fits(t *testing.T, b *book, options ...Option) {
	t.Helper()
	for _, list := range stories() {
		s := serve(t, options...)
		for i, r := range s.run(t, list) {
			path, _, _ := strings.Cut(regexp.MustCompile(`^\{t\}`).ReplaceAllString(list[i].target, aTask), "?")
			for _, o := range operations() {
				if _, ok := matchPath(o.path, path); ok && o.method == list[i].method && r.status < 500 && r.status != 304 {
					b.judge(t, o.name, o.method, r)
				}
			}
		}
	}
}

func TestEachFaultOfAHistoryShowsInAStoryAndInNoAnswerAlone(t *testing.T) {
	b := openBook(t)
	check := func(f Fault) {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, sampled)
			_, _, found := b.at(f.Clause)
			assert.True(t, found, "%s is not in the document", f.Clause)
			assert.NotEmpty(t, f.Breaks)
			assert.NotEmpty(t, f.Doc)
			assert.NotEmpty(t, differs(t, WithFault(f)), "no story shows it")
			fits(t, openBook(t), WithFault(f))
		})
	}
	judged := 0
	for _, f := range Faults() {
		if !f.Alone() {
			judged++
			assert.NotEmpty(t, f.Requirements, f.Name)
			check(f)
		}
	}
	assert.GreaterOrEqual(t, judged, 40)
	for _, f := range Unjudged() {
		assert.Empty(t, f.Requirements, f.Name)
		check(f)
	}
}

func TestEachVariantOfAHistoryShowsInAStoryAndFitsTheDocument(t *testing.T) {
	for _, v := range inStories() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, sampled)
			document := Document()
			if v.Wider {
				document = WiderDocument()
			}
			assert.NotEmpty(t, differs(t, WithVariant(v)), "no story shows it")
			fits(t, bookOf(t, document), WithVariant(v))
		})
	}
}

func TestAServiceOfOtherHabitsIsRightByTheWiderDocumentAlone(t *testing.T) {
	usual, wider := openBook(t), bookOf(t, WiderDocument())
	for _, place := range []string{"/paths/~1users/post/responses/202", "/paths/~1projects/post/responses/202/links/delete", "/paths/~1projects~1{projectId}~1tasks/post/responses/202/headers/Location",
		projectAt + "/head/responses/403", taskAt + "/get/responses/403/content", fileAt + "/responses/403/content"} {
		_, _, found := usual.at(place)
		assert.False(t, found, place)
		_, _, found = wider.at(place)
		assert.True(t, found, place)
	}
}

func TestALimitedServiceAnswers429AtTimesAndThenServes(t *testing.T) {
	for _, v := range limits() {
		s := newServer([]Option{WithVariant(v)})
		statuses := map[int]int{}
		for range 20000 {
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/users", nil)
			r.Header.Set("Authorization", "Bearer "+DefaultCredentials().Bearer)
			s.ServeHTTP(w, r)
			if statuses[w.Code]++; w.Code == http.StatusTooManyRequests {
				assert.NotEmpty(t, w.Header().Get("Retry-After"), v.Name)
				break
			}
		}
		assert.Equal(t, 1, statuses[http.StatusTooManyRequests], "%s: %v", v.Name, statuses)
		assert.NotZero(t, statuses[http.StatusOK], v.Name)
	}
}

func TestWhatIsLateShowsInTheEnd(t *testing.T) {
	project := send("POST", "/projects", jsonMedia, projectWith())
	for _, v := range delays() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, WithVariant(v))
			require.Equal(t, 201, s.send(t, project).status)
			require.Equal(t, 200, s.send(t, send("PATCH", "/projects/2", mergeMedia, `{"budget":17}`)).status)
			shows := func() bool {
				return strings.Contains(string(s.send(t, get("/projects/2")).body), `"budget":17`) && strings.Contains(string(s.send(t, get("/projects")).body), `"id":2`)
			}
			assert.Eventually(t, shows, 2*time.Second, 20*time.Millisecond)
			require.Equal(t, 204, s.send(t, request{method: "DELETE", target: "/projects/2"}).status)
			gone := func() bool {
				return s.send(t, get("/projects/2")).status == 404 && !strings.Contains(string(s.send(t, get("/projects")).body), `"id":2`)
			}
			assert.Eventually(t, gone, 2*time.Second, 20*time.Millisecond)
		})
	}
}
