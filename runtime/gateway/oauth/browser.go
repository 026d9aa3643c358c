package oauth

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"runtime"
)

// errNoBrowser says that a browser would be seen by nobody.
var errNoBrowser = errors.New("there is no display here")

// Browse opens an address in the browser of this machine. No shell sees it.
func Browse(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return errors.New("not an address for a browser")
	}
	words := browser(runtime.GOOS, os.Getenv)
	if words == nil {
		return errNoBrowser
	}
	cmd := exec.Command(words[0], append(words[1:], u.String())...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// browser is the program that opens addresses; nil where nobody would see what it opens.
func browser(system string, env func(string) string) []string {
	switch {
	case env("SSH_CONNECTION") != "" && env("DISPLAY") == "":
		return nil // somebody sits before another machine
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case system == "darwin":
		return []string{"/usr/bin/open"}
	case env("DISPLAY") != "", env("WAYLAND_DISPLAY") != "", env("WSL_DISTRO_NAME") != "":
		return []string{"xdg-open"}
	}
	return nil
}
