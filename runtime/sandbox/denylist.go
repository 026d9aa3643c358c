package sandbox

import "slices"

// A secret is one line of the deny list: a pattern in the syntax of an ignore file, matched without regard to case at
// any depth. Later lines win over earlier ones, so that an exception follows the rule it softens.
type secret struct {
	pattern string
	kind    kind // kindAny: also a directory of that name, with all that is in it
}

// secrets is the built-in deny list. It names what holds credentials by the convention of some program; a file is not
// put here because it might hold one (that is what redaction is for). Ordinary source must stay readable:
// credentials.go, pem.go, environment.ts and the templates of env files are not matched.
var secrets = slices.Concat(
	// Environment files, and the exceptions that are made to be read.
	files("*.env"),
	files("!example.env", "!sample.env", "!template.env", "!*[-._]example.env", "!*[-._]sample.env", "!*[-._]template.env"),
	names(".env", ".env.*", ".env-*", ".env_*", ".envrc", ".envrc.*"),
	files("!.env*.example", "!.env*.sample", "!.env*.template", "!.env*.dist", "!.env*.tpl", "!.env*.tmpl",
		"!.env[-_]example", "!.env[-_]sample", "!.env[-_]template", "!.env.d.ts"),

	// Version control's own directories: their settings hold addresses with passwords, their objects hold history.
	names(".git", ".hg", ".git-credentials"),
	paths(".config/git/credentials", ".subversion/auth"),

	// Keys. A public half is harmless.
	names(".ssh", ".gnupg", ".password-store", "private-keys-v1.d"),
	files("*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.keystore", "*.bks", "*.ppk", "*.keytab",
		"*.kdb", "*.kdbx", "*.1pif", "*.ovpn", "*.mobileprovision", "secring.*", "ssh_host_*_key"),
	names("*.agilekeychain", "*.opvault", "*.keychain", "*.keychain-db"),
	keyPair("id_rsa"), keyPair("id_dsa"), keyPair("id_ecdsa"), keyPair("id_ecdsa_sk"),
	keyPair("id_ed25519"), keyPair("id_ed25519_sk"), keyPair("id_xmss"),

	// Clouds, clusters, infrastructure.
	names(".aws", ".azure", ".gcloud", ".kube", ".oci", ".bluemix", ".vault-token", ".terraformrc"),
	paths(".config/gcloud", ".config/doctl", ".config/rclone", ".config/op", ".config/gh", ".config/hub",
		".config/heroku", ".config/github-copilot", ".config/sops", "AppData/Roaming/gcloud", ".snowsql/config"),
	files("kubeconfig", "kubeconfig.*", ".kubeconfig", "*.kubeconfig", "terraform.rc", "*.tfstate", "*.tfstate.*.backup",
		"secret.tfvars", "secrets.tfvars", ".vault_pass*", ".vault-pass*", "vault_password*", ".s3cfg", ".boto",
		".databrickscfg", "local.settings.json", "application_default_credentials.json", "gha-creds-*.json",
		"service-account.json", "service_account.json", "serviceaccount.json", "service-account-*.json",
		"service_account_*.json", "*-service-account.json", "*-firebase-adminsdk-*.json", "client_secret.json",
		"client_secrets.json", "client_secret_*.json"),

	// Files that say what they are. Chart templates of that name are source.
	names(".secrets", ".credentials"),
	files("credentials", ".credentials.*", "credentials.json", "credentials.yml", "credentials.yaml", "credentials.toml",
		"credentials.ini", "credentials.xml", "credentials.csv", "credentials.cfg", "credentials.conf", "credentials.db",
		"credentials.properties", "credentials.txt", "credentials.tfrc.json", "secrets.json", "secrets.yml",
		"secrets.yaml", "secrets.toml", "secrets.ini", "secrets.properties"),
	paths("!templates/secrets.yaml", "!templates/secrets.yml"),

	// Package managers, registries, databases, mail, shells.
	names(".netrc", "_netrc", ".npmrc", ".pypirc", ".dockercfg", ".dockerconfigjson"),
	paths(".docker/config.json", "containers/auth.json", ".composer/auth.json", ".codex/auth.json",
		".cargo/credentials", ".gem/credentials", ".m2/settings.xml", ".m2/settings-security.xml",
		".gradle/gradle.properties"),
	files(".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".cvspass", ".smbcredentials", ".rhosts",
		".xauthority", ".*_history"),
	paths("etc/shadow", "etc/gshadow", "etc/sudoers", "etc/master.passwd"),

	// Browsers, keyrings, wallets.
	names(".mozilla", ".thunderbird", ".electrum", ".bitcoin"),
	paths(".local/share/keyrings", ".config/google-chrome", ".config/chromium", "Library/Keychains", "Library/Cookies"),
	files("logins.json", "key3.db", "key4.db", "cookies.sqlite", "login data", "wallet.dat"),
)

// names deny files and directories, files deny only files, paths deny the end of a path.
func names(patterns ...string) []secret { return secretsOf(kindAny, "", patterns) }
func files(patterns ...string) []secret { return secretsOf(kindFile, "", patterns) }
func paths(patterns ...string) []secret { return secretsOf(kindAny, "**/", patterns) }

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

// keyPair denies a private key and its copies such as id_rsa_work, not id_rsa.pub and not source such as id_rsa_test.go.
func keyPair(name string) []secret {
	return files(name, name+".*", "!"+name+".pub", name+"[-_]*", "!"+name+"[-_]*.*")
}
