package supervise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	pollDelay = 200 * time.Millisecond
	probeTime = 5 * time.Second // for one attempt
)

// probe returns nil once a program is ready, and else why it is not.
type probe func(ctx context.Context) error

// probesOf returns the probes of a dependency; none if it announces itself.
func (s *Supervisor) probesOf(u *unit) (out []probe, err error) {
	if u.Addr != "" {
		out = append(out, func(ctx context.Context) error { return accepts(ctx, u.Addr) })
	}
	if u.Health != "" {
		out = append(out, func(ctx context.Context) error { return answers(ctx, u.Health) })
	}
	if check, ok := u.CheckProgram(); ok {
		cmd, err := s.expand(u, check)
		if err != nil {
			return nil, err
		}
		out = append(out, func(ctx context.Context) error { return s.runCheck(ctx, cmd) })
	}
	return out, nil
}

// awaitReady waits until all probes succeed, in order, or the program announces itself if there are none. The error says
// that the program ended before, or what it still lacked when ctx ended.
func awaitReady(ctx context.Context, p Program, probes []probe, announced <-chan announcement) (at announcement, err error) {
	if len(probes) == 0 {
		select {
		case at = <-announced:
			return at, at.err
		case <-p.Done():
			return at, fmt.Errorf("before it was ready, %w", endedError(p))
		case <-ctx.Done():
			return at, errors.New("it did not print SERVER_READY in time: have it print that line, set addr, health or check, or allow more time with start")
		}
	}
	for _, ready := range probes {
		for {
			attempt, cancel := context.WithTimeout(ctx, probeTime)
			err := ready(attempt)
			cancel()
			if err == nil {
				break
			}
			select {
			case <-time.After(pollDelay):
			case <-p.Done():
				return at, fmt.Errorf("before it was ready, %w", endedError(p))
			case <-ctx.Done():
				return at, fmt.Errorf("it was not ready in time: %w; allow more time with start", err)
			}
		}
	}
	select {
	case <-p.Done(): // another program may have answered in its place
		return at, fmt.Errorf("before it was ready, %w", endedError(p))
	case at = <-announced:
	default:
	}
	return announcement{addr: at.addr}, nil // with probes, a line that cannot be read does no harm
}

// maxQuoted limits the lines of standard error in the message of an end.
const maxQuoted = 3

// endedError says how a program ended, with the last lines that it wrote to its standard error.
func endedError(p Program) error {
	said := p.Stderr()
	if len(said) == 0 {
		return errors.New(p.Exit())
	}
	return fmt.Errorf("%s; it wrote: %s", p.Exit(), strings.Join(said[max(0, len(said)-maxQuoted):], " / "))
}

func accepts(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("nothing accepts connections at %s", addr)
	}
	return c.Close()
}

// direct is the client for health checks: without proxies, and without following redirects to other hosts.
var direct = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func answers(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := direct.Do(req)
	if err != nil {
		return fmt.Errorf("nothing answers at %s", address)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("%s answers %s", address, res.Status)
	}
	return nil
}

// runCheck runs the program of check.
func (s *Supervisor) runCheck(ctx context.Context, cmd command) error {
	p, err := s.opt.Start(ctx, cmd.Command)
	if err != nil {
		return err
	}
	go func() { _, _ = io.Copy(io.Discard, p.Stdout()) }()
	select {
	case <-p.Done():
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("check %s did not end in time", cmd.Path), p.Stop(0))
	}
	if err := p.Stop(0); err != nil {
		return err
	}
	if !p.Succeeded() {
		return fmt.Errorf("check %s: %w", cmd.Path, endedError(p))
	}
	return nil
}

// hostOf returns HOST:PORT of an HTTP address; "" for none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return ""
	case u.Port() != "":
		return u.Host
	case u.Scheme == "https":
		return net.JoinHostPort(u.Hostname(), "443")
	}
	return net.JoinHostPort(u.Hostname(), "80")
}
