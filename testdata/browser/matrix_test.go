package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const cellsOfGrid = "#requirements tbody tr"

func TestTheMatrixIsFilteredByWhatIsNotTheSameEverywhere(t *testing.T) {
	b := start(t).open(golden(t, "matrix.html"))
	status := func() string { return eval[string](b, `document.getElementById("shown").textContent`) }
	assert.Equal(t, "5 of 5 requirements shown", status())
	assert.Equal(t, 4, shown(b, articles))
	b.do(chromedp.Focus("#by-kind"), chromedp.KeyEvent("n")) // not the same everywhere
	assert.Equal(t, "4 of 5 requirements shown", status())
	b.do(chromedp.Focus("#by-text"), chromedp.KeyEvent("SIZE number"))
	assert.Equal(t, "1 of 5 requirements shown", status(), "filters add up")
	assert.Equal(t, 1, shown(b, cellsOfGrid))
	assert.Equal(t, 1, shown(b, articles), "a failure is hidden with its requirement")
	b.do(chromedp.Focus("#reset"), chromedp.KeyEvent(kb.Enter))
	assert.Equal(t, "5 of 5 requirements shown", status())
	b.do(chromedp.Focus("#by-text"), chromedp.KeyEvent(`got {"label`))
	assert.Equal(t, "2 of 5 requirements shown", status(), "what was sent and what came is searched too")
	b.quiet()
}

func TestACellOfTheMatrixLeadsToItsFailure(t *testing.T) {
	b := start(t).open(golden(t, "matrix.html"))
	assert.Equal(t, "fail", eval[string](b, `document.querySelector("#r2 .mark.fail").textContent`), "a sign alone says nothing to a screen reader")
	b.do(chromedp.Click(`#r2 a.mark.fail`))
	require.Eventually(t, func() bool { return eval[string](b, "location.hash") == "#c2-2" }, eventually, often)
	assert.Contains(t, eval[string](b, `document.querySelector(":target").innerText`), `size "7"`)
	b.quiet()
}

func TestTheNamesOfTheColumnsStayInSight(t *testing.T) {
	b := start(t).open(golden(t, "matrix.html"), func(b *tab) {
		call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 800, DeviceScaleFactor: 1})
	})
	assert.True(t, eval[bool](b, `(() => {
    const region = document.querySelector("#observed .wide");
    region.scrollTop = 1e6;
    return region.scrollTop > 0 && Math.abs(region.querySelector("thead th.name").getBoundingClientRect().top - region.getBoundingClientRect().top) < 1;
  })()`))
	assert.Empty(t, eval[[]string](b, poor))
	b.quiet()
}

func TestTheMatrixCanBeReadInBothColourSchemesAndNarrow(t *testing.T) {
	c := start(t)
	for _, name := range []string{"light", "dark"} {
		b := c.open(golden(t, "matrix.html"), scheme(name))
		assert.Empty(t, eval[[]string](b, poor), name)
		b.quiet()
		b.picture("matrix-" + name)
	}
	for _, file := range []string{"matrix.html", "matrix-scripted.html"} {
		b := c.open(golden(t, file), narrow)
		assert.LessOrEqual(t, eval[int](b, `document.scrollingElement.scrollWidth`), 360, file)
		b.quiet()
		b.picture(file + "-narrow")
	}
}

func TestWhatAnImplementationSentDoesNothingInTheMatrix(t *testing.T) {
	b := start(t).open(golden(t, "matrix-scripted.html"))
	assert.Equal(t, []int{1, 1, 0}, eval[[]int](b, `["script", "style", "img"].map((x) => document.querySelectorAll(x).length)`))
	assert.Positive(t, shown(b, cellsOfGrid))
	b.quiet()
}
