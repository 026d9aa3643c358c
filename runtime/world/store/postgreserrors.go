package store

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Causes that do not come from the server.
var (
	errAway  = errors.New("the server is silent")
	errSlow  = errors.New("others were answered meanwhile")
	errCrowd = errors.New("all connections of this process were in use")
)

// explain puts an error of the server in the user's terms.
func (p *postgres) explain(path string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	if kind := serverKind(err); kind != nil {
		return &Error{Path: path, Kind: kind, Err: err}
	}
	return fmt.Errorf("store %s: %w", path, err)
}

// isRetryable reports whether a transaction failed because of another one.
func (p *postgres) isRetryable(err error) bool {
	switch stateOf(err) {
	case "40001", "40P01": // serialization_failure, deadlock_detected
		return true
	}
	return false
}

func stateOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// states maps PostgreSQL error codes, or their first two characters, to our errors.
var states = map[string]error{
	"28": ErrLogin, "3D": ErrNoDatabase, "08": ErrAway,
	"53300": ErrCrowded, "53400": ErrCrowded, "53100": ErrFull, "53200": ErrCrowded,
	"57P01": ErrAway, "57P02": ErrAway, "57P03": ErrAway, "57P05": ErrAway, // shutdown, crash, starting up, idle timeout
	"57P04": ErrNoDatabase, // database was dropped
	"42501": ErrDenied, "25006": ErrDenied,
	"55P03": ErrBusy, "57014": ErrBusy, "40001": ErrBusy, "40P01": ErrBusy,
	"42P01": ErrDamaged, "42703": ErrDamaged, "42804": ErrDamaged, "3F000": ErrDamaged, "42P07": ErrDamaged, "XX001": ErrDamaged, "XX002": ErrDamaged,
	"58": ErrDisk,
}

// serverKind returns our kind of error for err, or nil if none matches.
func serverKind(err error) error {
	if code := stateOf(err); code != "" {
		if kind := states[code]; kind != nil {
			return kind
		}
		return states[code[:min(len(code), 2)]]
	}
	var (
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		name        x509.HostnameError
		connecting  *pgconn.ConnectError
		network     net.Error
	)
	switch {
	case errors.Is(err, errSlow), errors.Is(err, errCrowd):
		return ErrSlow
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &name), strings.Contains(err.Error(), "refused TLS"):
		return ErrUnsafe
	case errors.Is(err, errAway), errors.As(err, &connecting), errors.As(err, &network), errors.Is(err, driver.ErrBadConn),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), pgconn.Timeout(err), strings.Contains(err.Error(), "conn closed"):
		return ErrAway
	}
	return nil
}
