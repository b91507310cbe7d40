package conformancetest_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plantstore/conformance"
	"plantstore/conformance/conformancetest"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// fake is a test that writes down what happens to it. Fatal does not end it, so
// that a caller that forgets to return is seen.
type fake struct {
	name    string
	said    []string // log and error, in order
	failed  bool
	ended   bool
	beyond  bool // something was said behind Fatal
	subtest []*fake
}

func (f *fake) Helper()                  {}
func (f *fake) Name() string             { return f.name }
func (f *fake) Context() context.Context { return context.Background() }
func (f *fake) Log(args ...any) {
	f.beyond = f.beyond || f.ended
	f.said = append(f.said, fmt.Sprint(args...))
}
func (f *fake) Error(args ...any) { f.Log(args...); f.failed = true }
func (f *fake) Fatal(args ...any) { f.Error(args...); f.ended = true }
func (f *fake) Run(name string, test func(*fake)) bool {
	f.beyond = f.beyond || f.ended
	sub := &fake{name: name}
	f.subtest = append(f.subtest, sub)
	test(sub)
	f.failed = f.failed || sub.failed
	return !sub.failed
}

// failures lists the subtests that failed.
func (f *fake) failures() []string {
	var out []string
	for _, s := range f.subtest {
		if s.failed {
			out = append(out, s.name)
		}
	}
	return out
}

// sub gives what a subtest said.
func (f *fake) sub(name string) string {
	for _, s := range f.subtest {
		if s.name == name {
			return strings.Join(s.said, "\n")
		}
	}
	return "no such subtest"
}

func desk(t *testing.T) conformancetest.Option {
	t.Helper()
	spec, err := os.ReadFile("../../testdata/openapi/desk.yaml")
	require.NoError(t, err)
	return conformancetest.Document("desk.yaml", spec)
}

func TestARightHandlerPassesUnderARealTest(t *testing.T) {
	defer goleak.VerifyNone(t)
	conformancetest.Run(t, conformancetest.Handler(services.Desk("")), desk(t), conformancetest.Token(services.Key))
}

func TestAWrongHandlerFailsTheSubtestOfItsRequirementAndSaysHow(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := &fake{}
	conformancetest.Run(f, conformancetest.Handler(services.Desk("title long")), desk(t), conformancetest.Token(services.Key))
	assert.True(t, f.failed)
	const inForm = "post-notes-application-x-www-form-urlencoded-body-title-max-length"
	assert.Equal(t, []string{"note-title-max-length", inForm}, f.failures())
	assert.Equal(t, "could not be tried: suppressed by note-title-max-length", f.sub(inForm))
	text := f.sub("note-title-max-length")
	for _, want := range []string{"is not too long", "clause", "#/components/schemas/Note/properties/title/maxLength",
		"sent", "/title", "expected  400", "got       200 OK", "curl -i -X POST", "$CONFORMANCE_TOKEN",
		"conformance replay", "the server stopped with this test"} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, services.Key)
}

func TestAFailedSubtestPrintsTheBlockOfTheTextReport(t *testing.T) {
	f := &fake{}
	var c conformance.Config
	conformancetest.Run(f, conformancetest.Handler(services.Desk("title long")), desk(t), conformancetest.Token(services.Key),
		conformancetest.With(func(all *conformance.Config) {
			all.Only, all.Effort = []string{"note-title-max-length"}, conformance.Efforts()[0]
			c = *all
		}))
	text := f.sub("note-title-max-length")
	server := httptest.NewServer(services.Desk("title long"))
	defer server.Close()
	c.Target = server.URL
	r, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	var report bytes.Buffer
	require.NoError(t, formats.Text(&report, r, formats.Options{}))
	address := regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
	block, note, found := strings.Cut(address.ReplaceAllString(text, "ADDRESS"), "\n     note ")
	assert.True(t, found && strings.HasPrefix(block, "FAIL note-title-max-length (MUST)\n"), block)
	assert.Contains(t, note, "the server stopped with this test")
	told := strings.Replace(address.ReplaceAllString(report.String(), "ADDRESS"), " ["+r.Findings[0].ID+"]\n", "\n", 1) // a subtest is a requirement, not a finding
	assert.Contains(t, told, "\n"+block+"\n")
}

func TestAShortTestMakesTheSmallestEffortUnlessOneIsGiven(t *testing.T) {
	was := flag.Lookup("test.short").Value.String()
	require.NoError(t, flag.Set("test.short", "true"))
	defer func() { require.NoError(t, flag.Set("test.short", was)) }()
	header := func(options ...conformancetest.Option) string {
		f := &fake{}
		few := conformancetest.With(func(c *conformance.Config) { c.Only = []string{"note-title-*"} })
		conformancetest.Run(f, conformancetest.Handler(services.Desk("")), append(options, desk(t), conformancetest.Token(services.Key), few)...)
		assert.False(t, f.failed, "%v %v", f.failures(), f.said)
		return f.said[0]
	}
	assert.Contains(t, header(), "effort smoke")
	assert.Contains(t, header(conformancetest.With(func(c *conformance.Config) { c.Effort = "gate" })), "effort gate")
	require.NoError(t, flag.Set("test.short", "false"))
	assert.NotContains(t, header(), "effort")
}

func TestAKnownFailureIsLoggedAndAnEntryThatNoLongerHoldsFails(t *testing.T) {
	tried := func(file string) *fake {
		f := &fake{}
		conformancetest.Run(f, conformancetest.Handler(services.Desk("title long")), desk(t), conformancetest.Token(services.Key),
			conformancetest.With(func(c *conformance.Config) {
				c.KnownFailures, c.KnownFailuresName, c.Only = []byte(file), "known.yaml", []string{"note-title-*"}
			}))
		return f
	}
	const known = "- {requirement: note-title-max-length, reason: The gateway.}\n"
	f := tried(known)
	assert.False(t, f.failed, "%v %v", f.failures(), f.said)
	assert.Contains(t, f.sub("note-title-max-length"), "known failure: The gateway.\n")
	f = tried(known + "- {requirement: note-title-max-lenght, reason: Old.}\n")
	assert.True(t, f.failed)
	assert.Empty(t, f.failures())
	assert.Contains(t, f.said, "known.yaml:2: note-title-max-lenght matches no requirement: did you mean note-title-max-length? else delete this entry")
}

func TestASuppressedRequirementFailsWithItsReason(t *testing.T) {
	crashing := func(w http.ResponseWriter, r *http.Request) {
		services.Desk("").ServeHTTP(&altered{w, map[int]int{400: 500}, ""}, r)
	}
	f := &fake{}
	conformancetest.Run(f, conformancetest.Handler(http.HandlerFunc(crashing)), desk(t), conformancetest.Token(services.Key),
		conformancetest.With(func(c *conformance.Config) { c.Effort = "smoke" }))
	assert.Contains(t, f.failures(), "post-notes-answered")
	assert.Contains(t, f.failures(), "note-title-max-length")
	assert.Equal(t, "could not be tried: suppressed by post-notes-answered", f.sub("note-title-max-length"))
}

func TestAFailedSHOULDIsLoggedUnlessItGates(t *testing.T) {
	bare := func(w http.ResponseWriter, r *http.Request) {
		services.Desk("").ServeHTTP(&altered{w, nil, "WWW-Authenticate"}, r)
	}
	few := conformancetest.With(func(c *conformance.Config) { c.Only = []string{"bearer-*"} })
	f := &fake{}
	conformancetest.Run(f, conformancetest.Handler(http.HandlerFunc(bare)), desk(t), conformancetest.Token(services.Key), few)
	assert.False(t, f.failed, f.failures())
	assert.Contains(t, f.sub("bearer-challenge"), "WWW-Authenticate")

	f = &fake{}
	conformancetest.Run(f, conformancetest.Handler(http.HandlerFunc(bare)), desk(t), conformancetest.Token(services.Key), few,
		conformancetest.With(func(c *conformance.Config) { c.FailOn = report.Should }))
	assert.Equal(t, []string{"bearer-challenge"}, f.failures())
}

// altered changes the head of an answer: one status for another, a field less.
type altered struct {
	http.ResponseWriter
	status map[int]int
	drop   string
}

func (a *altered) WriteHeader(status int) {
	if other, found := a.status[status]; found {
		status = other
	}
	a.Header().Del(a.drop)
	a.ResponseWriter.WriteHeader(status)
}

func TestWhatCannotBeJudgedFailsOnceWithItsReason(t *testing.T) {
	for name, run := range map[string]struct {
		target  conformancetest.Target
		options []conformancetest.Option
		want    string
	}{
		"nobody listens": {conformancetest.URL("http://127.0.0.1:1"), []conformancetest.Option{conformancetest.Token("t")}, "cannot be reached"},
		"no token":       {conformancetest.URL("http://127.0.0.1:1"), nil, "needs a token"},
		"no target":      {conformancetest.URL(""), []conformancetest.Option{conformancetest.Token("t")}, "target"},
		"wrong token": {conformancetest.Handler(services.Desk("")),
			[]conformancetest.Option{desk(t), conformancetest.Token("other")}, "credential not accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{}
			conformancetest.Run(f, run.target, run.options...)
			assert.True(t, f.failed)
			assert.Empty(t, f.subtest)
			assert.False(t, f.beyond)
			assert.Contains(t, f.said[len(f.said)-1], run.want)
		})
	}
}
