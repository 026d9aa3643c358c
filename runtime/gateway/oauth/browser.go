package oauth

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"runtime"
)

// errNoBrowser says that no user would see a browser.
var errNoBrowser = errors.New("there is no display here")

// Browse opens a URL in this machine's browser. It uses no shell.
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

// browser returns the program that opens URLs; nil if no user would see the result.
func browser(system string, env func(string) string) []string {
	switch {
	case env("SSH_CONNECTION") != "" && env("DISPLAY") == "":
		return nil // the user sits at another machine
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case system == "darwin":
		return []string{"/usr/bin/open"}
	case env("DISPLAY") != "", env("WAYLAND_DISPLAY") != "", env("WSL_DISTRO_NAME") != "":
		return []string{"xdg-open"}
	}
	return nil
}
