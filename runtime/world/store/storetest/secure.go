package storetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TLS holds paths of certificate files.
type TLS struct {
	Root  string // the authority that signed the server's certificate
	Other string // an authority that did not
	Key   string // the server's key, which is not a certificate
}

// Secure restarts the server with a certificate for host, signed by an authority of the test.
func (s *Server) Secure(t testing.TB, host string) TLS {
	t.Helper()
	dir := t.TempDir()
	root, rootKey := newAuthority(t, "an authority of this test")
	other, _ := newAuthority(t, "another one")
	key := newKey(t)
	cert := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP(host)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, cert, root, &key.PublicKey, rootKey)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, kind string, der []byte) string {
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	serverCert, serverKey := write(filepath.Join(s.dir, "server.crt"), "CERTIFICATE", der), write(filepath.Join(s.dir, "server.key"), "PRIVATE KEY", private)
	if err := giveAway(serverCert, serverKey); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	s.Start(t, "ssl=on", "ssl_cert_file="+serverCert, "ssl_key_file="+serverKey)
	return TLS{Root: write(filepath.Join(dir, "root.crt"), "CERTIFICATE", root.Raw), Other: write(filepath.Join(dir, "other.crt"), "CERTIFICATE", other.Raw),
		Key: write(filepath.Join(dir, "server.key"), "PRIVATE KEY", private)}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newAuthority(t testing.TB, name string) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key := newKey(t)
	cert := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made, key
}
