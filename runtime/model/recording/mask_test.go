package recording_test

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// A server's answer is kept without secrets, and passes to the client as it is.
func TestARecordingHoldsNoSecretOfAnAnswer(t *testing.T) {
	const key, pass = "q8Zr7mVt2KxLp9" + "WdHs4NbYc6JfGu1EaT", "Tr0ub4dor" + "&3xyz"
	for name, c := range map[string]struct{ kind, body, want string }{
		"error": {"application/json", `{"error":{"message":"refused: Authorization: Bearer ` + key + `","password":"` + pass + `"}}`,
			`{"error":{"message":"refused: Authorization: Bearer [REDACTED:auth-header]","password":"[REDACTED:password]"}}`},
		"stream": {"text/event-stream", "data: {\"delta\":{\"passwords\":[\"" + pass + "\"]}}\r\n\r\ndata: [DONE]\n\n",
			"data: {\"delta\":{\"passwords\":[\"[REDACTED:password]\"]}}\r\n\r\ndata: [DONE]\n\n"},
		"lines": {"application/x-ndjson", `{"message":{"password":"` + pass + `"}}` + "\n" + `{"done":true,"total_duration":1234567890}` + "\n",
			`{"message":{"password":"[REDACTED:password]"}}` + "\n" + `{"done":true,"total_duration":1234567890}` + "\n"},
		"laid out": {"application/json", "{\n  \"passwords\": {\n    \"prod\": \"" + pass + "\"\n  }\n}\n", "{\n  \"passwords\": {\n    \"prod\": \"[REDACTED:password]\"\n  }\n}\n"},
		"name of an answer": {"application/json", `{"object":"chat.completion","password":"` + pass + `","id":"chatcmpl-ThAF9GDo8wH63oSTPMAvkws3maP5Fokj"}`,
			`{"object":"chat.completion","password":"[REDACTED:password]","id":"chatcmpl-ThAF9GDo8wH63oSTPMAvkws3maP5Fokj"}`},
		"name of a stream": {"text/event-stream", "data: {\"id\":\"chatcmpl-ThAF9GDo8wH63oSTPMAvkws3maP5Fokj\"}\n\n", "data: {\"id\":\"chatcmpl-ThAF9GDo8wH63oSTPMAvkws3maP5Fokj\"}\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				_, _ = io.WriteString(w, c.body)
			}, func(client model.Doer, base string) {
				if got := ask(t, t.Context(), client, "POST", base+"/v1/x", `{}`); got.body != c.body {
					t.Errorf("the client was given %q", got.body)
				}
			})
			file, err := os.ReadFile(path)
			if err != nil || strings.Contains(string(file), key) || strings.Contains(string(file), pass) {
				t.Errorf("%v: %s", err, file)
			}
			all, err := recording.Read(path)
			if err != nil || len(all) != 1 || string(all[0].Body) != c.want {
				t.Errorf("%q, want %q", all[0].Body, c.want)
			}
		})
	}
}
