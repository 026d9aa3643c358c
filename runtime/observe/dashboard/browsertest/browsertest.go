// Package browsertest drives a real browser, Debian's Chromium, in tests of pages: what a
// person does with them, the accessibility problems that axe-core finds, and screenshots.
//
//	apt-get install chromium
//	COMPACTOR_AXE    axe.min.js of the npm package axe-core
//	COMPACTOR_SHOTS  directory for screenshots; none are taken without it
//
// Tests that need the browser or axe-core are skipped if it is missing.
package browsertest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// patience is how long a page may take for anything.
const patience = 2 * time.Minute

// Page is a tab of a browser.
type Page struct {
	t   testing.TB
	ctx context.Context
	axe string
}

// Open starts a browser, or skips the test if it is not installed.
func Open(t testing.TB) *Page {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no browser: apt-get install chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1440, 1000))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	p := &Page{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return p
}

func runAction[T any](p *Page, what string, a chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	return v
}

// Scheme makes the browser prefer light or dark.
func (p *Page) Scheme(name string) {
	p.t.Helper()
	runAction(p, name, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
}

// Size sets the size of the window.
func (p *Page) Size(width, height int64) {
	p.t.Helper()
	runAction(p, "size", chromedp.EmulateViewport(width, height))
}

// Go opens an address.
func (p *Page) Go(address string) {
	p.t.Helper()
	runAction(p, address, chromedp.Navigate(address))
}

// Keys presses keys one after another: by name, such as ArrowDown, or as characters.
func (p *Page) Keys(keys ...string) {
	p.t.Helper()
	named := map[string]string{"ArrowDown": kb.ArrowDown, "ArrowUp": kb.ArrowUp, "Enter": kb.Enter, "Escape": kb.Escape, "Tab": kb.Tab, "Home": kb.Home, "End": kb.End, "Backspace": kb.Backspace}
	for _, k := range keys {
		if code, ok := named[k]; ok {
			k = code
		}
		runAction(p, "key", chromedp.KeyEvent(k))
	}
}

// Until waits for a script to be true. If the page navigates meanwhile, it tries again.
func (p *Page) Until(script string) {
	p.t.Helper()
	whole := chromedp.Evaluate[bool](`!!(document.readyState === "complete" && (` + script + `))`) // until then no key has an effect
	clocktest.Until(p.t, script, func() bool {
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		defer cancel()
		is, err := chromedp.Run(ctx, whole)
		return err == nil && is
	}, func() any {
		return "at " + p.Says("location.href") + ", the focus on " + p.Says("document.activeElement.outerHTML") + ", the page says:\n" + p.Text()
	})
}

// Is reports whether a script is true.
func (p *Page) Is(script string) bool {
	p.t.Helper()
	return runAction(p, script, chromedp.Evaluate[bool]("!!("+script+")"))
}

// Says evaluates a script to a string.
func (p *Page) Says(script string) string {
	p.t.Helper()
	return runAction(p, script, chromedp.Evaluate[string]("String("+script+")"))
}

// Text returns the text that the page shows.
func (p *Page) Text() string {
	p.t.Helper()
	return p.Says("document.body.innerText")
}

// Fits fails the test if the page is wider than its window.
func (p *Page) Fits(name string) {
	p.t.Helper()
	if wide := p.Says("document.documentElement.scrollWidth - innerWidth"); !strings.HasPrefix(wide, "-") && wide != "0" {
		p.t.Errorf("%s: the page is %s pixels wider than its window", name, wide)
	}
}

// Accessible fails the test for each problem that axe-core finds.
func (p *Page) Accessible(name string) {
	p.t.Helper()
	if p.axe == "" {
		file := os.Getenv("COMPACTOR_AXE")
		if file == "" {
			p.t.Skip("COMPACTOR_AXE does not name axe.min.js of the npm package axe-core")
		}
		text, err := os.ReadFile(file)
		if err != nil {
			p.t.Fatal(err)
		}
		p.axe = string(text)
	}
	runAction(p, "axe", chromedp.Evaluate[chromedp.Void](p.axe+";0"))
	raw := runAction(p, "axe", chromedp.Evaluate[string](`axe.run().then(r => JSON.stringify(r.violations))`, chromedp.EvalAwaitPromise))
	var found []struct {
		ID, Help string
		Nodes    []struct{ HTML, FailureSummary string }
	}
	if err := json.Unmarshal([]byte(raw), &found); err != nil {
		p.t.Fatal(err)
	}
	for _, v := range found {
		p.t.Errorf("%s: %s: %s", name, v.ID, v.Help)
		for _, n := range v.Nodes[:min(len(v.Nodes), 3)] {
			p.t.Logf("  %.400s\n  %s", n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " "))
		}
	}
}

// Shot saves a screenshot of the window.
func (p *Page) Shot(name string) {
	p.t.Helper()
	dir := os.Getenv("COMPACTOR_SHOTS")
	if dir == "" {
		return
	}
	png := runAction(p, "picture", chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		p.t.Fatal(err)
	}
}
