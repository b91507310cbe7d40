package browser

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown counts the elements that a reader sees.
func shown(b *tab, selector string) int {
	return eval[int](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((x) => x.checkVisibility({contentVisibilityAuto: true})).length`, selector))
}

const (
	rows     = ".rows tbody tr"
	articles = "article.result"
	found    = "article.finding"
)

func TestFiltersWorkByKeyboardAndAreAnnounced(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	assert.Equal(t, 4, shown(b, rows))
	assert.Equal(t, 2, shown(b, articles))
	status := func() string { return eval[string](b, `document.getElementById("shown").textContent`) }
	assert.Equal(t, "2 of 2 findings and 4 of 4 requirements shown", status())

	b.do(chromedp.Focus("#by-text"), chromedp.KeyEvent("SCHEME any"))
	assert.Equal(t, "1 of 2 findings and 1 of 4 requirements shown", status(), "words in any case and order")
	assert.Equal(t, 1, shown(b, rows))
	assert.Equal(t, 1, shown(b, articles), "a failure is hidden with its requirement")
	assert.Equal(t, "polite", eval[string](b, `document.getElementById("shown").ariaLive`))

	b.do(chromedp.Focus("#reset"), chromedp.KeyEvent(kb.Enter))
	assert.Equal(t, 4, shown(b, rows))
	assert.Equal(t, "by-text", eval[string](b, `document.activeElement.id`))
	b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("M")) // the level begins with M
	assert.Equal(t, "MUST", eval[string](b, `document.getElementById("by-level").value`))
	assert.Equal(t, 3, shown(b, rows))
	b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("f"))
	assert.Equal(t, "1 of 2 findings and 1 of 4 requirements shown", status(), "filters add up")
	b.do(chromedp.Focus("#by-text"), chromedp.KeyEvent("nothing has this"))
	assert.Equal(t, "0 of 2 findings and 0 of 4 requirements shown", status())
	b.quiet()
}

func TestACategoryShowsItsFindingsAndTheirRequirements(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	assert.Equal(t, 2, shown(b, found))
	b.do(chromedp.Focus("#by-category"), chromedp.KeyEvent("l")) // leniency
	assert.Equal(t, "leniency", eval[string](b, `document.getElementById("by-category").value`))
	assert.Equal(t, 1, shown(b, found))
	assert.Equal(t, 1, shown(b, rows))
	assert.Equal(t, 1, shown(b, articles))
	assert.Equal(t, "1 of 2 findings and 1 of 4 requirements shown", eval[string](b, `document.getElementById("shown").textContent`))
	b.do(chromedp.Focus("#reset"), chromedp.KeyEvent(kb.Enter))
	assert.Equal(t, 2, shown(b, found))
	b.quiet()
}

func TestAFindingHasALinkAndLeadsToItsFailure(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	id := eval[string](b, `document.querySelector("article.finding").id`)
	assert.Regexp(t, "^finding-[0-9a-f]{8}(-[0-9a-f]{6})?$", id)
	b.do(chromedp.Click(`[data-all="close"]`), chromedp.Click(`a[href="#`+id+`"]`))
	require.Eventually(t, func() bool { return eval[string](b, `document.querySelector(":target")?.id || ""`) == id }, eventually, often)
	b.do(chromedp.Click(`article.finding a[href="#f1"]`))
	require.Eventually(t, func() bool { return shown(b, "#f1 dl") == 1 }, eventually, often, "the failure is open")
	b.quiet()
}

func TestAFailureOpensByItsLinkAndShowsItsBytes(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	b.do(chromedp.Click(`[data-all="close"]`))
	assert.Zero(t, shown(b, "#f1 dl"))
	b.do(chromedp.Click(`a[href="#q2"]`))
	require.Eventually(t, func() bool { return shown(b, "#f1 dl") == 1 }, eventually, often, "the page follows the link after the click")
	assert.Zero(t, shown(b, "#f2 dl"))
	assert.Zero(t, shown(b, "#f1 .bytes pre"))
	b.do(chromedp.Click("#f1 .bytes summary"))
	require.Eventually(t, func() bool { return shown(b, "#f1 .bytes pre") > 0 }, eventually, often)
	assert.Contains(t, eval[string](b, `document.querySelector("#f1 .bytes pre").innerText`), "00000000  50 4f 53 54 20 2f 74 68  69 6e 67 73")
	b.quiet()
}

func TestAReaderSeesHowToFixTheServerWithoutAnyClick(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	assert.Equal(t, 1, shown(b, articles+" > .fix"), "nothing is made up where the report has no fix")
	assert.Equal(t, "How to fix it: Check the type before you convert it.", eval[string](b, `document.querySelector(".fix").innerText`))
	b.quiet()
}

func TestTheFirstFindingIsOnTheFirstScreen(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"), func(b *tab) {
		call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 800, DeviceScaleFactor: 1})
	})
	assert.Less(t, eval[float64](b, `document.querySelector("article.finding").getBoundingClientRect().bottom`), 800.0)
}

func TestACountLeadsToTheRequirementsThatItCounts(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	b.do(chromedp.Click(`[data-level="MUST"][data-verdict="inapplicable"][href]`))
	require.Eventually(t, func() bool { return shown(b, rows) == 1 }, eventually, often)
	assert.Equal(t, "0 of 2 findings and 1 of 4 requirements shown", eval[string](b, `document.getElementById("shown").textContent`))
	assert.Equal(t, []string{"MUST", "inapplicable"}, eval[[]string](b, `["level", "verdict"].map((x) => document.getElementById("by-" + x).value)`))
	b.quiet()
}

func TestTheFilterStaysInSightAndHidesNoHeading(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"), func(b *tab) {
		call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 800, DeviceScaleFactor: 1})
	})
	b.do(chromedp.Click(`a[href="#requirements"]`))
	require.Eventually(t, func() bool { return eval[float64](b, "scrollY") > 0 }, eventually, often)
	assert.Zero(t, eval[float64](b, `document.getElementById("filter").getBoundingClientRect().top`))
	assert.GreaterOrEqual(t, eval[float64](b, `document.getElementById("requirements").getBoundingClientRect().top - document.getElementById("filter").getBoundingClientRect().bottom`), 0.0)
	b.quiet()
}

func TestACommandIsCopiedAsItIs(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"), clipboard)
	for _, id := range []string{"curl1", "replay1", "explain2"} {
		b.do(chromedp.Click(`[data-copy="` + id + `"]`))
		assert.Eventually(t, func() bool { return eval[string](b, `document.getElementById("copied").textContent`) != "" }, eventually, often)
		want := eval[string](b, `document.getElementById("`+id+`").textContent`)
		assert.NotEmpty(t, want)
		assert.Equal(t, want, eval[string](b, `navigator.clipboard.readText()`))
	}
	b.quiet()
}

func TestACopiedCurlCommandSendsTheRequestOfTheFailure(t *testing.T) {
	got := make(chan string, 2)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		got <- fmt.Sprint(r.Method, " ", r.URL, " ", r.Header.Get("Authorization"), " ", string(body), " ", err)
	}))
	defer server.Close()
	page, err := os.ReadFile(golden(t, "one_fault.html"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(page, []byte("http://127.0.0.1:8080"), []byte(server.URL)), 0o600))
	b := start(t).open(path, clipboard)
	b.do(chromedp.Click(`[data-copy="curl1"]`))
	assert.Eventually(t, func() bool { return eval[string](b, `document.getElementById("copied").textContent`) != "" }, eventually, often)
	shell := exec.CommandContext(t.Context(), "sh", "-c", eval[string](b, `navigator.clipboard.readText()`))
	shell.Env = append(os.Environ(), "CONFORMANCE_TOKEN=the-token")
	said, err := shell.CombinedOutput()
	require.NoError(t, err, string(said))
	require.Len(t, got, 1, string(said))
	assert.Equal(t, `POST /things Bearer the-token {"size":"7","label":"a"} <nil>`, <-got)
	b.quiet()
}

func TestWhatATargetSendsDoesNothing(t *testing.T) {
	c := start(t)
	for _, name := range []string{"scripted.html", "hostile.html"} {
		b := c.open(golden(t, name))
		assert.Equal(t, []int{1, 1, 0}, eval[[]int](b, `["script", "style", "img"].map((x) => document.querySelectorAll(x).length)`))
		assert.Positive(t, shown(b, rows))
		b.quiet()
	}
}

func TestThePolicyStopsWhatWouldGetIntoThePage(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	page, err := os.ReadFile(golden(t, "conformant.html"))
	require.NoError(t, err)
	evil := strings.ReplaceAll(`<script>document.title = "ran"</script><script src=URL></script><img src=URL onerror='document.title = "ran"'>`+
		`<link rel=stylesheet href=URL><iframe src=URL></iframe><p id=styled style="color: red">x</p></main>`, "URL", server.URL)
	path := filepath.Join(t.TempDir(), "evil.html")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(page), "</main>", evil, 1)), 0o600))
	b := start(t).open(path)
	assert.Equal(t, "conformant", eval[string](b, "document.title"))
	assert.NotEqual(t, "rgb(255, 0, 0)", eval[string](b, `getComputedStyle(document.getElementById("styled")).color`))
	assert.Zero(t, asked.Load())
	assert.NotEmpty(t, b.trouble, "violations are seen, so the other tests would see them")
	assert.Equal(t, "4 of 4 requirements shown", eval[string](b, `document.getElementById("shown").textContent`), "its own script runs")
}

func TestEverythingIsThereWithoutJavaScript(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"), func(b *tab) {
		call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	})
	assert.Equal(t, []int{4, 2, 2}, []int{shown(b, rows), shown(b, articles), shown(b, "details.failure dl")})
	assert.Zero(t, shown(b, "button, input, select"), "nothing is offered that would do nothing")
	b.quiet()
}

func TestAScreenReaderFindsItsWay(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"), narrow) // where the table is shown as blocks
	roles := map[string]int{}
	for _, n := range call(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := strings.Trim(string(n.Role.Value), `"`)
		roles[role]++
		switch role {
		case "button", "combobox", "searchbox", "link", "region", "navigation", "search", "table", "columnheader", "rowheader", "heading":
			named := n.Name != nil && strings.Trim(string(n.Name.Value), `" `) != ""
			assert.True(t, named || role == "table", "a %s without a name", role)
		}
	}
	for _, role := range []string{"banner", "main", "navigation", "search", "status", "region", "table", "columnheader", "rowheader", "searchbox"} {
		assert.Positive(t, roles[role], role)
	}
}
