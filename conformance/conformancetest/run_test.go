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
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plantstore/conformance"
	"plantstore/conformance/conformancetest"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
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

// gate makes fewer requests where a test is about what is said of them.
func gate(c *conformance.Config) { c.Effort, c.Draws = "gate", -1 }

func TestARightHandlerPassesUnderARealTest(t *testing.T) {
	defer goleak.VerifyNone(t)
	conformancetest.Run(t, conformancetest.Handler(services.Desk("")), desk(t), conformancetest.Token(services.Key), gate)
}

func TestAWrongHandlerFailsTheSubtestOfItsRequirementAndSaysHow(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := &fake{}
	conformancetest.Run(f, conformancetest.Handler(services.Desk("title long")), desk(t), conformancetest.Token(services.Key), gate)
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
		conformancetest.Run(f, conformancetest.Handler(services.Desk("title long")), desk(t), conformancetest.Token(services.Key), gate,
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
	few := conformancetest.With(func(c *conformance.Config) { gate(c); c.Only = []string{"bearer-*"} })
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
			[]conformancetest.Option{desk(t), gate, conformancetest.Token("other")}, "credential not accepted"},
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

// under tries a server as go test does with these flags, and counts its requests.
func under(t *testing.T, run, skip string, options ...conformancetest.Option) (f *fake, requests int) {
	t.Helper()
	for name, value := range map[string]string{"test.run": run, "test.skip": skip} {
		was := flag.Lookup(name).Value.String()
		require.NoError(t, flag.Set(name, value))
		defer func() { require.NoError(t, flag.Set(name, was)) }()
	}
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		services.Desk("title long").ServeHTTP(w, r)
	}))
	defer server.Close()
	f = &fake{name: "TestDesk"}
	smoke := conformancetest.With(func(c *conformance.Config) { c.Effort, c.Draws = "smoke", -1 })
	conformancetest.Run(f, conformancetest.URL(server.URL), append(options, smoke, desk(t), conformancetest.Token(services.Key))...)
	return f, int(n.Load())
}

func (f *fake) names() (list []string) {
	for _, s := range f.subtest {
		list = append(list, s.name)
	}
	return list
}

func TestOnlyTheCasesOfTheRequirementsThatRunSelectsAreSent(t *testing.T) {
	all, every := under(t, "TestDesk", "")
	require.Greater(t, len(all.subtest), 20)
	for run, want := range map[string][]string{
		"TestDesk/^note-title-(min|max)-length$":                          {"note-title-min-length", "note-title-max-length"},
		`TestOther/x|^TestDesk$/^note-urgent-b|Desk/^note.title[m/|-]max`: {"note-title-max-length", "note-urgent-boolean"},
	} {
		f, requests := under(t, run, "")
		assert.Equal(t, want, f.names(), run)
		assert.Equal(t, []string{"note-title-max-length"}, f.failures())
		assert.Less(t, requests, every, run)
	}
}

func TestWhatSkipNamesIsNotTested(t *testing.T) {
	f, _ := under(t, "", "TestDesk/title-max-length|TestDesk/note-title/deeper")
	assert.NotContains(t, f.names(), "note-title-max-length")
	assert.Contains(t, f.names(), "note-title-min-length", "what is below a subtest is none")
	assert.Empty(t, f.failures())
	f, _ = under(t, "TestDesk/^note-title-m", "TestDesk/title-min")
	assert.Equal(t, []string{"note-title-max-length"}, f.names())
}

func TestATestThatRunLeavesNothingOfFails(t *testing.T) {
	for _, flags := range [][2]string{{"TestDesk/note-title-maximum", ""}, {"", "TestDesk/."}, {"TestDesk/note-title", "TestDesk/note-title"}} {
		f, requests := under(t, flags[0], flags[1])
		assert.True(t, f.failed, flags)
		assert.Zero(t, requests)
		assert.Contains(t, f.said[0], "leave no requirement: the subtests have the ids that conformance list prints")
	}
}

func TestASelectionOfTheTestItselfStays(t *testing.T) {
	own := conformancetest.With(func(c *conformance.Config) { c.Only = []string{"note-urgent-*"} })
	f, _ := under(t, "TestDesk/note-title-max-length", "", own)
	assert.Contains(t, f.names(), "note-urgent-boolean")
	assert.NotContains(t, f.names(), "note-title-max-length")
}

// without runs no subtest, as go test does if its flags leave out all of them.
type without struct{ fake }

func (*without) Run(string, func(*without)) bool { return true }

func TestATestWithoutASubtestFails(t *testing.T) {
	f := &without{}
	conformancetest.Run(f, conformancetest.Handler(services.Desk("title long")), desk(t), conformancetest.Token(services.Key), gate,
		conformancetest.With(func(c *conformance.Config) { c.Only = []string{"note-title-max-length"} }))
	assert.True(t, f.failed)
	assert.Contains(t, f.said[len(f.said)-1], "leave no requirement of those that were tested")
}

func TestMain(m *testing.M) { sample.Main(m) }
