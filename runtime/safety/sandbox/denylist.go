package sandbox

import "slices"

// A secret is one entry of the deny list: a pattern in the syntax of an ignore file, matched at any depth without
// regard to case. Later entries win over earlier ones, so that an exception follows the rule it softens.
type secret struct {
	pattern string
	kind    kind // kindAny also matches a directory of that name, with everything in it
}

// secrets is the built-in deny list. It names files that hold credentials by the convention of some program; a file is
// not listed because it might hold one (redaction handles that). Ordinary source must stay readable: credentials.go,
// pem.go, environment.ts and the templates of env files do not match.
var secrets = slices.Concat(
	// Environment files, and the exceptions: templates that are meant to be read.
	denyFiles("*.env"),
	denyFiles("!example.env", "!sample.env", "!template.env", "!*[-._]example.env", "!*[-._]sample.env", "!*[-._]template.env"),
	denyNames(".env", ".env.*", ".env-*", ".env_*", ".envrc", ".envrc.*"),
	denyFiles("!.env*.example", "!.env*.sample", "!.env*.template", "!.env*.dist", "!.env*.tpl", "!.env*.tmpl",
		"!.env[-_]example", "!.env[-_]sample", "!.env[-_]template", "!.env.d.ts"),

	// Version control's own directories: their settings hold URLs with passwords, their objects hold history.
	denyNames(".git", ".hg", ".git-credentials"),
	denyPaths(".config/git/credentials", ".subversion/auth"),

	// Keys. Public keys are harmless.
	denyNames(".ssh", ".gnupg", ".password-store", "private-keys-v1.d"),
	denyFiles("*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.keystore", "*.bks", "*.ppk", "*.keytab",
		"*.kdb", "*.kdbx", "*.1pif", "*.1pux", "*.psafe3", "*.ovpn", "*.mobileprovision", "secring.*", "ssh_host_*_key",
		"*.pk8", "*.pkcs8", "*.agekey", "age-key.txt", "age-keys.txt", "*_rsa", "*_ed25519", "*_ecdsa",
		"private.asc", "private[-_]key*.asc", "secret[-_]key*.asc", "*[-_.]private.asc", "private.gpg", "private.pgp", "secret.gpg",
		".google_authenticator", "bitwarden_export*", "krb5cc_*"),
	denyNames("*.agilekeychain", "*.opvault", "*.keychain", "*.keychain-db"),
	keyPair("id_rsa"), keyPair("id_dsa"), keyPair("id_ecdsa"), keyPair("id_ecdsa_sk"),
	keyPair("id_ed25519"), keyPair("id_ed25519_sk"), keyPair("id_xmss"),

	cloudSecrets, namedSecrets, packageSecrets, connectionSecrets, assistantSecrets, desktopSecrets,
)

// Clouds, clusters, infrastructure.
var cloudSecrets = slices.Concat(
	denyNames(".aws", ".azure", ".gcloud", ".gsutil", ".kube", ".oci", ".bluemix", ".aliyun", ".vault-token", ".terraformrc", ".saml2aws",
		".talos", ".cloudflared", ".ngrok2", ".vercel", ".netlify", ".dev.vars", ".dev.vars.*", ".snowflake"),
	denyFiles("!.dev.vars.example", "!.dev.vars.sample"),
	denyPaths(".config/gcloud", ".config/doctl", ".config/rclone", ".config/op", ".config/gh", ".config/hub",
		".config/heroku", ".config/github-copilot", ".config/sops", "AppData/Roaming/gcloud", ".snowsql/config",
		".config/glab-cli", ".config/hcloud", ".config/scw", ".config/stripe", ".config/ngrok", ".config/netlify",
		".config/wrangler", ".wrangler/config", ".config/railway", ".config/argocd", ".config/yandex-cloud", ".config/configstore",
		".config/age", "sops/age/keys.txt", ".fly/config.yml", ".mc/config.json", ".circleci/cli.yml", ".dbt/profiles.yml",
		"openstack/clouds.yaml", "openstack/secure.yaml", "helm/registry/config.json", "rancher/k3s/k3s.yaml",
		"kubernetes/admin.conf", "etc/wireguard", "etc/ssl/private", "solana/id.json", ".ethereum/keystore"),
	denyFiles("kubeconfig", "kubeconfig.*", ".kubeconfig", "*.kubeconfig", "talosconfig", "terraform.rc", "*.tfstate", "*.tfstate.*.backup",
		"*.tfvars", "*.tfvars.json", "!example.tfvars", "!sample.tfvars", "!template.tfvars",
		"!*[-._]example.tfvars", "!*[-._]sample.tfvars", "!*[-._]template.tfvars",
		".vault_pass*", ".vault-pass*", "vault_password*", ".s3cfg", ".boto", ".passwd-s3fs", "rclone.conf", ".rclone.conf",
		".databrickscfg", "local.settings.json", "application_default_credentials.json", "gha-creds-*.json",
		"serviceaccount.json", "*service-account*.json", "*service_account*.json", "gcp[-_]key*.json", "gcloud[-_]*key*.json",
		"*[-_]sa[-_]key.json", "sa[-_]key.json", "google-credentials*.json", "*-firebase-adminsdk-*.json", "firebase-adminsdk*.json",
		"client_secret.json", "client_secrets.json", "client_secret_*.json", "*.publishsettings", "*.pubxml.user", "kaggle.json",
		"openrc.sh", "*-openrc.sh", "utc--*"),
)

// Files whose names say that they hold secrets. Chart templates with the same names are source.
var namedSecrets = slices.Concat(
	denyNames(".secret", ".secrets", ".credentials", ".direnv"),
	denyFiles("credentials", ".credentials.*", "credentials.json", "credentials.yml", "credentials.yaml", "credentials.toml",
		"credentials.ini", "credentials.xml", "credentials.csv", "credentials.cfg", "credentials.conf", "credentials.db",
		"credentials.properties", "credentials.txt", "credentials.tfrc.json", "credentials-config.json", "secrets.json", "secrets.yml",
		"secrets.yaml", "secrets.toml", "secrets.ini", "secrets.properties", "hudson.util.secret", "oauth_creds.json", "wp-config.php"),
	denyPaths("!templates/secrets.yaml", "!templates/secrets.yml"),
)

// Package managers, registries, builds.
var packageSecrets = slices.Concat(
	denyNames(".netrc", "_netrc", ".npmrc", ".pypirc", ".dockercfg", ".dockerconfigjson", ".jfrog"),
	denyFiles(".yarnrc", ".yarnrc.yml", "nuget.config", "pip.conf", "pip.ini", "gradle.properties", "local.properties",
		"keystore.properties", "key.properties", "signing.properties", "sentry.properties", ".sentryclirc", ".coveralls.yml", ".clasprc.json",
		"settings-security.xml", "pub-credentials.json", "pub-tokens.json"),
	denyPaths(".docker/config.json", "containers/auth.json", "composer/auth.json", ".composer/auth.json", "pypoetry/auth.toml",
		".bundle/config", ".cargo/credentials", ".gem/credentials", ".hex/hex.config", ".m2/settings.xml"),
)

// Databases, mail, file transfer, networks, shells.
var connectionSecrets = slices.Concat(
	denyNames(".filezilla"),
	denyFiles(".pgpass", "pgpass.conf", ".pg_service.conf", ".my.cnf", ".mylogin.cnf", ".odbc.ini", ".rediscli_auth", ".dbshell",
		"htpasswd", ".htpasswd", "*.htpasswd", ".htdigest", ".cvspass", ".smbcredentials", ".rhosts", ".xauthority",
		".msmtprc", ".fetchmailrc", ".mbsyncrc", ".offlineimaprc", ".authinfo", ".authinfo.gpg", ".curlrc", ".wgetrc", ".twurlrc", ".gitcookies",
		"sftp-config.json", "recentservers.xml", "sitemanager.xml", ".ftpconfig", ".remote-sync.json", "winscp.ini",
		"wg*.conf", "wireguard.conf", "*.nmconnection", "wpa_supplicant*.conf", "ipsec.secrets", "chap-secrets", "pap-secrets", "rsyncd.secrets",
		".*_history", ".histfile", ".zhistory", "fish_history", "consolehost_history.txt", ".viminfo"),
	denyPaths(".vscode/sftp.json", ".config/filezilla", ".idea/webservers.xml", ".idea/datasources.local.xml",
		"etc/shadow", "etc/gshadow", "etc/sudoers", "etc/master.passwd"),
)

// Assistants and their sign-in data, including this program's own store.
var assistantSecrets = slices.Concat(
	denyNames(".claude.json", ".claude.json.*", ".aider.conf.yml"),
	denyFiles("claude_desktop_config.json", "compactor.db", "compactor.db-*"),
	denyPaths(".huggingface/token", "huggingface/token", "huggingface/stored_tokens", ".codex/auth.json", "opencode/auth.json",
		".gemini/google_accounts.json", ".gemini/mcp-oauth-tokens.json", ".continue/config.json", ".continue/config.yaml",
		"io.datasette.llm/keys.json", ".lmstudio/mcp.json", ".codeium/windsurf/mcp_config.json", ".local/state/compactor"),
)

// Browsers, keyrings, wallets.
var desktopSecrets = slices.Concat(
	denyNames(".mozilla", ".thunderbird", ".electrum", ".bitcoin", ".lpass"),
	denyPaths(".local/share/keyrings", ".config/google-chrome", ".config/chromium", "Library/Keychains", "Library/Cookies", "bitwarden cli"),
	denyFiles("logins.json", "key3.db", "key4.db", "cookies.sqlite", "cookies.txt", "login data", "wallet.dat", "token.pickle"),
)

// denyNames denies files and directories, files denies only files, paths denies the end of a path.
func denyNames(patterns ...string) []secret { return secretsOf(kindAny, "", patterns) }
func denyFiles(patterns ...string) []secret { return secretsOf(kindFile, "", patterns) }
func denyPaths(patterns ...string) []secret { return secretsOf(kindAny, "**/", patterns) }

func secretsOf(k kind, prefix string, patterns []string) []secret {
	list := make([]secret, len(patterns))
	for i, p := range patterns {
		if p[0] == '!' {
			p = "!" + prefix + p[1:]
		} else {
			p = prefix + p
		}
		list[i] = secret{p, k}
	}
	return list
}

// keyPair denies a private key and its copies (id_rsa_work), but not id_rsa.pub or source (id_rsa_test.go).
func keyPair(name string) []secret {
	return denyFiles(name, name+".*", "!"+name+".pub", name+"[-_]*", "!"+name+"[-_]*.*")
}
