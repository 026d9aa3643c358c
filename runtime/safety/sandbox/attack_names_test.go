package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// deniedByName are paths that must be refused whether or not they exist.
func deniedByName(t *testing.T, r *Root, names ...string) {
	t.Helper()
	for _, path := range names {
		if _, err := r.ReadFile(context.Background(), path, nil); !errors.Is(err, ErrDenied) {
			t.Errorf("ReadFile(%q): %v; want it denied", path, err)
		}
		if _, err := r.Stat(path); !errors.Is(err, ErrDenied) {
			t.Errorf("Stat(%q): %v; want it denied", path, err)
		}
	}
}

func attackSpelling(t *testing.T, m mode) {
	dir := t.TempDir()
	r := m.open(t, dir, Options{Deny: []string{"Geheim/", "caf\u00e9.txt"}})
	spellings := []string{
		".SSH/id", ".Ssh/id", ".\u017f\u017fh/id", ".ENV", ".Env", ".ENV.local", ".eNv.Production", "ID_RSA", "Server.PEM", "x/SERVER.KEY",
		".ssh./id", ".ssh /id", ".env.", ".env ", ".env. .", "id_rsa .", ".git./config", ".g\u200cit/config", ".git\u200d/config", ".\u212aube/config",
		".env::$DATA", ".env:stream", "id_rsa::$DATA", ".git::$INDEX_ALLOCATION/config", ".ssh:x/id",
		"GIT~1/config", "SSH~1/id_rsa", "ENV~1", "ENV~1.LOC", "ID_ED2~1", "AWS~1/CREDEN~1", "gi7eba~1/config", "KEEPAS~1.KDB",
		"GEHEIM/plan.txt", "geheim/plan.txt", "cafe\u0301.txt", "CAFE\u0301.TXT", "CAF\u00c9.txt",
		".env~", ".env.bak", "server.key.old", "credentials.json.orig", ".env.swp", ".server.pem.swp", ".netrc.save",
		".env (1)", ".env - Copy", ".env copy", "id_rsa copy 2", "ID_RSA (12)", "credentials (1).json", "Credentials copy.json", "credentials - Copy (2).json",
		"server.key.20240131", ".env.20240131235959",
	}
	deniedByName(t, r, spellings...)
	if m.portable {
		return
	}
	// The names that the file system takes are also left out of listings.
	for _, name := range []string{".SSH/id", ".Env", "x/SERVER.KEY", "ID_ED2~1", ".env ", "cafe\u0301.txt"} {
		plantIn(t, dir, map[string]string{name: canary})
	}
	if got := filesOf(t, r, "."); len(got) > 0 {
		t.Errorf("listed: %q", got)
	}
}

func attackSecretNames(t *testing.T, m mode) {
	r := m.open(t, t.TempDir(), Options{})
	deniedByName(t, r,
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ed25519_sk", "id_rsa.bak", "id_rsa_work", "id_ed25519-github",
		"server.pem", "server.key", "a/b/tls.key", "cert.p12", "cert.pfx", "store.jks", "login.ppk", "krb5.keytab",
		"vault.kdbx", "vault.kdb", "my.keychain", ".netrc", "_netrc", ".npmrc", "web/.npmrc", ".pypirc", "kubeconfig",
		"prod.kubeconfig", ".kube/config", "terraform.tfstate", "terraform.tfstate.backup", "x.tfstate", ".git-credentials",
		".git/config", "sub/.git/HEAD", ".hg/hgrc", ".ssh/config", ".ssh/known_hosts", ".gnupg/pubring.kbx", ".aws/config",
		".aws/credentials", ".azure/accessTokens.json", ".docker/config.json", "home/.docker/config.json", ".config/gcloud/x.db",
		".config/gh/hosts.yml", ".env", ".env.local", ".env.production", ".env-prod", ".envrc", "prod.env", "sub/.env",
		"credentials", "credentials.json", "credentials.yml", ".credentials.json", "client_secret_1.json", "service-account.json",
		"my-service-account.json", "secrets.yml", "secrets.toml", ".pgpass", ".my.cnf", ".htpasswd", ".bash_history",
		".python_history", ".password-store/x.gpg", ".vault-token", ".dockercfg", ".cargo/credentials.toml.bak", ".cargo/credentials",
		".m2/settings.xml", "etc/shadow", "logins.json", "wallet.dat", "Login Data", "application_default_credentials.json",
	)
	if m.portable {
		return
	}
	dir := plant(t, map[string]string{})
	harmless := []string{
		".env.example", ".env.sample", ".env.template", ".env.local.example", "example.env", "deploy.example.env",
		"environment.ts", "env.go", "dotenv.md", ".envoy.yaml", "pem.go", "key.go", "keys.json", "tsconfig.json", "credentials.go",
		"credentials/provider.go", "secrets/store.go", "secret.go", "templates/secrets.yaml", "id_rsa.pub", "id_rsa_test.go",
		"git/config", ".gitignore", ".gitattributes", ".github/workflows/ci.yml", "config.json", "docker/config.json",
		".docker/Dockerfile", "auth.json", "locales/en/auth.json", "terraform.tf", "variables.tf", "example.tfvars", "prod.example.tfvars", "terraform.tfvars.example", "history.md", "ssh/client.go",
		"aws/s3.go", "netrc.go", "kubeconfig_test.go", "kubeconfig/load.go", "tilde~/x", "notes~1x", "a.keyboard",
	}
	for _, name := range harmless {
		plantIn(t, dir, map[string]string{name: "fine"})
	}
	r = m.open(t, dir, Options{})
	for _, name := range harmless {
		served(t, r, name, "fine")
	}
	if got := filesOf(t, r, "."); len(got) != len(harmless) {
		t.Errorf("%d of %d harmless files are listed", len(got), len(harmless))
	}
}

func attackIgnore(t *testing.T, m mode) {
	undo := "!.env\n!*.pem\n!.ssh/\n!.ssh/**\n!.git\n!*\n"
	r := m.open(t, plant(t, map[string]string{
		".gitignore": undo, ".ignore": undo, "sub/.gitignore": undo, ".git/info/exclude": undo,
		".env": canary, "sub/.env": canary, "x.pem": canary, ".ssh/id": canary, "a.txt": "a",
	}), Options{Hidden: true})
	for _, e := range filesOf(t, r, ".") {
		if !strings.HasSuffix(e, "ignore") && e != "a.txt" {
			t.Errorf("%s is listed", e)
		}
	}
	for _, path := range []string{".env", "sub/.env", "x.pem", ".ssh/id", ".git/info/exclude"} {
		refused(t, r, path, ErrDenied)
	}
	// Nor does the root's own allow list reach further than it says, and deny wins over it.
	r = m.open(t, r.Path(), Options{Allow: []string{"*.pem", "sub/.env"}, Deny: []string{"x.*"}})
	served(t, r, "sub/.env", canary)
	refused(t, r, ".env", ErrDenied)
	refused(t, r, "x.pem", ErrDenied)
}

func attackRootChoice(t *testing.T, m mode) {
	dir := plant(t, map[string]string{
		"home/.ssh/keys/x":            canary,
		"home/proj/a.txt":             "a",
		"home/proj/inner/b.txt":       "b",
		"home/proj/inner/c.log":       canary,
		"home/proj/private/p.txt":     canary,
		"home/proj/private/sub/q.txt": canary,
		"home/proj/file":              "",
	})
	for _, path := range []string{"/", "home/.ssh", "home/.ssh/keys", "home/proj/file", "home/none", "home/proj/.git"} {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if r, err := openRoot("code", path, Options{}, m.portable); err == nil {
			r.Close()
			t.Errorf("%s was opened as a root", path)
		} else if Code(err) == "" {
			t.Errorf("%s: no code: %v", path, err)
		}
	}
	outer := m.open(t, filepath.Join(dir, "home/proj"), Options{Deny: []string{"private/"}})
	inner := m.open(t, filepath.Join(dir, "home/proj/inner"), Options{Deny: []string{"*.log"}, MaxFileSize: 10})
	inner.name = "inner"
	hidden := m.open(t, filepath.Join(dir, "home/proj/private/sub"), Options{})
	hidden.name = "hidden"
	same := m.open(t, filepath.Join(dir, "home/proj"), Options{Deny: []string{"/a.txt"}})
	same.name = "same"

	// Alone, a root knows only its own rules.
	served(t, outer, "inner/c.log", canary)
	served(t, hidden, "q.txt", canary)
	set := NewSet(outer, inner, hidden, same)
	roots := map[string]*Root{}
	for _, r := range set.Roots() {
		roots[r.Name()] = r
	}
	served(t, roots["code"], "inner/b.txt", "b")
	refused(t, roots["code"], "inner/c.log", ErrDenied) // the inner root's rule
	refused(t, roots["code"], "a.txt", ErrDenied)       // the rule of the same directory under another name
	refused(t, roots["same"], "private/p.txt", ErrDenied)
	refused(t, roots["hidden"], "q.txt", ErrDenied) // lies in what the outer root denies
	served(t, roots["inner"], "b.txt", "b")
	narrow, err := set.Narrow([]string{"code"})
	must(t, err)
	refused(t, narrow.Roots()[0], "inner/c.log", ErrDenied)
	if got := strings.Join(filesOf(t, narrow.Roots()[0], "."), " "); got != "file inner/b.txt" {
		t.Errorf("listed: %s", got)
	}
}

func attackOtherRoot(t *testing.T, m mode) {
	dir := plant(t, map[string]string{"a/x.txt": "a", "b/y.txt": canary, "a/b/z.txt": "z"})
	a, b := m.open(t, filepath.Join(dir, "a"), Options{}), m.open(t, filepath.Join(dir, "b"), Options{})
	a.name, b.name = "a", "b"
	set, err := NewSet(a, b).Narrow([]string{"a"})
	must(t, err)
	for _, ref := range []string{"b/y.txt", "a/../b/y.txt", "../b/y.txt", "./b/y.txt", "b", "/b/y.txt", "y.txt", "", ".", "B/y.txt", `a\..\..\b\y.txt`} {
		if r, rel, err := set.Resolve(ref); err == nil {
			t.Errorf("Resolve(%q) = %s, %s", ref, r.Name(), rel)
		} else if strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), dir) {
			t.Errorf("Resolve(%q): the message tells too much: %v", ref, err)
		}
	}
	if _, err := set.Narrow([]string{"b"}); !errors.Is(err, ErrNoRoot) {
		t.Errorf("a narrowed set was widened: %v", err)
	}
	r, rel, err := set.Resolve("a/b/z.txt")
	must(t, err)
	served(t, r, rel, "z")
	must(t, os.Remove(filepath.Join(dir, "a/b/z.txt")))
	refused(t, r, rel, ErrNotFound)
}
