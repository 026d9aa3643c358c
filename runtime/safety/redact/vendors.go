package redact

// vendor is a token format that a service issues so that it can be recognized, as its documentation shows it. gitleaks
// has rules for many of them too, mostly stricter ones: a redactor loses little by hiding a token that is one character
// short, so these require only the prefix, a length and some variety.
type vendor struct {
	id       string
	keywords []string
	regex    string
	entropy  float64
}

// vendorDetectors returns the formats that neither gitleaks' rules nor isPrefixed find, or find too rarely.
func vendorDetectors() (list []*detector) {
	add := func(vendors []vendor, tail int, allow func(secret string) bool) {
		for _, v := range vendors {
			list = append(list, &detector{
				id: v.id, rank: rankVendor, keywords: v.keywords, expr: v.regex, entropy: v.entropy, tail: tail,
				allow: func(_ *scan, m match) bool { return allow(m.secret) },
			})
		}
	}
	add(vendors, 0, func(secret string) bool { return isFiller(secret[len(secret)/2:]) })
	add(shortVendors, minTail, func(secret string) bool {
		bits, _ := tokenChance(secret)
		kinds := alphabetIn(secret[2:])
		return bits < min(namedBits, float64(len(secret))) || kinds&digit == 0 && kinds&(lower|upper) != lower|upper
	})
	return list
}

// minTail is how many characters follow the keyword in every token of shortVendors.
const minTail = 12

// vendors is sorted by id.
var vendors = []vendor{
	{"adyen-key", []string{"aqe"}, `\bAQE[a-z]h[A-Za-z0-9+/=\-]{60,}`, 3.5},
	{"age-key", []string{"age-secret-key-"}, `\bAGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,}`, 3},
	{"airtable-token", []string{"pat"}, `\bpat[A-Za-z0-9]{14}\.[a-f0-9]{40,64}\b`, 3},
	{"alibaba-key-id", []string{"ltai", "sts.n", "cais"}, `\b(?:LTAI[A-Za-z0-9]{12,24}\b|STS\.N[A-Za-z0-9]{18,}|CAIS[A-Za-z0-9+/_-]{100,}={0,2})`, 3},
	{"anthropic-key", []string{"sk-ant-"}, `\bsk-ant-[A-Za-z0-9]{2,10}-[\w-]{16,}`, 3},
	{"apify-token", []string{"apify_"}, `\bapify_(?:api|proxy)_[A-Za-z0-9]{20,}`, 3},
	{"asana-token", []string{"0/", "1/", "2/"}, `\b[012]/\d{12,20}(?:/\d{12,20})?:[a-f0-9]{32}\b`, 3},
	{"astra-token", []string{"astracs:"}, `\bAstraCS:[A-Za-z0-9]{20,}(?::[a-f0-9]{32,})?`, 3},
	{"atlassian-token", []string{"atatt", "atctt", "atstt", "atbb"}, `\b(?:ATATT3x[A-Z]|ATCTT3x[A-Z]|ATSTT3x[A-Z]|ATBB)[\w=\-]{24,}`, 3},
	{"aws-access-key", []string{"akia", "asia", "abia", "acca", "aspa"}, `\b(?:AKIA|ASIA|ABIA|ACCA|ASPA)[A-Z0-9]{16}\b`, 2.5},
	{"aws-appsync-key", []string{"da2-"}, `\bda2-[a-z0-9]{26}\b`, 3},
	{"aws-key-pair", []string{"akia", "asia"}, `\b(?:AKIA|ASIA)[A-Z0-9]{16}["',;:\s|]{1,10}([A-Za-z0-9/+]{40})\b`, 3.5},
	{"aws-mws-token", []string{"amzn.mws."}, `\bamzn\.mws\.[0-9a-f-]{36}`, 2.5},
	{"aws-session-token", []string{"fwogzxivyxdz", "iqojb3jpz2lu", "fqogzxivyxdz"}, `\b(?:FwoGZXIvYXdz|IQoJb3JpZ2lu|FQoGZXIvYXdz)[A-Za-z0-9+/=%]{40,}`, 3},
	{"axiom-token", []string{"xaat-", "xapt-"}, `\bxa(?:at|pt)-[0-9a-f-]{36}`, 3},
	{"azure-client-secret", []string{"q~"}, `(?:^|[^\w.~-]|\\[nrt]|%[0-9A-F]{2})([\w.~]{3}\dQ~[\w.~-]{31,34})(?:[^\w~-]|$)`, 3},
	{"azure-key", []string{"jqqj99", "azdo", "+ast", "+amc", "+aba", "aiot", "+asb", "+aeh", "+arm", "+acr", "azfu", "azse", "acdb"},
		`(?:[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|\b[A-Za-z0-9+/]{76}(?:\+ASt|\+AMC|\+ABa|ACDb)[A-Za-z0-9+/]{5,8}|` +
			`\b[A-Za-z0-9+/]{33}(?:AIoT|\+ASb|\+AEh|\+ARm)[A-Za-z0-9+/]{4,6}|\b[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{5,6}|\b[\w-]{44}AzFu[\w-]{4}|\b[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5})(?:=|\b)={0,2}`, 4},
	{"azure-sas-signature", []string{"sig="}, `\bsig=[A-Za-z0-9%/+]{40,}(?:%3[Dd]|=)?`, 3.5},
	{"azure-storage-key", []string{"accountkey=", "sharedaccesskey=", "primarykey=", "secondarykey="}, `(?i)\b(?:account|sharedaccess|primary|secondary)key=([A-Za-z0-9+/]{40,}={0,2})`, 3.5},
	{"bedrock-key", []string{"absk", "bedrock-api-key-"}, `\b(?:ABSK[A-Za-z0-9+/]{100,}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{40,}={0,2})`, 3.5},
	{"bip32-key", []string{"prv"}, `\b[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,112}\b`, 4},
	{"bitbucket-token", []string{"bbdc-"}, `\bBBDC-[A-Za-z0-9+/@_-]{40,50}`, 3.5},
	{"bitwarden-token", []string{"0."}, `\b0\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.[A-Za-z0-9]{20,}(?::[A-Za-z0-9+/=]{16,})?`, 3},
	{"bot-url-token", []string{"/bot"}, `/bot(\d{5,16}:[\w-]{20,})`, 3},
	{"brave-key", []string{"bsa"}, `\bBSA[A-Za-z0-9_-]{24,40}\b`, 3.8},
	{"browserbase-key", []string{"bb_live_", "bb_test_"}, `\bbb_(?:live|test)_[\w-]{20,}`, 3},
	{"buildkite-token", []string{"bkua_", "bkaa_", "bkaj_", "bkar_", "bkct_", "bkpt_", "bkps_", "bkpat_"}, `\bbk(?:ua|aa|aj|ar|ct|pt|ps|pat)_[\w-]{40,}`, 3},
	{"cargo-token", []string{"cio"}, `\bcio[A-Za-z0-9]{32}\b`, 3.5},
	{"cerebras-key", []string{"csk-"}, `\bcsk-[a-z0-9]{40,}`, 3},
	{"chpasswd-password", []string{"chpasswd"}, `\b[a-z_][\w.-]{0,31}:([^\s"':|$<{]{3,64})["']?\s{0,3}\|\s{0,3}(?:sudo\s)?\s{0,3}chpasswd\b`, 0},
	{"circleci-token", []string{"ccipat_", "cciprj_"}, `\bCCI(?:PAT|PRJ)_[A-Za-z0-9]{10,}_[a-f0-9]{20,}`, 3},
	{"cisco-password", []string{"password 7 ", "secret 5 ", "secret 8 ", "secret 9 ", "key 7 "}, `\b(?:password|secret|key) (?:7 [0-9A-F]{8,}|[589] \$\S{20,})`, 2},
	{"cloudflare-token", []string{"cfk_", "cfut_", "cfat_"}, `\bcf(?:k|ut|at)_[A-Za-z0-9]{40,}`, 3},
	{"cloudinary-url", []string{"cloudinary://"}, `\bcloudinary://([0-9]+:[\w-]+)@`, 3},
	{"contentful-token", []string{"cfpat-"}, `\bCFPAT-[\w-]{30,}`, 3},
	{"context7-key", []string{"ctx7sk-"}, `\bctx7sk-[0-9a-f-]{36}`, 3},
	{"databricks-token", []string{"dapi", "dkea", "dose", "dsapi"}, `\b(?:dapi|dkea|dose|dsapi)[a-f0-9]{32}(?:-\d)?\b`, 3},
	{"datadog-token", []string{"ddpat_", "ddsat_", "ddapp_", "ddap_"}, `\bdd(?:pat|sat|app?)_[A-Za-z0-9]{24,}`, 3},
	{"defined-key", []string{"dnkey-"}, `\bdnkey-[\w=\-]{20,}`, 3},
	{"digitalocean-token", []string{"doo_v1_", "dop_v1_", "dor_v1_", "doprt_v1_"}, `\bdo(?:o|p|r|prt)_v1_[a-f0-9]{32,64}\b`, 3},
	{"discord-webhook", []string{"/api/webhooks/"}, `/api/webhooks/(\d{15,21}/[\w-]{40,90})`, 3},
	{"docker-token", []string{"dckr_"}, `\bdckr_(?:pat|oat)_[\w-]{20,}`, 3},
	{"doppler-token", []string{"dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "dp.scim.", "dp.audit.", "dp.said."}, `\bdp\.(?:pt|st|sa|ct|scim|audit|said)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{32,50}\b`, 3},
	{"dropbox-token", []string{"sl."}, `\bsl\.(?:u\.)?[\w-]{60,}`, 3.5},
	{"dsn-password", []string{"@tcp(", "@unix("}, `\b[\w.-]{1,64}:([^\s:@/"'<>{}$]{3,64})@(?:tcp|unix)\(`, 0},
	{"dynatrace-token", []string{"dt0"}, `\bdt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Za-z0-9]{40,64}\b`, 3},
	{"escaped-url-credentials", []string{"%3a%2f%2f"}, `(?i)%3a%2f%2f[\w.~-]{0,64}%3a((?:[\w.~!*-]|%[013-9a-f][0-9a-f]|%2[0-9a-e]){3,128}?)%40[a-z0-9]`, 0},
	{"facebook-token", []string{"eaa"}, `\bEAA[A-Za-z0-9]{80,}\b`, 3.5},
	{"figma-token", []string{"figd_", "figo_", "figu_", "figdr_", "figor_", "figuh_"}, `\bfig(?:d|o|u|dr|or|uh)_[\w-]{16,}`, 3},
	{"firebase-server-key", []string{"aaaa"}, `\bAAAA[\w-]{7}:[\w-]{100,}`, 3.5},
	{"firecrawl-key", []string{"fc-"}, `\b(fc-[a-f0-9]{32})` + looseEnd, 3},
	{"fly-token", []string{"flyv1", "fm2", "fm1"}, `\b(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=_]{40,}(?:,fm[12][ar]?_[A-Za-z0-9+/=_]{40,})*`, 3.5},
	{"github-token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, `\b(?:gh[pousr]_[A-Za-z0-9_.-]{20,}|github_pat_\w{22,})`, 2.5},
	{"gitlab-token", []string{"glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glwt-"},
		`\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w.=-]{16,}`, 3},
	{"google-api-key", []string{"aiza", "aq.ab8"}, `\b(?:AIza[\w-]{30,}|AQ\.Ab8[\w-]{30,})`, 3},
	{"google-oauth", []string{"ya29.", "gocspx-", "1//0"}, `\b(?:ya29\.[\w.-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{24,})`, 3},
	{"grafana-token", []string{"glsa_", "glc_"}, `\bgl(?:sa|c)_[A-Za-z0-9+/_=]{30,}`, 3},
	{"groq-key", []string{"gsk_"}, `\bgsk_[A-Za-z0-9]{20,}\b`, 3},
	{"helicone-key", []string{"sk-helicone-", "pk-helicone-"}, `\b[sp]k-helicone-[\w-]{24,}`, 3},
	{"heroku-key", []string{"hrku-"}, `\bHRKU-[\w-]{30,}`, 3},
	{"hubspot-token", []string{"pat-na", "pat-eu", "pat-ap"}, `\bpat-(?:na|eu|ap)\d-[0-9a-fA-F-]{30,36}\b`, 2.5},
	{"huggingface-token", []string{"hf_", "api_org_"}, `\b(?:hf|api_org)_[A-Za-z0-9]{28,40}\b`, 3},
	{"ibm-key", []string{"ibm", "bluemix", "softlayer"}, `(?i)\b(?:ibm|bluemix|softlayer|sl)[\w.-]{0,30}["']?\s{0,3}[:=]{1,3}\s{0,3}["']?([\w-]{44}|[a-f0-9]{64})\b`, 3.3},
	{"inngest-key", []string{"signkey-"}, `\bsignkey-[a-z]{2,12}-[a-f0-9]{32,}`, 3},
	{"instagram-token", []string{"igqv", "igaa"}, `\bIG(?:QV|AA)[\w-]{60,}`, 3.5},
	{"jfrog-token", []string{"akcp", "cmvmd", "akc"}, `\b(?:AKC[a-zA-Z0-9]{60,}|cmVmd[A-Za-z0-9=]{50,})`, 3.5},
	{"jina-key", []string{"jina_"}, `\bjina_[\w-]{40,}`, 3},
	{"langfuse-key", []string{"sk-lf-", "pk-lf-"}, `\b[sp]k-lf-[0-9a-f-]{36}`, 3},
	{"langsmith-key", []string{"lsv2_", "ls__"}, `\b(?:lsv2_(?:pt|sk)_[A-Za-z0-9_]{24,}|ls__[a-f0-9]{32}\b)`, 3},
	{"lichess-token", []string{"lip_", "lio_"}, `\bli[po]_[A-Za-z0-9]{16,}\b`, 3},
	{"linear-token", []string{"lin_api_", "lin_oauth_", "lin_wh_", "lin_refresh_"}, `\blin_(?:api|oauth|wh|refresh)_[A-Za-z0-9]{30,}`, 3},
	{"llama-key", []string{"llm|", "llx-"}, `\b(?:LLM\|\d{14,17}\|[\w-]{20,}|llx-[A-Za-z0-9]{40,})`, 3},
	{"mailchimp-key", []string{"-us"}, `\b[a-f0-9]{32}-us\d{1,2}\b`, 3},
	{"mailersend-token", []string{"mlsn."}, `\bmlsn\.[A-Za-z0-9]{30,}`, 3},
	{"mailgun-key", []string{"key-", "pubkey-"}, `\b(?:pub)?key-[a-f0-9]{32}\b`, 3},
	{"mapbox-token", []string{"sk.eyj", "pk.eyj", "tk.eyj"}, `\b[spt]k\.eyJ[\w.=-]{40,}`, 3.5},
	{"microsoft-webhook", []string{"webhook.office.com/", ".logic.azure.com"}, `https://[\w.-]+\.(?:webhook\.office\.com/[\w@/-]{60,}|logic\.azure\.com\S{0,200}sig=[\w-]{20,})`, 3},
	{"neon-key", []string{"napi_"}, `\bnapi_[A-Za-z0-9]{40,}`, 3.5},
	{"netlify-token", []string{"nfp_", "nfo_", "nfc_", "nfu_", "nfb_"}, `\bnf[pocub]_[A-Za-z0-9]{30,}`, 3},
	{"newrelic-key", []string{"nrak-", "nrii-", "nriq-", "nrra-", "nrjs-", "nraa-", "nrbr-"}, `\bNR(?:AK|II|IQ|RA|JS|AA|BR)-[A-Za-z0-9_-]{19,}`, 3},
	{"newrelic-license", []string{"nral"}, `[A-Za-z0-9]{36}NRAL\b`, 3},
	{"notion-token", []string{"ntn_", "secret_"}, `\b(?:ntn_[A-Za-z0-9]{36,}|secret_[A-Za-z0-9]{40,50})\b`, 3.5},
	{"npm-token", []string{"npm_"}, `\bnpm_[A-Za-z0-9]{30,}\b`, 3},
	{"npmrc-token", []string{"_authtoken", "_auth", "_password"}, `(?i)(?:^|[:\s])_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([\w+/=.~-]{8,})`, 3},
	{"nuget-key", []string{"oy2"}, `\boy2[a-z0-9]{43}\b`, 3},
	{"nvidia-key", []string{"nvapi-"}, `\bnvapi-[\w-]{40,}`, 3.5},
	{"onepassword-key", []string{"a3-", "ops_eyj"}, `\b(?:A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){3,5}|ops_eyJ[A-Za-z0-9+/=_-]{60,})`, 3},
	{"openai-key", []string{"sk-", "sess-"}, `\b(?:sk-(?:[a-z]+-)*[\w]{18,}[\w-]*|sess-[A-Za-z0-9]{36,})`, 3},
	{"openrouter-key", []string{"sk-or-"}, `\bsk-or-(?:v\d-)?[a-f0-9]{32,}`, 3},
	{"oracle-password", []string{"sqlplus ", "jdbc:oracle:"}, `\b(?:sqlplus\s{1,3}(?:-\w+\s{1,3}){0,4}|jdbc:oracle:(?:thin|oci8?):)[\w$]{1,64}/([^\s@/"'$<{]{3,64})@`, 1.5},
	{"password-hash", []string{"$1$", "$apr1$", "$5$", "$6$", "$2a$", "$2b$", "$2x$", "$2y$", "$y$", "$gy$", "$7$", "$argon2", "$pbkdf2", "$scrypt$", "pbkdf2_sha", "{ssha", "{smd5}", "{sha}", "$p$", "$h$", "$s$"},
		`(?:\$(?:1|apr1)\$\$?[./A-Za-z0-9]{1,8}\$\$?[./A-Za-z0-9]{20,22}|\$[56]\$\$?(?:rounds=\d{1,9}\$\$?)?[./A-Za-z0-9]{1,16}\$\$?[./A-Za-z0-9]{40,86}|` +
			`\$2[abxy]\$\$?\d\d\$\$?[./A-Za-z0-9]{50,53}|\$(?:y|gy|7)\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{40,43}|` +
			`\$argon2(?:i|d|id)\$(?:v=\d+\$)?[a-z0-9=,]{5,60}\$[A-Za-z0-9+/]{8,86}\$[A-Za-z0-9+/]{16,128}|\$pbkdf2(?:-[a-z0-9]{1,8})?\$\d+\$[./A-Za-z0-9]{8,}\$[./A-Za-z0-9]{20,}|` +
			`\$scrypt\$[a-z0-9=,]{5,60}\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{20,}|pbkdf2_sha(?:1|256|512)\$\d+\$[A-Za-z0-9]{5,}\$[A-Za-z0-9+/]{20,}={0,2}|` +
			`\{(?:SSHA|SMD5|SSHA256|SSHA512)\}[A-Za-z0-9+/]{28,}={0,2}|\{SHA\}[A-Za-z0-9+/]{27}=|\$[PH]\$[./A-Za-z0-9]{31}|\$S\$[./A-Za-z0-9]{52})`, 3},
	{"paypal-token", []string{"access_token$"}, `access_token\$(?:production|sandbox)\$[a-z0-9]{13,20}\$[a-f0-9]{32}`, 3},
	{"perplexity-key", []string{"pplx-"}, `\bpplx-[A-Za-z0-9]{40,}`, 3},
	{"pgpass-line", []string{":*:", ":5432:", ":5433:", ":5434:", ":6432:", ":15432:"},
		`(?m)(?:^|["'\s])[\w.*-]{1,255}:(?:\*|\d{2,5}):(?:\*|[\w-]{1,63}):(?:\*|[\w.@-]{1,63}):((?:\\.|[^\s:\\"'$<{]){3,128})(?:$|["'\s])`, 1.5},
	{"pinecone-key", []string{"pcsk_"}, `\bpcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{40,}`, 3},
	{"plaid-token", []string{"access-sandbox-", "access-development-", "access-production-"}, `\baccess-(?:sandbox|development|production)-[0-9a-f-]{36}\b`, 3},
	{"planetscale-token", []string{"pscale_"}, `\bpscale_(?:tkn|pw|oauth)_[\w=.-]{20,}`, 3},
	{"posthog-key", []string{"phx_", "phc_", "phs_", "pha_", "phr_"}, `\bph[xcsar]_[\w-]{40,}`, 3},
	{"postman-key", []string{"pmak-", "pmat-"}, `\bPMA[KT]-[A-Za-z0-9-]{26,}`, 3},
	{"presigned-url", []string{"x-amz-sig", "x-goog-sig"}, `(?i)x-(?:amz|goog)-signature(?:=|%3D)([0-9a-f]{64,1000})\b`, 3},
	{"pubnub-secret", []string{"sec-c-"}, `\bsec-c-[A-Za-z0-9=-]{36,}`, 3},
	{"pypi-token", []string{"pypi-age"}, `\bpypi-AgE[\w-]{40,}`, 3},
	{"replicate-token", []string{"r8_"}, `\br8_[A-Za-z0-9]{30,}\b`, 3},
	{"riot-key", []string{"rgapi-"}, `\bRGAPI-[0-9a-f-]{36}\b`, 2.5},
	{"rpc-url-key", []string{"infura.io/", "alchemy", "quiknode.", "getblock."},
		`(?:infura\.io/(?:ws/)?v3/|alchemy(?:api)?\.(?:com|io)/(?:nft/)?v[23]/|quiknode\.pro/|getblock\.io/)([\w-]{20,64})\b`, 3},
	{"salesforce-session", []string{"00d"}, `\b00D[A-Za-z0-9]{12,15}![\w.]{60,}`, 3.5},
	{"scaleway-key", []string{"scw"}, `\bSCW[A-Z0-9]{17}\b`, 3},
	{"sendgrid-key", []string{"sg."}, `\bSG\.[\w-]{16,}\.[\w-]{16,}`, 3},
	{"sentry-token", []string{"sntrys_", "sntryu_", "sntrya_", "sntryi_"}, `\bsntry[suai]_[\w+/=-]{30,}`, 3},
	{"shopify-token", []string{"shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"}, `\bshp(?:at|ca|pa|ss|tka|ua)_[A-Za-z0-9]{20,}\b`, 2.5},
	{"slack-token", []string{"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xox", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-", "xwfp-"},
		`\b(?:xox[abcdeoprs]|xoxe\.xox[bp]|xapp|xwfp)-(?:\d+-)?(?:[A-Za-z0-9]|%2[BbFf]){8,}-?(?:[A-Za-z0-9/+=-]|%2[BbFf]|%3[Dd]){12,}`, 3},
	{"slack-webhook", []string{"hooks.slack.com/", "hooks.slack-gov.com/"}, `hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{24,}`, 3},
	{"snyk-token", []string{"snyk_uat.", "snyk_sat."}, `\bsnyk_[us]at\.[a-f0-9]{8}\.[\w.-]{20,}`, 3},
	{"softlayer-url", []string{"api.softlayer.com/"}, `(?i)api\.softlayer\.com/soap/v3(?:\.1)?/([a-f0-9]{64})`, 3},
	{"sonarqube-token", []string{"squ_", "sqp_", "sqa_"}, `\bsq[upa]_[a-f0-9]{40}\b`, 3},
	{"sourcegraph-token", []string{"sgp_", "slk_"}, `\b(?:sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|sgp_[A-Za-z0-9]{64}|slk_[a-f0-9]{64})\b`, 3},
	{"square-token", []string{"sq0", "eaaa"}, `\b(?:sq0[a-z]{3}-[\w-]{22,}|EAAA[\w-]{50,64})`, 3},
	{"stripe-key", []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "whsec_", "sk_org_", "rk_org_"}, `\b(?:(?:sk|rk)_(?:live|test|prod|org)_|whsec_)[A-Za-z0-9+/=_]{16,}`, 3},
	{"sudo-password", []string{"sudo -s"}, `\becho\s{1,3}["']?([^\s"'|$<{]{4,64})["']?\s{0,3}\|\s{0,3}sudo -S\b`, 1.5},
	{"supabase-key", []string{"sbp_", "sb_secret_", "sb_publishable_"}, `\b(?:sbp_[a-z0-9_]{36,}|sb_(?:secret|publishable)_[\w-]{20,})`, 3},
	{"swarm-token", []string{"swmtkn-", "swmkey-"}, `\bSWM(?:TKN|KEY)-1-[A-Za-z0-9+/=-]{30,}`, 3},
	{"tailscale-key", []string{"tskey-"}, `\btskey-(?:[a-z]+-)?[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]{16,})?`, 3},
	{"tavily-key", []string{"tvly-"}, `\btvly-(?:[a-z]+-)?[A-Za-z0-9-]{24,}`, 3},
	{"telegram-bot-token", []string{":aa"}, `\d{7,16}:AA[\w-]{32,34}`, 3.5},
	{"telnyx-key", []string{"key0"}, `\bKEY0[0-9A-F]{31}_[A-Za-z0-9]{22}\b`, 3},
	{"tencent-key", []string{"akid"}, `\bAKID[A-Za-z0-9]{30,36}\b`, 3.5},
	{"terraform-token", []string{".atlasv1."}, `\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}`, 3},
	{"together-key", []string{"tgp_v"}, `\btgp_v\d_[\w-]{40,}`, 3},
	{"twilio-key", []string{"sk", "ac"}, `\b(?:SK|AC)[a-f0-9]{32}\b`, 3},
	{"twitter-bearer", []string{"aaaaaaaaaaaaaaaaaaaa"}, `\bA{20,}[A-Za-z0-9%]{60,}`, 3},
	{"vault-token", []string{"hvs.", "hvb.", "hvr."}, `\bhv[sbr]\.[\w-]{20,}`, 3.2},
	{"vercel-token", []string{"vcp_", "vci_", "vca_", "vcr_", "vck_"}, `\bvc[piark]_[\w-]{40,}`, 3.5},
	{"vk-token", []string{"vk1.a."}, `\bvk1\.a\.[\w-]{40,}`, 3.5},
	{"volcengine-key", []string{"aklt"}, `\bAKLT[A-Za-z0-9]{40,}(?:={1,2}|\b)`, 3.5},
	{"wandb-key", []string{"wandb_v"}, `\bwandb_v\d_\w{60,}`, 3.5},
	{"webhook-url", []string{"hooks.zapier", "open.feishu", "open.larksu", "qyapi.weixin", "maker.ifttt", "oapi.dingtalk"},
		`(?:hooks\.zapier\.com/hooks/(?:catch|standard)/|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=|` +
			`maker\.ifttt\.com/(?:trigger/[\w-]{1,64}/(?:json/)?with/key|use)/|oapi\.dingtalk\.com/robot/send\?access_token=)([\w/-]{10,}[\w-])`, 2.5},
	{"windows-password", []string{"convertto-s", "net user "},
		`(?i:ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?["']([^"'$\s]{4,128})["']|\bnet user \S{1,64} ([^\s/*$<%]{3,64}) /add)`, 2},
	{"xai-key", []string{"xai-"}, `\bxai-[\w-]{60,}`, 3.5},
	{"yandex-token", []string{"t1.", "aqvn", "y0_", "ycaj"}, `\b(?:t1\.[\w=-]{1,100}\.[\w=-]{80,}|AQVN[\w-]{34,}|y0_[\w-]{40,}|YCAJ[\w-]{20,})`, 3.5},
}

// shortVendors have prefixes with which names in code also begin, so what follows must look random. It is sorted by id.
var shortVendors = []vendor{
	{"browser-use-key", []string{"bu_"}, `\bbu_[\w-]{30,}`, 3},
	{"cartesia-key", []string{"sk_car_"}, `\bsk_car_\w{20,}`, 3},
	{"clickup-token", []string{"pk_"}, `\bpk_\d{6,9}_[0-9A-Z]{32}\b`, 3},
	{"composio-key", []string{"ak_", "oak_", "uak_", "ck_"}, `\b(?:[ou]?ak|ck)_[\w-]{20,}`, 3},
	{"elevenlabs-key", []string{"sk_"}, `\bsk_[a-f0-9]{40,64}\b`, 3},
	{"fireworks-key", []string{"fw_"}, `\bfw_[A-Za-z0-9]{20,}\b`, 3},
	{"mem0-key", []string{"m0-"}, `\bm0-[A-Za-z0-9]{40}\b`, 3},
	{"modal-token", []string{"ak-", "as-"}, `\ba[ks]-[A-Za-z0-9]{22}\b`, 3},
	{"mollie-key", []string{"live_"}, `\blive_[A-Za-z0-9]{30,}\b`, 3},
	{"neon-password", []string{"npg_"}, `\bnpg_[A-Za-z0-9]{12,}\b`, 2.5},
	{"openai-project-key", []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-api-", "sk-ws-"}, `\bsk-(?:proj|svcacct|admin|api|ws)-[\w-]{24,}`, 3},
	{"render-key", []string{"rnd_"}, `\brnd_[A-Za-z0-9]{24,}\b`, 3},
	{"resend-key", []string{"re_"}, `\bre_(?:[A-Za-z0-9]{8}_)?[A-Za-z0-9]{20,}\b`, 3},
	{"service-token", []string{"bxt_", "cal_live_", "ccdb1_", "crsr_", "csa_", "ddo_", "ddp_", "dtn_", "e2b_", "essu_", "hcaik_", "ion_", "mdb_sa_sk_", "mercury_production_", "os_v2_", "pdl_live_", "pina_", "polar_", "ptr_",
		"pylf_v", "ramp_sec_", "retool_01", "rpa_", "samsara_api_", "tfp_", "tr_dev_", "tr_pat_", "tr_prod_", "tr_stg_", "ucat_", "unkey_", "xau_", "zpka_"},
		`\b(?:(?:bxt|cal_live|CCDB1|crsr|csa|dd[op]|dtn|e2b|essu|hcaik|ion|mdb_sa_sk|mercury_production|os_v2|pdl_live|pina|polar|ptr|ramp_sec|rpa|samsara_api|tfp|tr_(?:dev|pat|prod|stg)|ucat|unkey|xau|zpka)_|retool_01|pylf_v)[\w+/-]{20,}={0,2}`, 3},
	{"voyage-key", []string{"pa-", "al-"}, `\b(?:pa|al)-[\w-]{43}`, 3},
}
