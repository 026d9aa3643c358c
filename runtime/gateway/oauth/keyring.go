package oauth

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zalando/go-keyring"
)

// service is the common name of our entries in the keyring.
const service = "compactor"

// ringTime limits the wait for the keyring: a locked one may ask a user who is not there.
const ringTime = 5 * time.Second

// SystemRing returns the system's keyring; nil if there is none, as over ssh or in a container.
func SystemRing() Ring {
	if runtime.GOOS == "linux" || runtime.GOOS == "freebsd" || runtime.GOOS == "openbsd" || runtime.GOOS == "netbsd" {
		bus := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
		if _, err := os.Stat(bus); os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && (err != nil || !filepath.IsAbs(bus)) {
			return nil // asking would start a bus
		}
	}
	return systemRing{}
}

type systemRing struct{}

// Get reads an entry.
func (systemRing) Get(name string) (string, error) {
	return inTime(func() (string, error) { return keyring.Get(service, name) })
}

// Set writes an entry.
func (systemRing) Set(name, value string) error {
	_, err := inTime(func() (string, error) { return "", keyring.Set(service, name, value) })
	return err
}

// Delete removes an entry.
func (systemRing) Delete(name string) error {
	_, err := inTime(func() (string, error) { return "", keyring.Delete(service, name) })
	return err
}

var errRing = errors.New("the keyring does not answer")

func inTime(fn func() (string, error)) (string, error) {
	type answer struct {
		value string
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := fn()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-time.After(ringTime):
		return "", errRing
	}
}
