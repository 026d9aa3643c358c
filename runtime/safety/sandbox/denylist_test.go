package sandbox

import (
	"strings"
	"testing"
)

// secretPaths has at least one path for each line of the deny list; TestDenyListLineByLine sees to that.
var secretPaths = strings.Fields(`
	prod.env .env a/.env .env.local .env.production .env-prod .env_prod .envrc .envrc.private .git/config .hg/hgrc .git-credentials
	.config/git/credentials .subversion/auth/svn.simple/x .ssh/config .gnupg/x .password-store/x.gpg private-keys-v1.d/x.key
	a.pem a.key a.p8 a.p12 a.pfx a.pkcs12 a.jks a.keystore a.bks a.ppk a.keytab a.kdb a.kdbx a.1pif a.1pux a.psafe3 a.ovpn
	a.mobileprovision secring.gpg ssh_host_rsa_key a.pk8 a.pkcs8 home.agekey age-key.txt age-keys.txt deploy_rsa github_ed25519 ci_ecdsa
	private.asc private-key.asc private_key_2024.asc secret-key.asc secret_keys.asc me-private.asc me.private.asc private.gpg private.pgp
	secret.gpg .google_authenticator bitwarden_export_2024.json krb5cc_1000 a.agilekeychain/x a.opvault/x a.keychain a.keychain-db
	id_rsa id_rsa.bak id_rsa_work id_dsa id_dsa.old id_dsa-x id_ecdsa id_ecdsa.x id_ecdsa_x id_ecdsa_sk id_ecdsa_sk.x id_ecdsa_sk_x id_ed25519 id_ed25519.x id_ed25519_x
	id_ed25519_sk id_ed25519_sk.x id_ed25519_sk_x id_xmss id_xmss.x id_xmss_x

	.aws/credentials .azure/accessTokens.json .gcloud/x .gsutil/x .kube/config .oci/config .bluemix/config.json .aliyun/config.json .vault-token
	.terraformrc .saml2aws .talos/config .cloudflared/cert.json .ngrok2/ngrok.yml .vercel/project.json web/.vercel/.x .netlify/state.json .dev.vars
	.dev.vars.production .snowflake/connections.toml .config/gcloud/x .config/doctl/config.yaml .config/rclone/rclone.conf .config/op/config
	.config/gh/hosts.yml .config/hub .config/heroku/x .config/github-copilot/hosts.json .config/sops/x AppData/Roaming/gcloud/x .snowsql/config
	.config/glab-cli/config.yml .config/hcloud/cli.toml .config/scw/config.yaml .config/stripe/config.toml .config/ngrok/ngrok.yml
	.config/netlify/config.json .config/wrangler/x .wrangler/config/default.toml .config/railway/x .config/argocd/config .config/yandex-cloud/config.yaml
	.config/configstore/firebase-tools.json .config/age/x sops/age/keys.txt .fly/config.yml .mc/config.json .circleci/cli.yml .dbt/profiles.yml
	openstack/clouds.yaml openstack/secure.yaml helm/registry/config.json etc/rancher/k3s/k3s.yaml etc/kubernetes/admin.conf etc/wireguard/x
	etc/ssl/private/x .config/solana/id.json .ethereum/keystore/x kubeconfig kubeconfig.yaml .kubeconfig a.kubeconfig talosconfig terraform.rc
	a.tfstate a.tfstate.1.backup terraform.tfvars prod.auto.tfvars terraform.tfvars.json .vault_pass.txt .vault-password vault_password_file .s3cfg .boto
	.passwd-s3fs rclone.conf .rclone.conf .databrickscfg local.settings.json application_default_credentials.json gha-creds-1.json
	serviceaccount.json service-account.json my-service-account-prod.json service_account.json x_service_account_key.json gcp-key.json gcp_key_prod.json
	gcloud-service-key.json gcloud_key.json ci-sa-key.json ci_sa_key.json sa-key.json google-credentials.json app-firebase-adminsdk-x1.json
	firebase-adminsdk.json client_secret.json client_secrets.json client_secret_12.json a.publishsettings a.pubxml.user kaggle.json openrc.sh
	demo-openrc.sh UTC--2024-01-01T00-00-00Z--ab

	.secret .secrets .secrets/x .credentials .direnv/x credentials .credentials.json credentials.json credentials.yml credentials.yaml credentials.toml
	credentials.ini credentials.xml credentials.csv credentials.cfg credentials.conf credentials.db credentials.properties credentials.txt
	.terraform.d/credentials.tfrc.json credentials-config.json secrets.json secrets.yml secrets.yaml secrets.toml secrets.ini secrets.properties
	secrets/hudson.util.Secret .gemini/oauth_creds.json wp-config.php .config/compactor/secrets.env

	.netrc _netrc .npmrc .pypirc .dockercfg .dockerconfigjson .jfrog/x .yarnrc .yarnrc.yml NuGet.Config pip.conf pip.ini gradle.properties app/gradle.properties
	local.properties keystore.properties key.properties signing.properties sentry.properties .sentryclirc .coveralls.yml .clasprc.json
	settings-security.xml pub-credentials.json pub-tokens.json .docker/config.json containers/auth.json .config/composer/auth.json .composer/auth.json
	pypoetry/auth.toml .bundle/config .cargo/credentials .gem/credentials .hex/hex.config .m2/settings.xml .gradle/gradle.properties

	.filezilla/x .pgpass pgpass.conf .pg_service.conf .my.cnf .mylogin.cnf .odbc.ini .rediscli_auth .dbshell htpasswd .htpasswd users.htpasswd .htdigest
	.cvspass .smbcredentials .rhosts .Xauthority .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc .authinfo .authinfo.gpg .curlrc .wgetrc .twurlrc
	.gitcookies sftp-config.json recentservers.xml sitemanager.xml .ftpconfig .remote-sync.json WinSCP.ini wg0.conf wg-home.conf wireguard.conf
	home.nmconnection wpa_supplicant.conf ipsec.secrets chap-secrets pap-secrets rsyncd.secrets .bash_history .histfile .zhistory fish_history
	ConsoleHost_history.txt .viminfo .vscode/sftp.json .config/filezilla/x .idea/webServers.xml .idea/dataSources.local.xml etc/shadow etc/gshadow
	etc/sudoers etc/master.passwd

	.claude.json .claude.json.backup .claude/.credentials.json .aider.conf.yml claude_desktop_config.json compactor.db compactor.db-wal .huggingface/token
	.cache/huggingface/token .cache/huggingface/stored_tokens .codex/auth.json .local/share/opencode/auth.json .gemini/google_accounts.json
	.gemini/mcp-oauth-tokens.json .continue/config.json .continue/config.yaml io.datasette.llm/keys.json .lmstudio/mcp.json
	.codeium/windsurf/mcp_config.json .local/state/compactor/x

	.mozilla/x .thunderbird/x .electrum/x .bitcoin/x .lpass/x .local/share/keyrings/x .config/google-chrome/x .config/chromium/x Library/Keychains/x
	Library/Cookies/x logins.json key3.db key4.db cookies.sqlite cookies.txt wallet.dat token.pickle
`)

// harmlessPaths are near to a line of the list, and ordinary.
var harmlessPaths = strings.Fields(`
	.env.example .env.sample .env.local.example .env.template .env.dist .env-example .env.d.ts example.env app.sample.env my-template.env
	environment.ts src/env.go gradle.build settings.gradle gradle/wrapper/gradle-wrapper.properties application.properties log4j.properties
	keystore.go key_properties.go local_properties.go .yarn/releases/yarn.cjs yarn.lock yarnrc.go nuget.go packages.config pip.go pipconf.py requirements.txt
	main.tf variables.tf example.tfvars prod.example.tfvars dev-sample.tfvars terraform.tfvars.example tfvars.go
	wg.go wg_test.go wireguard.go nginx.conf redis.conf service_account.go service-account.yaml serviceaccount.go core.v1.ServiceAccount.json
	service-accounts.md key.json keys.json package.json token.json auth.json locales/en/auth.json credentials.go credentials/provider.go
	mcp.json .mcp.json .cursor/mcp.json .gemini/config.yaml .gemini/styleguide.md .claude/settings.json .claude/commands/x.md CLAUDE.md
	.continue/rules/x.md .vscode/settings.json .idea/workspace.xml .github/workflows/ci.yml .circleci/config.yml .docker/Dockerfile
	vercel.json netlify.toml wrangler.toml fly.toml firebase.json .firebaserc huggingface/token.py rclone.go conf/rclone.md private.go private_test.asc.go
	public.asc id_rsa.pub id_ed25519_work.pub.go rsa.go test_rsa.go htpasswd.go docs/htpasswd.md recentservers.go cookies.go cookies.ts wp-config-sample.php
	history.md bash_history.go solana/ids.json openstack/clouds.go settings.xml composer.json kaggle.py secret.go secrets/store.go templates/secrets.yaml
	compactor.cue compactor.go state/compactor.go .compactor/roles.cue .dev.vars.example sftp.go .terraform.lock.hcl
`)

func TestDenyListLineByLine(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	d, err := newDenyList(nil, nil)
	must(t, err)
	matched := make([]bool, len(d.builtin.rules))
	for _, path := range secretPaths {
		if !d.denied(path, kindFile) {
			t.Errorf("%s is not denied", path)
		}
		folded := foldPath(path)
		for end, name := range eachComponent(folded) {
			for i := range d.builtin.rules {
				k := kindDir
				if end == len(folded) {
					k = kindFile
				}
				alone := compileRules([]rule{d.builtin.rules[i]})
				matched[i] = matched[i] || alone.match(folded[:end], name, k) >= 0
			}
		}
	}
	for i, r := range d.builtin.rules {
		if !matched[i] && !r.negate && secrets[i].pattern != "login data" && secrets[i].pattern != "**/bitwarden cli" {
			t.Errorf("%s: no path of the test is denied by it", secrets[i].pattern)
		}
	}
	for _, path := range []string{"Login Data", "Bitwarden CLI/data.json"} {
		if !d.denied(path, kindFile) {
			t.Errorf("%s is not denied", path)
		}
	}
	for _, path := range append([]string{"notes (1).md", "how to copy.md", "copy", " copy", "(1)", "a (b).json", "htpasswd.1", "report.20240131"}, harmlessPaths...) {
		if d.denied(path, kindFile) {
			t.Errorf("%s is denied", path)
		}
	}
}
