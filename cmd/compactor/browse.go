package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Times for opening a browser.
const (
	openTime  = time.Minute // until it must have requested the entrance
	lookEvery = 200 * time.Millisecond
)

// openBrowser opens the entrance of a dashboard in the system's browser and returns once the
// browser has used it. Any account can read the arguments of a process, so the browser is
// given the path of a page that leads to the entrance; the page is removed in the end.
func openBrowser(ctx context.Context, entrance string) error {
	page, err := entrancePage(entrance)
	if err == nil {
		defer os.Remove(page)
		err = startBrowser(page)
	}
	if err != nil {
		return exit{exitInvalid, "no browser could be started (" + err.Error() + "); open the address yourself"}
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for isEntranceUnused(ctx, entrance) {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return exit{exitInvalid, "no browser has come within a minute; open the address yourself"}
	}
	return nil
}

// isEntranceUnused reports whether the code of an entrance is still valid.
func isEntranceUnused(ctx context.Context, entrance string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, entrance, nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode == http.StatusNoContent
}

// entrancePage writes a page that only this user can read and that redirects to the entrance.
func entrancePage(entrance string) (path string, err error) {
	dir := controlDir()
	if dir == "" {
		return "", errors.New("there is no home directory for a page")
	}
	f, err := os.CreateTemp(dir, "open-*.html")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, `<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=%[1]s">
<title>compactor</title><a href="%[1]s">Open the dashboard</a>
`, html.EscapeString(entrance))
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// startBrowser asks the system to open a page.
func startBrowser(page string) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", page)
	case "darwin":
		cmd = exec.Command("open", page)
	default:
		cmd = exec.Command("xdg-open", page)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it may live as long as its window
	return nil
}
