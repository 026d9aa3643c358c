package redact

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// providerKeys are the formats of keys that services give out, as their documentation shows them. What stands in braces
// is drawn by the test, so that the source holds no key: a letter of keyAlphabets and how many characters of it.
var providerKeys = []struct{ name, form string }{
	// Models and tools for them.
	{"anthropic", "sk-ant-api03-{w93}AA"},
	{"anthropic admin", "sk-ant-admin01-{w93}AA"},
	{"anthropic oauth", "sk-ant-oat01-{w93}AA"},
	{"openai", "sk-{m20}T3BlbkFJ{m20}"},
	{"openai project", "sk-proj-{w74}T3BlbkFJ{w74}"},
	{"openai service account", "sk-svcacct-{w74}T3BlbkFJ{w74}"},
	{"openai admin", "sk-admin-{w58}T3BlbkFJ{w58}"},
	{"openrouter", "sk-or-v1-{h64}"},
	{"deepseek", "sk-{h32}"},
	{"moonshot", "sk-{m48}"},
	{"minimax", "sk-api-{w119}"},
	{"windsurf", "sk-ws-01-{w44}"},
	{"helicone", "sk-helicone-{l7}-{l7}-{l7}-{l7}"},
	{"langfuse secret", "sk-lf-{uuid}"},
	{"langfuse public", "pk-lf-{uuid}"},
	{"groq", "gsk_{m52}"},
	{"xai", "xai-{m80}"},
	{"cerebras", "csk-{l48}"},
	{"together", "tgp_v1_{w43}"},
	{"fireworks", "fw_{m24}"},
	{"perplexity", "pplx-{m48}"},
	{"hugging face", "hf_{m34}"},
	{"replicate", "r8_{m37}"},
	{"voyage", "pa-{w43}"},
	{"voyage atlas", "al-{w43}"},
	{"jina", "jina_{m60}"},
	{"pinecone", "pcsk_{m6}_{m63}"},
	{"nvidia", "nvapi-{w64}"},
	{"gemini", "AIza{w35}"},
	{"gemini of 2026", "AQ.Ab8RN6{w44}"},
	{"llama", "LLM|{d15}|{w27}"},
	{"llama cloud", "llx-{m48}"},
	{"elevenlabs", "sk_{h48}"},
	{"cartesia", "sk_car_{m20}"},
	{"weights and biases", "wandb_v1_{m77}"},
	{"langsmith", "lsv2_pt_{h32}_{h10}"},
	{"langsmith service", "lsv2_sk_{h32}_{h10}"},
	{"firecrawl", "fc-{h32}"},
	{"tavily", "tvly-{m32}"},
	{"tavily dev", "tvly-dev-{m32}"},
	{"brave", "BSA{w28}"},
	{"composio", "ak_{m20}"},
	{"composio consumer", "ck_{m20}"},
	{"composio organisation", "oak_{m20}"},
	{"composio user", "uak_{m43}"},
	{"context7", "ctx7sk-{uuid}"},
	{"browserbase", "bb_live_{w27}"},
	{"browser use", "bu_{w43}"},
	{"apify", "apify_api_{m36}"},
	{"e2b", "e2b_{h40}"},
	{"daytona", "dtn_{h64}"},
	{"mem0", "m0-{m40}"},
	{"modal", "as-{m22}"},
	{"runpod", "rpa_{u40}{m6}"},
	{"cursor", "crsr_{h64}"},
	// Clouds, hosting, databases.
	{"aws", "AKIA{B16}"},
	{"bedrock", "ABSK{m128}"},
	{"bedrock, short", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{m80}"},
	{"google oauth", "GOCSPX-{w28}"},
	{"azure openai", "{m52}JQQJ99{m26}"},
	{"azure client secret", "{m3}8Q~{w34}"},
	{"alibaba", "LTAI5t{m18}"},
	{"alibaba sts", "STS.N{m22}"},
	{"volcengine", "AKLT{m43}"},
	{"tencent", "AKID{m32}"},
	{"cloudflare user token", "cfut_{m40}{h8}"},
	{"cloudflare account token", "cfat_{m40}{h8}"},
	{"cloudflare global key", "cfk_{m40}{h8}"},
	{"cloudflare origin", "v1.0-{h24}-{h146}"},
	{"digitalocean", "dop_v1_{h64}"},
	{"vercel", "vcp_{w56}"},
	{"vercel gateway", "vck_{w56}"},
	{"netlify", "nfp_{m40}"},
	{"fly", "fm2_{m120}"},
	{"render", "rnd_{m28}"},
	{"heroku", "HRKU-AA{w58}"},
	{"upcloud", "ucat_{m26}"},
	{"deno", "ddp_{m36}"},
	{"neon", "napi_{l64}"},
	{"neon password", "npg_{m12}"},
	{"supabase", "sbp_{h40}"},
	{"supabase secret", "sb_secret_{w31}"},
	{"planetscale", "pscale_tkn_{w43}"},
	{"planetscale password", "pscale_pw_{w43}"},
	{"mongodb atlas", "mdb_sa_sk_{w40}"},
	{"cockroach", "CCDB1_{m22}_{m40}"},
	{"xata", "xau_{m36}"},
	{"databricks", "dapi{h32}"},
	{"clickhouse", "4b1d{m38}"},
	{"elastic", "essu_{w80}"},
	{"terraform", "{m14}.atlasv1.{w67}"},
	{"vault", "hvs.{w95}"},
	{"doppler", "dp.pt.{m43}"},
	{"pulumi", "pul-{h40}"},
	{"tailscale", "tskey-auth-{m12}-{m32}"},
	// Code, packages, builds.
	{"github", "ghp_{m36}"},
	{"github fine-grained", "github_pat_{m22}_{m59}"},
	{"github app", "ghs_{m36}"},
	{"gitlab", "glpat-{w20}"},
	{"gitlab routable", "glpat-{m27}.01.{l9}"},
	{"gitlab deploy", "gldt-{w20}"},
	{"gitlab runner", "glrt-{w20}"},
	{"gitlab job", "glcbt-{m3}_{w20}"},
	{"gitlab trigger", "glptt-{h40}"},
	{"gitlab feed", "glft-{w20}"},
	{"gitlab agent", "glagent-{w50}"},
	{"gitlab application", "gloas-{h64}"},
	{"bitbucket", "ATBB{m32}"},
	{"bitbucket data center", "BBDC-{m44}"},
	{"atlassian", "ATATT3xF{w180}"},
	{"npm", "npm_{m36}"},
	{"pypi", "pypi-AgEIcHlwaS5vcmc{w80}"},
	{"rubygems", "rubygems_{h48}"},
	{"crates", "cio{m32}"},
	{"docker", "dckr_pat_{w27}"},
	{"docker organisation", "dckr_oat_{w32}"},
	{"nuget", "oy2{l43}"},
	{"clojars", "CLOJARS_{l60}"},
	{"sourcegraph", "sgp_{h16}_{h40}"},
	{"snyk", "snyk_uat.{h8}.{w60}.{w40}"},
	{"sonarqube", "sqp_{h40}"},
	{"circleci", "CCIPAT_{m22}_{h40}"},
	{"buildkite", "bkua_{l40}"},
	{"prefect", "pnu_{m36}"},
	{"postman", "PMAK-{h24}-{h34}"},
	{"launch of trigger.dev", "tr_prod_{m20}"},
	{"inngest", "signkey-prod-{h64}"},
	{"portainer", "ptr_{m43}="},
	// Work, messages, mail.
	{"slack bot", "xoxb-{d12}-{d12}-{m24}"},
	{"slack app", "xapp-1-A{u10}-{d13}-{h64}"},
	{"discord", "{discord}.G{w5}.{w38}"},
	{"telegram", "{d10}:AA{w33}"},
	{"notion", "ntn_{d11}{m35}"},
	{"linear", "lin_api_{m40}"},
	{"linear oauth", "lin_oauth_{h64}"},
	{"airtable", "pat{m14}.{h64}"},
	{"figma", "figd_{w40}"},
	{"asana", "2/{d16}/{d16}:{h32}"},
	{"clickup", "pk_{d8}_{u32}"},
	{"typeform", "tfp_{w44}"},
	{"readme", "rdme_{l70}"},
	{"hubspot", "pat-na1-{uuid}"},
	{"retool", "retool_01{l28}"},
	{"sendgrid", "SG.{w22}.{w43}"},
	{"mailgun", "key-{h32}"},
	{"mailgun account", "{h32}-{h8}-{h8}"},
	{"mailersend", "mlsn.{h64}"},
	{"brevo", "xkeysib-{h64}-{m16}"},
	{"resend", "re_{m8}_{m24}"},
	{"twilio", "SK{h32}"},
	{"telnyx", "KEY0{H31}_{m22}"},
	{"onesignal", "os_v2_app_{b103}"},
	// Money and shops.
	{"stripe", "sk_live_{m99}"},
	{"stripe restricted", "rk_live_{m24}"},
	{"stripe webhook", "whsec_{m32}"},
	{"square", "sq0atp-{w22}"},
	{"shopify", "shpat_{h32}"},
	{"plaid", "access-production-{uuid}"},
	{"paddle", "pdl_live_apikey_{l26}_{m22}_{m3}"},
	{"polar", "polar_oat_{m43}"},
	{"mollie", "live_{m30}"},
	{"shippo", "shippo_live_{h40}"},
	{"duffel", "duffel_live_{w43}"},
	{"easypost", "EZAK{m54}"},
	{"mercury", "mercury_production_rma_{m43}_yrucrem"},
	{"ramp", "ramp_sec_{m48}"},
	// Looking at what runs.
	{"sentry", "sntryu_{h64}"},
	{"posthog", "phx_{m43}"},
	{"posthog flags", "phs_{m47}"},
	{"datadog", "ddpat_{m40}"},
	{"datadog application", "ddapp_{m34}"},
	{"grafana", "glsa_{m32}_{h8}"},
	{"grafana cloud", "glc_{m120}"},
	{"new relic", "NRAK-{u27}"},
	{"new relic license", "{h36}NRAL"},
	{"honeycomb", "hcaik_{l58}"},
	{"axiom", "xaat-{uuid}"},
	{"logfire", "pylf_v1_us_{m44}"},
	{"dynatrace", "dt0c01.{u24}.{u64}"},
	{"octopus", "API-{u26}"},
}

// keyAlphabets name the characters that a key is drawn from.
var keyAlphabets = map[byte]string{
	'h': hexLetters, 'H': strings.ToUpper(hexLetters), 'l': lowerLetters, 'u': upperLetters, 'm': mixedLetters, 'w': mixedLetters + "_-",
	'd': "0123456789", 'b': "abcdefghijklmnopqrstuvwxyz234567", 'B': "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
}

// drawKey fills a form. It returns what stands before the first drawn part, and the rest.
func drawKey(rnd *rand.Rand, form string) (prefix, rest string) {
	draw := func(letters string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(letters[rnd.IntN(len(letters))])
		}
		return b.String()
	}
	prefix, form, _ = strings.Cut(form, "{")
	form = "{" + form
	var b strings.Builder
	for form != "" {
		plain, part, ok := strings.Cut(form, "{")
		b.WriteString(plain)
		if !ok {
			break
		}
		part, form, _ = strings.Cut(part, "}")
		switch part {
		case "uuid":
			b.WriteString(draw(hexLetters, 8) + "-" + draw(hexLetters, 4) + "-4" + draw(hexLetters, 3) + "-a" + draw(hexLetters, 3) + "-" + draw(hexLetters, 12))
		case "discord": // the number of a bot
			b.WriteString(base64.RawStdEncoding.EncodeToString([]byte(draw("0123456789", 19))))
		default:
			var n int
			if _, err := fmt.Sscan(part[1:], &n); err != nil {
				panic(err)
			}
			b.WriteString(draw(keyAlphabets[part[0]], n-2))
			b.WriteString(draw(strings.Trim(keyAlphabets[part[0]], "_-"), 2)) // prose ends a key with a word boundary
		}
	}
	return prefix, b.String()
}

// keyContexts are how texts give a key: %s is the key, %p and %r its prefix and its rest.
var keyContexts = []struct{ name, text string }{
	{"alone", "%s"},
	{"line", "first\n%s\nlast\n"},
	{"JSON list", `{"mcp": {"args": ["--with", "%s"]}}`},
	{"list", `["run", %s, 3]`},
	{"call", `    client = Client("%s", 3)`},
	{"bare call", "provider(%s)"},
	{"prose", "my key is %s please"},
	{"end of a sentence", "Use %s."},
	{"query", "https://h.example.org/v3?user=7&k=%s"},
	{"query, more behind", "GET /v3?k=%s&page=2 200"},
	{"escaped query", "/cb?u=https%3A%2F%2Fh%2F%3Fk%3D%s%26p%3D1 200"},
	{"assigned", "X=%s;"},
	{"pair", "{a:%s,b:2}"},
	{"comma", "1,%s,2"},
	{"tag", "<v>%s</v>"},
	{"markdown", "| `%s` | [%s] |"},
	{"escaped quotes", `"{\"v\":\"%s\"}"`},
	{"escaped twice", `"{\\\"v\\\":\\\"%s\\\"}"`},
	{"doubled quotes", `a,"x ""%s"" y",b`},
	{"doubled single quotes", "v: 'it''s ''%s'''"},
	{"escaped newlines", `{"log": "first\n%s\nlast"}`},
	{"escaped tab", `"a\t%s\tb"`},
	{"block scalar", "v: |\n  %s\nw: 1\n"},
	{"folded scalar", "v: >-\n  %s\nw: 1\n"},
	{"item", "args:\n  - %s\n"},
	{"glued", `k = "%p" + "%r"`},
	{"glued, single quotes", `k = '%p'+'%r';`},
	{"glued by blanks", "k = (\"%p\"\n     \"%r\")"},
	{"glued with dots", `$k = '%p' . '%r';`},
	{"glued, in JSON", `{"source": "k = \"%p\" +\n  \"%r\""}`},
	{"quoted over two lines", "v: \"%p\\\n    %r\"\n"},
	{"shell over two lines", "run --v %p\\\n%r\n"},
}

// Every format is found wherever a text gives it, with no word beside it that tells.
func TestProviderKeysInEveryContext(t *testing.T) {
	if len(providerKeys) < 60 {
		t.Fatalf("%d formats", len(providerKeys))
	}
	for i, key := range providerKeys {
		t.Run(key.name, func(t *testing.T) {
			for j, c := range keyContexts {
				prefix, rest := drawKey(rand.New(rand.NewPCG(uint64(i), uint64(j))), key.form)
				glued := strings.Contains(c.text, "%p")
				if glued && len(prefix) < 3 {
					continue // no prefix that tells
				}
				text := strings.NewReplacer("%s", prefix+rest, "%p", prefix, "%r", rest).Replace(c.text)
				out, spans := Default().Redact(text)
				if piece := pieceLeft(rest, out); piece != "" {
					t.Errorf("%s: %q is left: %q", c.name, piece, out)
					continue
				}
				before, after, _ := strings.Cut(c.text, "%")
				after = after[strings.LastIndexAny(after, "%")+2:]
				if !strings.HasPrefix(out, before) || !strings.HasSuffix(out, after) {
					t.Errorf("%s: more than the key is gone: %q became %q", c.name, text, out)
				}
				if again, _ := Default().Redact(out); again != out {
					t.Errorf("%s: not idempotent: %q, then %q", c.name, out, again)
				}
				checkSpans(t, text, spans)
			}
		})
	}
}

// Keys without a form of their own are found by the names they have.
func TestProviderKeysByName(t *testing.T) {
	for i, tt := range []struct{ name, form string }{
		{"MISTRAL_API_KEY", "{m32}"}, {"COHERE_API_KEY", "{m40}"}, {"EXA_API_KEY", "{uuid}"}, {"DD_API_KEY", "{h32}"}, {"DATADOG_APP_KEY", "{h40}"},
		{"RAILWAY_TOKEN", "{uuid}"}, {"CLOUDFLARE_API_TOKEN", "{w40}"}, {"WANDB_API_KEY", "{h40}"}, {"DEEPGRAM_API_KEY", "{h40}"},
		{"ASSEMBLYAI_API_KEY", "{h32}"}, {"SERPER_API_KEY", "{h40}"}, {"AZURE_OPENAI_API_KEY", "{h32}"}, {"FASTLY_API_TOKEN", "{w32}"},
		{"HETZNER_TOKEN", "{m64}"}, {"SNYK_TOKEN", "{uuid}"}, {"TWITCH_CLIENT_SECRET", "{l30}"}, {"TWILIO_AUTH_TOKEN", "{h32}"}, {"POSTMARK_SERVER_TOKEN", "{uuid}"},
	} {
		for _, text := range []string{"%n=%s\n", "export %n=\"%s\"\n", `{"env": {"%n": "%s"}}`, "%n: %s\n", `-e %n=%s image`, `{\"%n\":\"%s\"}`} {
			_, value := drawKey(rand.New(rand.NewPCG(uint64(i), 7)), tt.form)
			out, _ := Default().Redact(strings.NewReplacer("%n", tt.name, "%s", value).Replace(text))
			if piece := pieceLeft(value, out); piece != "" {
				t.Errorf("%s in %q: %q is left: %q", tt.name, text, piece, out)
			}
		}
	}
}

// What only begins like a key stays, and so does what is joined to a string.
func TestLooksLikeProviderKeys(t *testing.T) {
	hex := func(n int) string { return drawn(n, hexLetters) }
	for _, text := range []string{
		"the break_down of peak_hours is in oak_table.py; see ak_usage", "sk-learn and sk_buff are names", "npg_utils.go, fc-list, re_path, pa-system",
		"ck_assert_uint_eq_tolerance(a, b); ak_device_registration_table_v2", "rnd_generator_initialize_with_seed", "fw_download_section_header_size",
		"pa-some-long-hyphenated-title-that-goes-on-and-on-for-ever", "as-a-service-of-the-day", "live_streaming_configuration_manager",
		"bu_set_default_button_width_and_height_of_window", "m0-configuration", "re_compile_fastmap_iter", "cog_window_controller",
		"access-production-database-from-the-outside-is-not-allowed", "secret-test-of-the-emergency-broadcast", "token-refresh: handled elsewhere",
		"napi_create_external_arraybuffer", "ddp_endpoint_configuration", "polar_coordinates", "tr_pattern_matcher", "vcr_cassette_library_dir",
		`x = "sk-" + name; y = "pk_" + "some_long_identifier_of_a_table"`, `url := "https://h/" + "fc-" + "list-of-all-the-things"`,
		`class="sk-` + `toggle" + "sk-container-with-items"`, `"live_" + "streaming_configuration"`,
		"commit " + hex(40), "https://h.example.org/v1?k=blue&page=2", hex(32) + ".jpg", "/video_box.ico-" + hex(32) + ".png", "/fc-" + hex(32) + ".js",
		"ck_rsa_pkcs_oaep_source_type_t", hex(32) + ".chunk.js", "/static/" + hex(32) + ".module.css",
		hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12), "C:\\new\\test\\folder", `"\tsk_buff\n"`, "100%abc", "a.b.c",
	} {
		if out, _ := Default().Redact(text); out != text {
			t.Errorf("%q became %q", text, out)
		}
	}
}

func TestVendorsAreSorted(t *testing.T) {
	byID := func(a, b vendor) int { return strings.Compare(a.id, b.id) }
	if !slices.IsSortedFunc(vendors, byID) || !slices.IsSortedFunc(shortVendors, byID) {
		t.Error("sort the lists by id")
	}
}
