package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
)

// maxReply bounds the response of a running compactor, in bytes.
const maxReply = 4 << 20

// lookTime is the timeout for a process that should answer at once.
const lookTime = 2 * time.Second

// Client talks to one running compactor.
type Client struct {
	About About
	http  *http.Client
}

// Find lists the running compactors of this user that answer, in the order of their start, and the PIDs of those that
// do not answer in time: such a process may be stopped or busy, and later continue with stale data. Dead sockets are
// removed.
func Find(ctx context.Context, dir string) (out []*Client, silent []int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".sock") || e.Type()&os.ModeSocket == 0 && e.Type()&os.ModeIrregular == 0 {
			continue
		}
		path := filepath.Join(dir, e.Name())
		c := dial(path)
		look, cancel := context.WithTimeout(ctx, lookTime)
		err := c.ask(look, http.MethodGet, "/about", &c.About)
		cancel()
		switch {
		case err == nil:
			out = append(out, c)
		case errors.Is(err, syscall.ECONNREFUSED):
			listen.RemoveDead(path)
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			if pid, err := strconv.Atoi(strings.TrimSuffix(e.Name(), ".sock")); err == nil {
				silent = append(silent, pid)
			}
		}
	}
	slices.SortFunc(out, func(a, b *Client) int { return a.About.Started.Compare(b.About.Started) })
	return out, silent, nil
}

func dial(path string) *Client {
	var d net.Dialer
	return &Client{http: &http.Client{Transport: &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", path) },
		DisableKeepAlives: true,
	}}}
}

// Servers lists the upstream servers.
func (c *Client) Servers(ctx context.Context) (list []Server, err error) {
	err = c.ask(ctx, http.MethodGet, "/servers", &list)
	return list, err
}

// Log returns the last lines that a server's program wrote to its standard error.
func (c *Client) Log(ctx context.Context, name string) (lines []string, err error) {
	err = c.ask(ctx, http.MethodGet, "/servers/"+url.PathEscape(name)+"/log", &lines)
	return lines, err
}

// Restart stops a server, if it runs, and starts it again.
func (c *Client) Restart(ctx context.Context, name string) error {
	return c.ask(ctx, http.MethodPost, "/servers/"+url.PathEscape(name)+"/restart", nil)
}

// Switch turns a server on or off until the compactor process ends.
func (c *Client) Switch(ctx context.Context, name string, on bool) error {
	verb := map[bool]string{true: "/enable", false: "/disable"}[on]
	return c.ask(ctx, http.MethodPost, "/servers/"+url.PathEscape(name)+verb, nil)
}

// Relearn makes the process forget which tools were used and learn again from the records that are kept. It also
// drops sessions whose last event came before the given time.
func (c *Client) Relearn(ctx context.Context, before time.Time) error {
	return c.ask(ctx, http.MethodPost, "/forget?before="+url.QueryEscape(before.Format(time.RFC3339Nano)), nil)
}

// Entrance returns the address at which a browser gets access to the pages, or "" if the process does not listen for
// browsers. It fails with ErrUnknown if the process serves no pages.
func (c *Client) Entrance(ctx context.Context) (address string, err error) {
	err = c.ask(ctx, http.MethodGet, "/entrance", &address)
	return address, err
}

// Pages returns a transport that fetches the pages over the socket, whatever host a request names.
func (c *Client) Pages() http.RoundTripper { return c.http.Transport }

func (c *Client) ask(ctx context.Context, method, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://compactor"+path, nil)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	if err != nil {
		return err
	}
	switch res.StatusCode {
	case http.StatusOK:
		if into == nil {
			return nil
		}
		return json.Unmarshal(body, into)
	case http.StatusNotFound:
		return ErrUnknown
	}
	var f fault
	if json.Unmarshal(body, &f) != nil || f.Message == "" {
		f.Message = fmt.Sprintf("compactor (process %d) answers %s", c.About.PID, res.Status)
	}
	return errors.New(f.Message)
}
