package conformancetest_test

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/conformancetest"
	"plantstore/reference/services"
)

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
	conformancetest.Run(f, conformancetest.Handler(services.Desk("title long")), desk(t), conformancetest.Token(services.Key),
		conformancetest.With(func(c *conformance.Config) { c.Only = []string{"note-title-max-length"} }))
	assert.True(t, f.failed)
	assert.Contains(t, f.said[len(f.said)-1], "leave no requirement of those that were tested")
}
