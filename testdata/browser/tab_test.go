// Package browser opens the HTML reports that package formats has as golden files in a
// real browser, and uses them as a reader does. It needs Chromium or Chrome.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chrome is a browser.
type chrome struct {
	t   *testing.T
	ctx context.Context
}

// start starts a browser that ends with the test.
func start(t *testing.T) *chrome {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	require.NotEmpty(t, program, "no browser: install chromium")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.WindowSize(1280, 900))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // the sandbox refuses root, as in a container
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	return &chrome{t, ctx}
}

// tab is one report in a tab, and what happened there.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	requests []string // addresses
	trouble  []string // console messages, exceptions, violations of the policy, dialogs
}

// golden is the path of a report that a test of package formats keeps up to date.
func golden(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../conformance/formats/testdata", name))
	require.NoError(t, err)
	return path
}

// open opens a file in a new tab; before prepares the tab for it.
func (c *chrome) open(path string, before ...func(*tab)) *tab {
	c.t.Helper()
	b := &tab{t: c.t, url: "file://" + path}
	var cancel context.CancelFunc
	b.ctx, cancel = chromedp.NewContext(c.ctx, chromedp.WithListener(b.listen))
	c.t.Cleanup(cancel)
	call(b, network.Enable, network.EnableParams{})
	call(b, cdplog.Enable, cdp.Empty{})
	for _, f := range before {
		f(b)
	}
	b.do(chromedp.Navigate(b.url))
	return b
}

// listen notes what a good page does not do.
func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventConsoleAPICalled:
		b.trouble = append(b.trouble, fmt.Sprintf("console: %s", e.Type))
	case *runtime.EventExceptionThrown:
		b.trouble = append(b.trouble, "exception: "+e.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		b.trouble = append(b.trouble, fmt.Sprintf("log: %s: %s", e.Entry.Source, e.Entry.Text))
	case *page.EventJavascriptDialogOpening:
		b.trouble = append(b.trouble, "dialog: "+e.Message)
		go func() { // else the page stops
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}()
	}
}

// quiet wants that nothing was asked for but the file, and that nothing went wrong.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	assert.Empty(b.t, b.trouble)
	assert.NotEmpty(b.t, b.requests, "the requests were not seen")
	for _, address := range b.requests {
		assert.Equal(b.t, b.url, address, "a request to another place")
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, steps...))
}

// call sends a command of the protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	r, err := chromedp.Call(b.ctx, command, params)
	require.NoError(b.t, err)
	return r
}

// eval returns the value of an expression, or of the promise that it gives.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err)
	return out
}

// scheme prefers light or dark.
func scheme(name string) func(*tab) {
	return func(b *tab) {
		call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
	}
}

// clipboard allows reading what a button copied, which a reader does by pasting.
func clipboard(b *tab) {
	b.t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(b.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted})
		require.NoError(b.t, err)
	}
}
