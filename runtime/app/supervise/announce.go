package supervise

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/netscope"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// announcement is what a program says of itself when it is ready.
type announcement struct {
	addr string // HOST:PORT or the path of a socket; "" if it has none
	err  error  // it announced what cannot be used
}

// readyWord begins the announcement.
const readyWord = "SERVER_READY"

// maxShown limits the part of a line that is quoted in a message, in characters.
const maxShown = 120

// parseAnnouncement parses a line such as
//
//	SERVER_READY {"transport": "http", "addr": "127.0.0.1:8080"}
//
// in front of which a logger may have written the time. addr may also be a URL, or have no host, as in ":8080"; with
// transport "unix" it is the path of a socket. It reports false for other lines.
func parseAnnouncement(line string) (announcement, bool) {
	before, after, ok := strings.Cut(line, readyWord)
	after = strings.TrimSpace(after)
	if !ok || !strings.HasPrefix(after, "{") || before != "" && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t") {
		return announcement{}, false
	}
	var said struct{ Transport, Addr string }
	if err := json.NewDecoder(strings.NewReader(after)).Decode(&said); err != nil {
		return announcement{err: fmt.Errorf("its line %s cannot be read: write %s {\"transport\": \"http\", \"addr\": \"127.0.0.1:8080\"}", sanitize.OneLine(line, maxShown), readyWord)}, true
	}
	if said.Addr == "" || said.Transport == "unix" && filepath.IsAbs(said.Addr) {
		return announcement{addr: sanitize.OneLine(said.Addr, maxShown)}, true
	}
	addr, err := parseAddr(said.Addr)
	if err != nil {
		return announcement{err: fmt.Errorf("it announces the address %s, %w", sanitize.OneLine(said.Addr, maxShown), err)}, true
	}
	return announcement{addr: addr}, true
}

// parseAddr returns HOST:PORT of an address on this machine: HOST:PORT, :PORT or a URL.
func parseAddr(text string) (string, error) {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		text = u.Host
	}
	host, port, err := net.SplitHostPort(text)
	if n, numErr := strconv.ParseUint(port, 10, 16); err != nil || numErr != nil || n == 0 || strings.Contains(host, "%") {
		return "", errors.New("which is not HOST:PORT")
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() { // it listens on all, and is spoken to on this machine
		host = "127.0.0.1"
	}
	if scope, known := netscope.Named(host); !known || scope != netscope.Loopback {
		return "", errors.New("which is not on this machine")
	}
	return net.JoinHostPort(host, port), nil
}
