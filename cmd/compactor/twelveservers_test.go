package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// strangers are public servers as their users start them, and calls of them. W
// stands for the directory that they work in, URL for a web server of the test:
// nothing goes out to the network.
type stranger struct {
	name, program string
	dir           string
	args          []string
	env           map[string]string
	calls         [][2]string
}

var strangers = []stranger{
	{name: "git", program: "mcp-server-git", args: []string{"--repository", "W/repo"}, env: gitDates, calls: [][2]string{
		{"git_status", `{"repo_path":"W/repo"}`}, {"git_log", `{"repo_path":"W/repo","max_count":1}`},
		{"git_log", `{"repo_path":"W/repo","start_timestamp":null,"max_count":"2"}`}, // its validator makes a number of it
		{"git_diff_unstaged", `{"repo_path":"W/repo","_more":{"left":["alone"]}}`},
		{"git_show", `{"repo_path":"W/repo","revision":"HEAD"}`}, {"git_show", `{"repo_path":"W/repo","revision":"nowhere"}`},
		{"git_branch", `{"repo_path":"W/repo","branch_type":"local"}`}, {"git_create_branch", `{"repo_path":"W/repo","branch_name":"topic"}`},
		{"git_add", `{"repo_path":"W/repo","files":["b.txt"]}`}, {"git_diff_staged", `{"repo_path":"W/repo"}`},
		{"git_commit", `{"repo_path":"W/repo","message":"grün 🌍"}`}, {"git_diff", `{"repo_path":"W/repo","target":"topic","context_lines":0}`},
		{"git_checkout", `{"repo_path":"W/repo","branch_name":"topic"}`}, {"git_reset", `{"repo_path":"W/repo"}`}, {"git_status", `{"repo_path":"W"}`},
	}},
	{name: "time", program: "mcp-server-time", args: []string{"--local-timezone", "UTC"}, calls: [][2]string{
		{"get_current_time", `{"timezone":"Europe/Berlin"}`}, {"get_current_time", `{"timezone":"Nowhere/Else"}`},
		{"convert_time", `{"source_timezone":"UTC","time":"12:30","target_timezone":"Asia/Kathmandu"}`},
		{"convert_time", `{"source_timezone":"UTC","time":"noon","target_timezone":"Asia/Tokyo"}`},
		{"convert_time", `{"source_timezone":"UTC","time":"01:00","target_timezone":"Asia/Tokyo","_more":1}`},
	}},
	{name: "sqlite", program: "mcp-server-sqlite", args: []string{"--db-path", "W/data.db"}, calls: [][2]string{
		{"create_table", `{"query":"CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, word TEXT)"}`},
		{"write_query", `{"query":"INSERT INTO t (word) VALUES ('hällo'), ('a''b \"c\" <&>')"}`}, {"read_query", `{"query":"SELECT * FROM t"}`},
		{"list_tables", `{}`}, {"describe_table", `{"table_name":"t"}`}, {"read_query", `{"query":"SELECT * FROM gone"}`},
		{"read_query", `{"query":"DELETE FROM t"}`}, {"append_insight", `{"insight":"words are short"}`}, {"list_tables", `{"_more":true}`},
	}},
	{name: "fetch", program: "mcp-server-fetch", args: []string{"--ignore-robots-txt", "--allow-private-ips"}, calls: [][2]string{
		{"fetch", `{"url":"URL/page"}`}, {"fetch", `{"url":"URL/page","raw":true,"start_index":10,"max_length":40}`},
		{"fetch", `{"url":"URL/page","max_length":30}`}, {"fetch", `{"url":"URL/gone"}`}, {"fetch", `{"url":"http://127.0.0.1:1/"}`},
		{"fetch", `{"url":"URL/page","start_index":100000}`}, {"fetch", `{"url":"URL/page","max_length":20,"_more":null}`},
	}},
	{name: "arxiv", program: "arxiv-mcp-server", args: []string{"--storage-path", "W/papers"}, calls: [][2]string{
		{"list_papers", `{}`}, {"list_papers", `{"compact":false}`}, {"list_watches", `{}`}, {"unwatch_topic", `{"topic":"x"}`},
		{"watch_topic", `{"topic":"gateways","max_results":3}`}, {"list_watches", `{"_more":1}`}, {"read_paper", `{"paper_id":"2401.00001"}`},
		{"get_paper_outline", `{"paper_id":"2401.00001"}`}, {"search_paper_text", `{"paper_id":"2401.00001","query":"q","max_passages":2}`},
	}},
	{name: "sequential-thinking", program: "mcp-server-sequential-thinking", calls: [][2]string{
		{"sequentialthinking", `{"thought":"one","nextThoughtNeeded":true,"thoughtNumber":1,"totalThoughts":2}`},
		{"sequentialthinking", `{"thought":"two","nextThoughtNeeded":"false","thoughtNumber":"2","totalThoughts":2,"isRevision":true,"revisesThought":1}`},
		{"sequentialthinking", `{"thought":"three","nextThoughtNeeded":false,"thoughtNumber":3,"totalThoughts":2,"branchFromThought":1,"branchId":"b","_more":[]}`},
	}},
	{name: "playwright", program: "playwright-mcp", args: []string{"--headless", "--isolated", "--no-sandbox", "--executable-path", "CHROMIUM", "--output-dir", "W/seen"},
		calls: [][2]string{
			{"browser_navigate", `{"url":"file:///etc/passwd"}`}, {"browser_tabs", `{"action":"list"}`}, {"browser_navigate", `{"url":"URL/page"}`}, {"browser_snapshot", `{}`},
			{"browser_evaluate", `{"function":"() => document.title","_more":1}`}, {"browser_console_messages", `{"level":"error"}`},
			{"browser_click", `{"target":"e999"}`}, {"browser_take_screenshot", `{"scale":"css"}`}, {"browser_network_requests", `{"static":false}`},
			{"browser_close", `{}`},
		}},
	{name: "notion", program: "notion-mcp-server", env: map[string]string{"NOTION_TOKEN": "ntn_none", "BASE_URL": "URL/notion"}, calls: [][2]string{
		{"API-get-self", `{}`}, {"API-post-search", `{"query":"plans","_more":{}}`}, {"API-retrieve-a-page", `{"page_id":"gone"}`},
		{"API-post-page", `{"parent":{"page_id":"59833787-2cf9-4fdf-8782-e53db20768a5"},"properties":{"title":[{"text":{"content":"t"}}]}}`},
		{"API-post-page", `{"parent":"{\"page_id\":\"59833787-2cf9-4fdf-8782-e53db20768a5\"}","properties":{}}`},
		{"API-query-data-source", `{"data_source_id":"d","filter":{"property":"p"},"sorts":[],"page_size":5}`},
	}},
	{name: "context7", program: "context7-mcp", env: map[string]string{"CONTEXT7_API_URL": "URL/context7"}, calls: [][2]string{
		{"resolve-library-id", `{"query":"how to route","libraryName":"next.js"}`}, {"query-docs", `{"libraryId":"/vercel/next.js","query":"routing"}`},
		{"query-docs", `{"libraryId":"/gone/gone","query":"routing","_more":1}`},
	}},
	{name: "firecrawl", program: "firecrawl-mcp", env: map[string]string{"FIRECRAWL_API_KEY": "fc-none", "FIRECRAWL_API_URL": "URL/firecrawl"}, calls: [][2]string{
		{"firecrawl_scrape", `{"url":"URL/page"}`}, {"firecrawl_map", `{"url":"URL/page","limit":3}`},
		{"firecrawl_check_crawl_status", `{"id":"gone"}`}, {"firecrawl_search", `{"query":"gateways"}`},
	}},
	{name: "supabase", program: "mcp-server-supabase", args: []string{"--access-token", "sbp_0123456789abcdef0123456789abcdef01234567", "--api-url", "URL/supabase"},
		env: map[string]string{"SUPABASE_CONTENT_API_URL": "URL/supabase/docs"}, calls: [][2]string{
			{"list_organizations", `{}`}, {"list_projects", `{"_more":1}`}, {"get_project", `{"id":"gone"}`},
			{"list_tables", `{"project_id":"p"}`}, // its schemas have a default
			{"execute_sql", `{"project_id":"p","query":"select 1"}`},
		}},
	{name: "chrome-devtools", program: "chrome-devtools-mcp", args: []string{"--headless", "--isolated", "--no-usage-statistics", "--executablePath", "CHROMIUM",
		"--chromeArg=--no-sandbox"}, calls: [][2]string{
		{"list_pages", `{}`}, {"new_page", `{"url":"URL/page"}`}, {"take_snapshot", `{"pageId":2,"_more":1}`},
		{"evaluate_script", `{"pageId":2,"function":"() => document.title"}`}, {"list_console_messages", `{"pageId":2}`},
		{"click", `{"pageId":2,"uid":"9_9"}`}, {"close_page", `{"pageId":2}`}, {"close_page", `{"pageId":1}`},
	}},
}

// gitDates make commits the same whenever they are made.
var gitDates = map[string]string{
	"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "1715000000 +0000",
	"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_COMMITTER_DATE": "1715000000 +0000",
}

// toldStrangers are those whose program is in one of the directories of
// COMPACTOR_TWELVE, a list as in PATH, with what stands for something filled in.
func toldStrangers(t *testing.T, work, web string) []stranger {
	t.Helper()
	dirs := filepath.SplitList(os.Getenv("COMPACTOR_TWELVE"))
	if len(dirs) == 0 {
		t.Skip("COMPACTOR_TWELVE is not set")
	}
	chromium := os.Getenv("COMPACTOR_CHROMIUM")
	if chromium == "" {
		chromium = filepath.Join(work, "no-chromium") // what the servers say of that must come through too
	}
	fill := strings.NewReplacer("W/", work+"/", `"W"`, `"`+work+`"`, "URL/", web+"/", "CHROMIUM", chromium).Replace
	var found []stranger
	for _, s := range strangers {
		program := ""
		for _, dir := range dirs {
			if path := filepath.Join(dir, s.program); program == "" && exists(path) {
				program = path
			}
		}
		if program == "" {
			t.Logf("%s is not in COMPACTOR_TWELVE: left out", s.program)
			continue
		}
		told := stranger{name: s.name, program: program, dir: work, env: map[string]string{"HOME": filepath.Join(work, "home")}}
		for _, a := range s.args {
			told.args = append(told.args, fill(a))
		}
		for k, v := range s.env {
			told.env[k] = fill(v)
		}
		for _, c := range s.calls {
			told.calls = append(told.calls, [2]string{c[0], fill(c[1])})
		}
		found = append(found, told)
	}
	if len(found) == 0 {
		t.Fatal("COMPACTOR_TWELVE has none of the servers")
	}
	return found
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// freshWork makes the directory that the servers work in, as it is before each
// session: a repository of two commits with a change in it.
func freshWork(t *testing.T, work string) {
	t.Helper()
	repo := filepath.Join(work, "repo")
	if err := errors.Join(os.RemoveAll(work), os.MkdirAll(repo, 0o755), os.MkdirAll(filepath.Join(work, "home"), 0o755)); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main"}, args...)...)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "HOME="+work)
		for k, v := range gitDates {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	write("a.txt", "one\n")
	git("add", ".")
	git("commit", "-qm", "first")
	write("a.txt", "one\ntwo\n")
	git("commit", "-qam", "second")
	write("a.txt", "one\n2\n")
	write("b.txt", "new\n")
}

// offline is what the servers reach in place of the services they speak with.
func offline(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	say := func(pattern, kind string, status int, body string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	const page = `<html><head><title>Ein Titel</title></head><body><h1>Hällo</h1><p>` +
		`Words of a page that is long enough to be cut somewhere.</p><a href="/page">again</a></body></html>`
	say("/page", "text/html; charset=utf-8", 200, page)
	say("/favicon.ico", "image/png", 200, "")
	const json = "application/json"
	say("/notion/", json, 200, `{"object":"list","results":[{"id":"a","n":1.0,"text":"grün"}],"next_cursor":null}`)
	say("/notion/v1/pages/gone", json, 404, `{"object":"error","status":404,"code":"object_not_found","message":"no such page"}`)
	say("/context7/", json, 404, `{"error":"library_not_found","message":"no such library"}`)
	say("/firecrawl/", json, 200, `{"success":true,"data":{"markdown":"# Hällo","metadata":{"statusCode":200}},"links":["a","b"]}`)
	say("/supabase/", json, 404, `{"message":"Not found"}`)
	say("/supabase/v1/organizations", json, 200, `[{"id":"o","name":"Org","slug":"o"}]`)
	say("/supabase/docs", json, 200, `{"data":{"schema":"type RootQueryType { error(code: String!): String }"}}`)
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	return web.URL
}

func (s stranger) job(mode string) sdkJob {
	j := sdkJob{Command: s.program, Args: s.args, Env: s.env, Dir: s.dir, Mode: mode, Prefixes: []string{""}}
	for range 2 { // the second is for what execute_tool gives
		for _, c := range s.calls {
			j.Calls = append(j.Calls, sdkCall{c[0], json.RawMessage(c[1])})
		}
	}
	return j
}
