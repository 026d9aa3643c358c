package text

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/builtins/text/compact"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/judge"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ResultIn is the result of a tool call and what to shorten it for.
type ResultIn struct {
	Result    json.RawMessage `json:"result" doc:"as the tool gave it (content, structuredContent), or a text of that"`
	Tokens    int             `json:"tokens" doc:"of the short text at most, and of the short structured content" default:"1000" min:"20" max:"1000000"`
	Task      string          `json:"task,omitempty" doc:"what the user wants: what it names comes first"`
	Arguments json.RawMessage `json:"arguments,omitempty" doc:"of the call: what they name comes first too"`
	Recent    json.RawMessage `json:"recent,omitempty" doc:"the calls before: the names in them are worth less, for they are known"`
	Said      string          `json:"said,omitempty" doc:"what a model says of it: stands first as far as the result bears it out and the structure leaves room"`
	Reserve   int             `json:"reserve,omitempty" doc:"tokens that the structure leaves to what is said, whether or not anything is" min:"0" max:"1000000"`
	By        string          `json:"by,omitempty" doc:"who said it; left out, the models that answered in this run"`
	Schema    json.RawMessage `json:"schema,omitempty" doc:"that the structured content is held against"`
}

// ResultOut is the shortened result of a tool call.
type ResultOut struct {
	Text       string          `json:"text" doc:"at most as many tokens as asked"`
	Kind       string          `json:"kind" doc:"how it was read, such as json, log or diff"`
	Structured json.RawMessage `json:"structured,omitempty" doc:"the structured content made short; left out where none passes its schema"`
	By         string          `json:"by" doc:"structure; who said it, where some of that is in the text"`
	Said       string          `json:"said,omitempty" doc:"what of that is in the text"`
	Dropped    int             `json:"dropped" doc:"sentences that were said and the result does not bear out, or that had no room"`
}

// result returns the builtin that shortens the result of a tool call by its structure.
func result() catalog.Builtin {
	return catalog.New("text.result", "Make the result of a tool short: text and structured content", 0,
		func(_ context.Context, env *catalog.Env, in ResultIn) (ResultOut, error) {
			r := readOnce(env, in.Result)
			subject := compact.Subject{Task: in.Task, Arguments: string(in.Arguments), Known: string(in.Recent)}
			short, kind := shortenReceived(r, max(in.Tokens-in.Reserve, 1), subject)
			out := ResultOut{Text: short, Kind: kind, By: byStructure}
			out.Said, out.Dropped = BorneOut(r.text, in.Said, func(said string) bool { return tokens.Fits(said+"\n"+short, in.Tokens) })
			if out.Said != "" {
				out.Text, out.By = out.Said+"\n"+short, cmp.Or(in.By, modelNames(env), byModel)
			}
			out.Structured = shortenStructured(r.structured, in, subject)
			return out, nil
		})
}

// shortenReceived shortens a result by its structure and returns the kind it was read as. It does not depend on what a model
// says: a model's words take the remaining space and never displace a name.
func shortenReceived(r *received, most int, s compact.Subject) (text, kind string) {
	head, rest := "", r.document
	if r.failed {
		head = headOf(r.text, most/2)
		most = max(most-tokens.Count(head), 1)
		rest = compact.NewDocument(r.text[len(head):])
	}
	short := shortenToTokens(rest, most, s)
	return head + short.Text, string(short.Kind)
}

// byStructure is the author of a short text that was made without a model.
const byStructure = "structure"

// byModel is the author of a model's words when the model's name is unknown.
const byModel = "model"

// modelNames returns the names of the models that answered in this run so far.
func modelNames(env *catalog.Env) string {
	if env.Run == nil {
		return ""
	}
	return strings.Join(env.Run().Model.Models, ", ")
}

// received is the content of a tool result.
type received struct {
	text       string            // all texts joined, or the structured content if there are none
	document   *compact.Document // of the text
	structured json.RawMessage
	failed     bool // the result has isError set
}

// headOf returns the first lines of a text, up to most tokens: they say what went wrong and are kept whole.
func headOf(text string, most int) string {
	end := 0
	for line := range strings.Lines(text) {
		if len(line) > 8*most || !tokens.Fits(text[:end+len(line)], most) {
			break
		}
		end += len(line)
	}
	return text[:end]
}

// resultKey is the key of a result that was read: a digest, since the memo keeps it.
type resultKey [sha256.Size]byte

// readOnce returns what an earlier stage of the request read from a result, or reads it: it is
// shortened for the model that summarizes it, and again for the reply.
func readOnce(env *catalog.Env, raw json.RawMessage) *received {
	key := resultKey(sha256.Sum256(raw))
	r, ok := env.Memo.Get(key).(*received)
	if !ok {
		r = readResult(raw)
		r.document = compact.NewDocument(r.text)
		env.Memo.Put(key, r)
	}
	return r
}

func readResult(raw json.RawMessage) *received {
	var inner string
	if json.Unmarshal(raw, &inner) == nil {
		raw = json.RawMessage(inner)
	}
	var r struct {
		Content []struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			Resource struct {
				Text string `json:"text"`
			} `json:"resource"`
		} `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
	}
	if json.Unmarshal(raw, &r) != nil || r.Content == nil && r.StructuredContent == nil { // not an MCP result
		return &received{text: string(raw)}
	}
	var texts []string
	for _, c := range r.Content {
		if t := c.Text + c.Resource.Text; t != "" {
			texts = append(texts, t)
		}
	}
	out := &received{text: strings.Join(texts, "\n"), failed: r.IsError}
	if string(r.StructuredContent) != "null" {
		out.structured = r.StructuredContent
	}
	if out.text == "" {
		out.text = string(out.structured)
	}
	return out
}

// shortenToTokens shortens a text to a counted number of tokens. The number of bytes per token depends on the text, so it tries
// several byte limits until nearly all of the tokens are used.
func shortenToTokens(d *compact.Document, most int, s compact.Subject) (best compact.Summary) {
	const least = bytesPerToken
	bytes, over, fits, under := most*bytesPerToken, 0, 0, 0 // over is the smallest limit that gave too many tokens, under the largest that did not
	for tries := range maxTries {
		out := d.Shorten(compact.Options{Bytes: bytes, Subject: s, Dense: true})
		n := tokens.Count(out.Text)
		if n > most {
			over = bytes
			best.Kind = out.Kind
		} else {
			under = bytes
			if n >= fits {
				best, fits = out, n
			}
		}
		if fits >= most*wellFilled/100 || tries >= fewTries && fits >= most*filled/100 || n <= most && out.Whole {
			break
		}
		next := bytes * most / max(n, 1)
		if n > most {
			next = min(next, bytes*97/100) // a text that is slightly too long may hardly shrink
		}
		if under > 0 && next <= under || over > 0 && next >= over {
			next = (over + under) / 2
		}
		if next == bytes || next <= least || over > 0 && over-under < least*4 {
			break
		}
		bytes = next
	}
	for fits == 0 && bytes > least { // more tokens per byte than expected
		bytes = bytes * 9 / 10
		if out := d.Shorten(compact.Options{Bytes: bytes, Subject: s, Dense: true}); tokens.Count(out.Text) <= most {
			return out
		}
	}
	return best
}

const (
	// wellFilled is the percentage of the token limit that must be used before the search for a better fit stops.
	wellFilled = 99
	// filled is the percentage that is good enough after fewTries.
	filled   = 97
	fewTries = 2
	maxTries = 8
)

// minWords is the number of words a sentence needs to say anything: small models end in fragments such as headings.
const minWords = 3

// BorneOut returns the sentences of said that the source supports, as many whole ones as fit, and the number of
// sentences dropped.
func BorneOut(source, said string, fits func(string) bool) (string, int) {
	kept, dropped := "", 0
	for _, s := range splitSentences(said) {
		next := strings.TrimSpace(kept + " " + s)
		if len(strings.Fields(s)) < minWords || !isSupported(source, s) || !fits(next) {
			dropped++
			continue
		}
		kept = next
	}
	return kept, dropped
}

// isSupported reports whether a source contains the names, numbers and quotations of a sentence. A name that begins the
// sentence may be capitalized there and not in the source.
func isSupported(source, sentence string) bool {
	if len(compact.Faithful(source, sentence)) == 0 {
		return true
	}
	r, size := utf8.DecodeRuneInString(sentence)
	return unicode.IsUpper(r) && len(compact.Faithful(source, string(unicode.ToLower(r))+sentence[size:])) == 0
}

// splitSentences splits a text into its lines and their sentences.
func splitSentences(text string) (out []string) {
	for line := range strings.Lines(text) {
		for s := range strings.SplitSeq(strings.TrimSpace(line), ". ") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, strings.TrimRight(s, ".")+".")
			}
		}
	}
	return out
}

// shortenStructured shortens structured content in its own shape, or returns nil if no short form has that shape.
func shortenStructured(raw json.RawMessage, in ResultIn, s compact.Subject) json.RawMessage {
	if raw == nil {
		return nil
	}
	var validates func([]byte) bool
	if len(in.Schema) > 0 && string(in.Schema) != "null" {
		schema, err := judge.Compile(in.Schema)
		if err != nil {
			return nil // without a valid schema nothing can be checked
		}
		validates = func(b []byte) bool { return len(schema.Check(b)) == 0 }
	}
	bytes := in.Tokens * bytesPerToken
	for bytes >= bytesPerToken {
		short, err := compact.ShortenJSON(raw, compact.Options{Bytes: bytes, Subject: s, Dense: true}, validates)
		if err != nil {
			return nil
		}
		n := tokens.Count(string(short.JSON))
		if n <= in.Tokens {
			return rawjson.Line(short.JSON)
		}
		bytes = min(bytes*9/10, bytes*in.Tokens/n)
	}
	return nil
}
