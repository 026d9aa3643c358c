package service_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// maxMenuTokens is what the five tools of discovery may cost a chat model in
// each of its requests, with what they say of the servers behind.
const maxMenuTokens = 600

// TestTheMenuIsSmall counts the tools of discovery as clients get them, with
// few and with many servers behind.
func TestTheMenuIsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	for _, servers := range []int{1, 5, 40, 100} {
		t.Run(fmt.Sprint(servers), func(t *testing.T) {
			behind := products(servers)
			svc := newFleet(t, behind).behind(t, "")
			var list struct{ Tools []json.RawMessage }
			if err := json.Unmarshal(newFace(t, svc).ask("tools/list", "{}"), &list); err != nil {
				t.Fatal(err)
			}
			menu := discovery(t, list.Tools)
			if n := tokens.Count(menu); n >= maxMenuTokens {
				t.Errorf("%d tokens, allowed are fewer than %d: %s", n, maxMenuTokens, menu)
			} else {
				t.Logf("%d tokens, %d bytes", n, len(menu))
			}
			if first := slices.Sorted(maps.Keys(behind))[0]; !strings.Contains(menu, "Servers: "+first) {
				t.Errorf("the menu does not begin with %s: %s", first, menu)
			}
		})
	}
}

// discovery is the JSON list of the five tools among all.
func discovery(t *testing.T, list []json.RawMessage) string {
	t.Helper()
	five := map[string]bool{"list_servers": true, "search_tools": true, "list_tools": true, "get_tool_details": true, "execute_tool": true}
	var out []json.RawMessage
	for _, raw := range list {
		var tool struct{ Name string }
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		if five[tool.Name] {
			out = append(out, raw)
		}
	}
	if len(out) != len(five) {
		t.Fatalf("%d of the five tools are listed", len(out))
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// products are n servers called as those of real products are, of six tools
// each.
func products(n int) map[string]string {
	names := strings.Fields(`github filesystem slack postgres sentry airtable asana atlassian-jira atlassian-confluence auth0 aws-cloudwatch
		aws-documentation azure-devops bigquery bitbucket box brave-search browserbase calendly canva chroma-vector-database circleci clickhouse
		clickup cloudflare-workers context7 datadog discord docker dropbox dynatrace elasticsearch exa-search figma-context firecrawl gitlab gmail
		google-calendar google-drive google-maps grafana home-assistant hubspot hugging-face intercom kubernetes linear mailchimp memory-bank
		microsoft-365 milvus mongodb monday neo4j-cypher netlify newrelic notion obsidian-vault opsgenie pagerduty paypal perplexity-ask pinecone
		playwright posthog prometheus puppeteer qdrant redis salesforce sequential-thinking shopify-storefront snowflake sonarqube spotify stripe
		supabase telegram terraform-registry todoist trello twilio typeform vercel weaviate webflow whatsapp-business wikipedia wordpress xero
		youtube-transcripts zapier zendesk zoom`)
	things := strings.Fields("issue page project user comment file invoice event deployment alert message order")
	out := map[string]string{}
	for i := range n {
		name := names[i%len(names)]
		if i >= len(names) {
			name += []string{"", "-staging", "-eu-west"}[i/len(names)]
		}
		var tools []string
		for j, verb := range []string{"list", "get", "create", "update", "delete", "search"} {
			thing := things[(i+j/2)%len(things)]
			tools = append(tools, fmt.Sprintf(`{"name":"%s_%s","description":"%s %s of %s","inputSchema":{"type":"object"}}`, verb, thing, verb, thing, name))
		}
		out[name] = strings.Join(tools, ",")
	}
	return out
}
