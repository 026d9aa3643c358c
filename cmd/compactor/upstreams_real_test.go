package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const proxied = "\ngateway: surface: \"both\"\nservers: "

// A server's tools are defined and answer through compactor as they do directly,
// whatever the transport.
func TestEverything(t *testing.T) {
	for _, transport := range []string{"stdio", "http", "sse"} {
		t.Run(transport, func(t *testing.T) {
			direct := dial(t, `{}`, nil, nil, npmServer(t, "everything"), "stdio")
			up := everything(t, transport)
			through := front(t, proxied+"everything: {"+up.cue+"}", `{}`, nil)
			settled(through, len(sameDefinitions(t, direct, through, "everything")))
			t.Run("results", func(t *testing.T) { sameResults(t, direct, through, "everything", everythingCalls) })
			t.Run("environment", func(t *testing.T) { keptEnvironment(t, through) })
			t.Run("wrong arguments", func(t *testing.T) { wrongArguments(t, direct, through) })
			t.Run("progress", func(t *testing.T) { sameProgress(t, direct, through) })
			t.Run("cancellation", func(t *testing.T) { cancelled(t, through, up) })
			t.Run("resources", func(t *testing.T) { sameResources(t, direct, through) })
			t.Run("prompts", func(t *testing.T) { samePrompts(t, direct, through) })
			t.Run("completion", func(t *testing.T) { sameCompletion(t, direct, through) })
			t.Run("subscription", func(t *testing.T) { subscribed(t, through) })
			t.Run("logging", func(t *testing.T) { logged(t, through) })
		})
	}
}

// sameDefinitions checks that what is listed differs in the name only, and gives
// the direct definitions.
func sameDefinitions(t *testing.T, direct, through *peer, server string) map[string]json.RawMessage {
	t.Helper()
	want := direct.list("tools/list", "tools", "name")
	settled(through, len(want))
	got := through.list("tools/list", "tools", "name")
	for name, raw := range want {
		listed := server + "__" + name
		if got[listed] == nil {
			t.Errorf("%s is not listed", listed)
			continue
		}
		if !sameMeaning(t, got[listed], named(t, raw, listed)) {
			t.Errorf("%s is\n%s\nnot\n%s", listed, got[listed], raw)
		}
	}
	for name := range got {
		own, is := strings.CutPrefix(name, server+"__")
		if is && want[own] == nil {
			t.Errorf("%s is listed, and the server has no such tool", name)
		}
	}
	t.Logf("%s: %d definitions", server, len(want))
	return want
}

// everythingCalls have a result of each kind.
var everythingCalls = [][2]string{
	{"echo", `{"message":"hällo 🌍 \u2028 <&>"}`},
	{"get-sum", `{"a":2.5,"b":-3}`},
	{"get-tiny-image", `{}`},
	{"get-structured-content", `{"location":"New York"}`},
	{"get-structured-content", `{"location":"Chicago"}`},
	{"get-annotated-message", `{"messageType":"error","includeImage":true}`},
	{"get-annotated-message", `{"messageType":"success"}`},
	{"get-annotated-message", `{"messageType":"debug","includeImage":false}`},
	{"get-resource-reference", `{"resourceType":"Text","resourceId":1}`},
	{"get-resource-reference", `{"resourceType":"Blob","resourceId":2}`},
	{"get-resource-reference", `{"resourceType":"Text","resourceId":-1}`}, // an error of the tool
	{"get-resource-links", `{"count":4}`},
	{"gzip-file-as-resource", `{"name":"a.gz","data":"data:text/plain,hello","outputType":"resource"}`},
	{"gzip-file-as-resource", `{"name":"b.gz","data":"data:text/plain,hello","outputType":"resourceLink"}`},
	{"gzip-file-as-resource", `{"name":"c.gz","data":"ftp://host/file"}`},        // an error of the tool
	{"simulate-research-query", `{"topic":"python"}`},                            // needs a task, which nobody asked for
	{"trigger-long-running-operation", `{"duration":0.01,"steps":1}`},            // no progress wanted
	{"get-annotated-message", `{"messageType":"error","_unknown":"left alone"}`}, // more than the schema names
}

// sameResults checks calls under the listed name and through execute_tool.
func sameResults(t *testing.T, direct, through *peer, server string, calls [][2]string) {
	t.Helper()
	for _, c := range calls {
		listed := server + "__" + c[0]
		check := func(how string, ask func() spoken) {
			t.Helper()
			var want, got spoken
			for range 3 { // some results name the second they were made in
				want, got = direct.call(c[0], c[1]), ask()
				if sameAnswer(t, want, got) {
					return
				}
			}
			t.Errorf("%s %s, %s:\n%s%s\nnot\n%s%s", listed, c[1], how, short(got.Result), got.Error, short(want.Result), want.Error)
		}
		check("by its name", func() spoken { return through.call(listed, c[1]) })
		if direct.call(c[0], c[1]).Error == nil { // a JSON-RPC error has no form there
			check("by execute_tool", func() spoken {
				return through.call("execute_tool", fmt.Sprintf(`{"tool":%q,"arguments":%s}`, listed, c[1]))
			})
		}
	}
	t.Logf("%s: %d results", server, len(calls))
}

func sameAnswer(t *testing.T, a, b spoken) bool {
	t.Helper()
	if (a.Error == nil) != (b.Error == nil) {
		return false
	}
	if a.Error != nil {
		return sameMeaning(t, a.Error, b.Error)
	}
	return sameMeaning(t, a.Result, b.Result)
}

// keptEnvironment: a server sees nothing of the environment it was not given.
func keptEnvironment(t *testing.T, through *peer) {
	if m := through.call("everything__get-env", `{}`); m.Error != nil || strings.Contains(string(m.Result), "NOT_FOR_SERVERS") {
		t.Errorf("%s%s", short(m.Result), m.Error)
	}
}

// wrongArguments are answered by us, with more than the server says.
func wrongArguments(t *testing.T, direct, through *peer) {
	for _, c := range [][2]string{{"get-sum", `{"a":"x","b":1}`}, {"echo", `{}`}, {"get-structured-content", `{"location":"Paris"}`}} {
		own, ours := direct.call(c[0], c[1]), through.call("everything__"+c[0], c[1])
		if !strings.Contains(string(own.Result), `"isError":true`) || !strings.Contains(string(ours.Result), `"isError":true`) {
			t.Errorf("%v: %s%s and %s%s", c, own.Result, own.Error, ours.Result, ours.Error)
		}
		if !strings.Contains(string(ours.Result), `\"properties\"`) {
			t.Errorf("%v: no schema in %s", c, ours.Result)
		}
	}
}

// Files of each kind, and a store that changes.
func TestFilesystemAndMemory(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	picture, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	for name, data := range map[string]string{"a.txt": "one\ntwo\nthree\n", "dot.png": string(picture), "tone.wav": "RIFF\x26\x00\x00\x00WAVEfmt ", "raw.bin": "\x00\xff"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, memory := npmServer(t, "filesystem"), npmServer(t, "memory")
	directFiles := dial(t, `{}`, nil, nil, files, dir)
	directMemory := dial(t, `{}`, nil, []string{"MEMORY_FILE_PATH=" + filepath.Join(t.TempDir(), "direct.json")}, memory)
	through := front(t, proxied+fmt.Sprintf(`{
	files: {command: %q, args: [%q]}
	memory: {command: %q, env: MEMORY_FILE_PATH: %q}
}`, files, dir, memory, filepath.Join(t.TempDir(), "through.json")), `{}`, nil)
	settled(through, len(directFiles.list("tools/list", "tools", "name"))+len(directMemory.list("tools/list", "tools", "name")))
	sameDefinitions(t, directFiles, through, "files")
	sameDefinitions(t, directMemory, through, "memory")
	at := func(tool, name, more string) [2]string {
		return [2]string{tool, fmt.Sprintf(`{"path":%q%s}`, filepath.Join(dir, name), more)}
	}
	sameResults(t, directFiles, through, "files", [][2]string{
		at("read_text_file", "a.txt", ""), at("read_text_file", "a.txt", `,"head":1`), at("read_text_file", "gone.txt", ""),
		at("read_media_file", "dot.png", ""), at("read_media_file", "tone.wav", ""), at("read_media_file", "raw.bin", ""),
		at("list_directory", "", ""), at("directory_tree", "", ""), at("list_directory_with_sizes", "", ""), at("search_files", "", `,"pattern":"*.txt"`),
		at("read_file", "../../etc/passwd", ""), at("write_file", "b.txt", `,"content":"new"`), at("create_directory", "sub", ""),
		at("edit_file", "a.txt", `,"edits":[{"oldText":"two","newText":"2"}],"dryRun":true`), {"list_allowed_directories", `{}`},
		{"read_multiple_files", fmt.Sprintf(`{"paths":[%q,%q]}`, filepath.Join(dir, "a.txt"), filepath.Join(dir, "gone.txt"))},
	})
	for _, wants := range []string{`"type":"image"`, `"type":"audio"`} { // that the kinds were there at all
		if a, b := directFiles.call("read_media_file", at("", "dot.png", "")[1]), directFiles.call("read_media_file", at("", "tone.wav", "")[1]); !strings.Contains(string(a.Result)+string(b.Result), wants) {
			t.Errorf("no %s in %s %s", wants, a.Result, b.Result)
		}
	}
	changing := [][2]string{
		{"create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["wrote a program"]},{"name":"Engine","entityType":"machine","observations":[]}]}`},
		{"create_relations", `{"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]}`},
		{"add_observations", `{"observations":[{"entityName":"Ada","contents":["in 1843"]}]}`},
		{"add_observations", `{"observations":[{"entityName":"Nobody","contents":["x"]}]}`},
		{"read_graph", `{}`}, {"search_nodes", `{"query":"ada"}`}, {"open_nodes", `{"names":["Engine"]}`},
		{"delete_relations", `{"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]}`}, {"read_graph", `{}`},
	}
	for _, c := range changing { // once each: their results depend on those before
		if want, got := directMemory.call(c[0], c[1]), through.call("memory__"+c[0], c[1]); !sameAnswer(t, want, got) {
			t.Errorf("%v: %s%s, not %s%s", c, got.Result, got.Error, want.Result, want.Error)
		}
	}
	t.Logf("memory: %d results", len(changing))
}

// names of a map, sorted, for messages.
func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
