package redact

import (
	"strings"
	"testing"
)

// groupTest is a text with one secret, put together so that the source holds none.
type groupTest struct {
	name   string
	text   string
	secret string
	rule   string // id of the claiming rule; empty: any
}

// drawn returns n characters of an alphabet that look drawn at random, always the same ones.
func drawn(n int, letters string) string {
	x := uint32(2463534242)
	var b strings.Builder
	for range n {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b.WriteByte(letters[int(x>>8)%len(letters)])
	}
	return b.String()
}

const (
	hexLetters   = "0123456789abcdef"
	lowerLetters = "abcdefghijklmnopqrstuvwxyz0123456789"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	mixedLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// groupTests holds one or more texts for each group of detectors.
func groupTests() []groupTest {
	hex, low, up, mixed := func(n int) string { return drawn(n, hexLetters) }, func(n int) string { return drawn(n, lowerLetters) },
		func(n int) string { return drawn(n, upperLetters) }, func(n int) string { return drawn(n, mixedLetters) }
	body := strings.Repeat(mixed(64)+"\n", 3)
	pass := "Tr0ub4dor" + "&3"
	jwtHead := "eyJhbGciOiJIUzI1NiIsInR5cCI6" + "IkpXVCJ9"
	var list []groupTest
	add := func(name, rule, before, secret, after string) {
		list = append(list, groupTest{name, before + secret + after, secret, rule})
	}
	// Vendor rules of gitleaks: prefix, name and value, keyword beside the token.
	add("gitleaks prefix", "github-pat", "token ", "gh"+"p_"+mixed(36), " ok")
	add("gitleaks name and value", "", "beamer_key = \"", "b_"+low(44), "\"\n")
	add("gitleaks generic", "", "X_AUTH=", low(24)+"Q7", "\n")
	// Vendor formats of our own.
	add("aws key id", "", "id: ", "AK"+"IA"+up(16), "\n")
	add("aws example key id", "aws-access-key", "id: ", "AKIAIOSF"+"ODNN7EXAMPLE", "\n")
	add("openai", "openai-key", "use ", "sk"+"-"+mixed(40), " now")
	add("stripe low entropy", "stripe-access-token", "", "sk"+"_live_"+"abcabcabdabe12345678", "")
	add("slack webhook", "", "POST ", "https://hooks.slack"+".com/services/T"+up(8)+"/B"+up(8)+"/"+mixed(24), "\n")
	add("mailchimp", "mailchimp-key", "k=", hex(32)+"-us"+"12", "\n")
	add("azure storage", "azure-storage-key", "AccountName=a;AccountKey=", mixed(86)+"==", ";x")
	add("npmrc", "npmrc-token", "//registry.example.org/:_auth"+"Token=", hex(8)+"-"+hex(4)+"-4"+hex(3)+"-a"+hex(3)+"-"+hex(12), "\n")
	// URL credentials.
	add("url password", "url-credentials", "postgres://app:", "s3cr"+"et", "@db:5432/x")
	add("url password with at", "url-credentials", "amqp://app:", "p@ss"+"w0rd", "@mq/")
	add("url token as user", "url-credentials", "https://", mixed(32), "@git.example.org/x.git")
	add("go dsn", "dsn-password", "app:", "s3cr"+"et", "@tcp(db:3306)/x")
	// Private keys.
	add("pem", "private-key", "a\n", "-----BEGIN RSA PRIVATE "+"KEY-----\n"+body+"-----END RSA PRIVATE "+"KEY-----", "\nb\n")
	add("pem without end", "private-key", "", "-----BEGIN EC PRIVATE "+"KEY-----\n"+strings.TrimSuffix(body, "\n"), "\n\nfunc main() {}\n")
	add("pem without begin", "private-key", "", body+"-----END PRIVATE "+"KEY-----", "\n")
	add("pem in json", "private-key", `{"k":"`, "-----BEGIN PRIVATE "+`KEY-----\n`+strings.ReplaceAll(body, "\n", `\n`)+"-----END PRIVATE "+"KEY-----", `\n"}`)
	add("pem in base64", "encoded-private-key", "client-key-data: ", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ"+mixed(80), "\n")
	// Tokens that describe themselves.
	add("jwt", "jwt", "t: ", jwtHead+"."+"eyJ"+mixed(40)+"."+mixed(43), "\n")
	add("jwt of two parts", "json-web-token", "t: ", jwtHead+"."+"eyJ"+mixed(40), "\n")
	// Headers.
	add("bearer", "auth-header", "Authorization: Bearer ", "abc"+low(24), "\n")
	add("basic", "auth-header", "Authorization: Basic ", "dXNlcjpwYXNz"+"d29yZA==", "\n")
	add("token scheme", "auth-header", `req.Header.Set("Authorization", "Token `, hex(40), `")`)
	add("api key header", "", "-H 'X-Api-Key: ", low(32), "'")
	add("curl user", "curl-user", "curl -s -u ", "kevin:'"+pass, "' https://h/\n")
	add("curl token as user", "curl-user", "curl \\\n  --user \"", low(20)+":", "\" https://h/\n")
	// Names.
	add("secret name", "", `clientSecret: "`, mixed(24), `",`)
	add("secret name with type", "", `const apiToken string = "`, low(28), `"`)
	add("secret name in tag", "", "<accessToken>\n  ", hex(40), "\n</accessToken>")
	add("secret name as pair", "", "- name: ACME_API_KEY\n  value: \"", mixed(28), "\"\n")
	add("flag", "", "acme login --token ", mixed(28), " --now")
	add("value with equals", "", `appToken = "`, "6g41v=xk3hx2_0zvyo3ph0i-4axqk84o", `"`)
	add("uuid under secret name", "", "HEROKU_API_KEY=", hex(8)+"-"+hex(4)+"-4"+hex(3)+"-a"+hex(3)+"-"+hex(12), "\n")
	add("service name", "", "pinecone = \"", low(32), "\"")
	add("near", "", "your api key is ", mixed(32), " keep it")
	add("unknown prefix", "", "got ", "zkq_live_"+mixed(28), "")
	// Passwords.
	add("quoted password", "password", `db_password: "`, pass, `"`)
	add("env password", "password", "MYSQL_PWD=", pass, "\n")
	add("yaml password", "password", "  password: ", "hunter"+"22", "\n")
	add("connection string", "password", "Server=db;User Id=sa;Password=", pass, ";Encrypt=yes")
	add("sql", "password", "CREATE USER a IDENTIFIED BY '", pass, "';")
	add("netrc", "netrc-password", "machine h login u password ", "hunter"+"22", "\n")
	add("url parameter", "", "GET /a?password=", pass[:9]+"9", "&x=1")
	// Files of a kind.
	add("kubernetes secret", "kubernetes-secret", "apiVersion: v1\nkind: Secret\ndata:\n  user: ", "YWRtaW5pc3RyYXRvcg"+"==", "\n")
	add("kubernetes string data", "kubernetes-secret", "stringData:\n  conf: ", "correct horse battery", "\nkind: Secret\n")
	// Tokens cut in two.
	add("zero width", "", "t = ", "gh"+"p_"+mixed(18)+"\u200b"+mixed(18), "\n")
	add("line continuation", "", "x ", "gh"+"p_"+mixed(20)+"\\\n"+mixed(16), "\n\n")
	add("quoted-printable", "", strings.Repeat("so it is ", 6)+"\nand he has had the token all of the time: ", "gh"+"p_"+mixed(29)+"=\r\n"+mixed(7), "\r\n")
	add("base64 before another line", "", "BETTER_AUTH_APP_SECRET=", mixed(43)+"=", "\nDB_HOST=localhost\n")
	return list
}

func TestGroups(t *testing.T) {
	for _, tt := range groupTests() {
		t.Run(tt.name, func(t *testing.T) {
			out, spans := Default().Redact(tt.text)
			if strings.Contains(out, tt.secret) {
				t.Fatalf("still there: %q", out)
			}
			if len(spans) != 1 || tt.rule != "" && spans[0].Rule != tt.rule {
				t.Errorf("spans %+v, want one of rule %q; %q", spans, tt.rule, out)
			}
			before, after, _ := strings.Cut(tt.text, tt.secret)
			if !strings.HasPrefix(out, before) || !strings.HasSuffix(out, after) {
				t.Errorf("more than the secret is gone: %q", out)
			}
		})
	}
}
