package browser

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	eventually = time.Minute // for a busy machine
	often      = 20 * time.Millisecond
)

// poor lists the texts whose contrast with what is behind them is below 4.5 to 1
// (WCAG 2.2, 1.4.3, level AA).
const poor = `(() => {
  const parse = (c) => c.match(/[\d.]+/g).map(Number);
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const out = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.checkVisibility()) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) out.push(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + e.textContent.slice(0, 40));
  }
  return out;
})()`

func TestBothColourSchemesCanBeRead(t *testing.T) {
	c, backs := start(t), map[string]string{}
	for _, name := range []string{"light", "dark"} {
		for _, file := range []string{"one_fault.html", "conformant.html", "unreachable.html"} {
			b := c.open(golden(t, file), scheme(name))
			assert.Empty(t, eval[[]string](b, poor), "%s in %s", file, name)
			backs[name] = eval[string](b, `getComputedStyle(document.body).backgroundColor`)
			b.quiet()
			b.picture(file + "-" + name)
		}
	}
	assert.Equal(t, map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}, backs)
}

func narrow(b *tab) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 740, DeviceScaleFactor: 1, Mobile: true})
}

func TestANarrowWindowDoesNotScrollSideways(t *testing.T) {
	c := start(t)
	for _, file := range []string{"one_fault.html", "hostile.html", "scripted.html"} {
		b := c.open(golden(t, file), narrow)
		assert.LessOrEqual(t, eval[int](b, `document.scrollingElement.scrollWidth`), 360, file)
		b.picture(file + "-narrow")
	}
}

func TestPaperShowsWhatIsClosedAndNoControls(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	b.do(chromedp.Click(`[data-all="close"]`))
	opened := eval[string](b, `new Promise((done) => {
    addEventListener("beforeprint", () => { window.before = document.querySelectorAll("details.failure[open]").length; });
    done("ready");
  })`)
	require.Equal(t, "ready", opened)
	paper, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	require.NoError(t, err)
	assert.Equal(t, "%PDF", string(paper[:4]))
	assert.Equal(t, 2, eval[int](b, "window.before"))
	assert.Zero(t, eval[int](b, `document.querySelectorAll("details.failure[open]").length`), "closed again")
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	assert.Zero(t, shown(b, "button, input, select, nav"))
	assert.Empty(t, eval[[]string](b, poor))
	b.quiet()
}

// picture writes what is seen into the folder BROWSER_PICTURES, for people to look at.
func (b *tab) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("BROWSER_PICTURES")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(folder, 0o700))
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600))
}
