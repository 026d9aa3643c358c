package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// failure is an error in the server's words.
type failure struct {
	Text   string
	Type   string // or code, if that is a word
	Status int    // if the body has one; 0 otherwise
	Prompt int    // tokens of the prompt; 0 unknown
	Window int    // tokens of the window; 0 unknown
}

// parseFailure parses the forms of errors: {"error": text}, {"error": {"message": ...}},
// {"message": ...}, {"detail": ...} and plain text.
func parseFailure(body []byte) failure {
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message loose           `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Type    loose           `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return failure{Text: sanitize.OneLine(string(body), maxText)}
	}
	inner := outer.Error
	if len(inner) == 0 || string(inner) == "null" {
		f := failure{Text: string(outer.Message), Type: string(outer.Type)}
		if f.Text == "" && len(outer.Detail) > 0 {
			f.Text = string(wordOf(outer.Detail))
		}
		return f.withCode(outer.Code).orQuote(body)
	}
	var e struct {
		Message loose           `json:"message"`
		Type    loose           `json:"type"`
		Code    json.RawMessage `json:"code"`
		Prompt  int             `json:"n_prompt_tokens"`
		Window  int             `json:"n_ctx"`
	}
	if json.Unmarshal(inner, &e) != nil || e.Message == "" {
		return failure{Text: string(wordOf(inner))}.orQuote(body)
	}
	return failure{Text: string(e.Message), Type: string(e.Type), Prompt: e.Prompt, Window: e.Window}.withCode(e.Code)
}

// wordOf returns a JSON string's text, or other JSON unchanged.
func wordOf(data json.RawMessage) loose {
	var s string
	if json.Unmarshal(data, &s) == nil {
		return loose(s)
	}
	return loose(sanitize.OneLine(string(data), maxText))
}

func (f failure) withCode(code json.RawMessage) failure {
	if n, err := strconv.Atoi(string(code)); err == nil && n >= 400 && n < 600 {
		f.Status = n
	}
	var word string
	if json.Unmarshal(code, &word) == nil && word != "" {
		f.Type += " " + word
	}
	return f
}

func (f failure) orQuote(body []byte) failure {
	if strings.TrimSpace(f.Text) == "" {
		f.Text = sanitize.OneLine(string(body), maxText)
	}
	return f
}

// Phrases that servers are known to use for their errors, in the order in which they
// are looked for.
var wordings = []struct {
	kind string
	is   *lazyregexp.Regexp
}{
	{model.Overflow, wordsRegexp(`exceed_context_size|context_length_exceeded|exceeds? the available context|maximum context length|maximum model length` +
		`|context (window|size|length) (of|has been) |exceed(s|ed)? (the )?context|context the overflows|context overflow|input length exceeds` +
		`|(greater|longer|larger) than the context|reached context length|n_keep.{0,40}n_ctx|too long for the context|too large to process`)},
	{model.Refused, wordsRegexp(`insufficient_quota|exceeded your current quota|billing`)},
	{model.Busy, wordsRegexp(`loading model|model is loading|being loaded|overloaded|unavailable_error|too many requests|rate.?limit|queue is full|server (is )?busy|no slot`)},
	{model.NotFound, wordsRegexp(`model_not_found|no models? (is |are )?loaded|model.{0,200}(not found|does not exist|not exist|is not loaded|unloaded)|(could not|cannot|can't) find.{0,80}model|not_found_error.*model|unknown model|invalid model`)},
	{model.NotFound, wordsRegexp(`unexpected endpoint|file not found|no route|cannot (post|get) /`)},
	{model.Unsupported, wordsRegexp(`not_supported_error|(tools?|functions?|tool_choice|tool choice|embeddings?)\b.{0,60}(not|n't|un)[ -]?support|not support.{0,60}(tool|function|embedding)|does not support` +
		`|enable-auto-tool-choice|grammar|generate parser|json schema|jinja`)},
}

func wordsRegexp(pattern string) *lazyregexp.Regexp { return lazyregexp.New(`(?is)` + pattern) }

// classifyFailure converts a server's error to one of the port. Its words tell more than the
// status, which is 200 or 500 for many errors.
func classifyFailure(status int, f failure) *model.Error {
	if f.Status != 0 && status/100 == 2 {
		status = f.Status
	}
	e := &model.Error{Kind: kindOf(status, f)}
	e.Message, e.Do = wordError(e.Kind, status, f)
	return e
}

func kindOf(status int, f failure) string {
	switch status {
	case 401, 403:
		return model.Refused
	}
	said := f.Type + "\n" + f.Text
	for _, w := range wordings {
		if w.is.MatchString(said) {
			return w.kind
		}
	}
	switch {
	case status == 404:
		return model.NotFound
	case status == 413:
		return model.Overflow
	case status == 429, status == 502, status == 503, status == 504, status == 529:
		return model.Busy
	case status == 501:
		return model.Unsupported
	case status >= 400 && status < 500:
		return model.Refused
	}
	return model.Broken
}

// maxText limits how much of a server's own words is shown, in bytes.
const maxText = 300

// wordError words an error for the reader of the answer.
func wordError(kind string, status int, f failure) (message, do string) {
	text := cmp.Or(sanitize.OneLine(f.Text, maxText), "it does not say why")
	switch kind {
	case model.Overflow:
		message = "the prompt is longer than the window: " + text
		if f.Prompt > 0 && f.Window > 0 {
			message = fmt.Sprintf("the prompt has %d tokens and the window %d", f.Prompt, f.Window)
		}
		return message, "load the model with a longer context, or send less"
	case model.Busy:
		return "the server is busy: " + text, ""
	case model.NotFound:
		if strings.Contains(strings.ToLower(f.Type+f.Text), "model") {
			return "the server has no such model: " + text, ""
		}
		return "the server knows no such address: " + text, "its url normally ends in /v1"
	case model.Refused:
		if status == 401 {
			return "the server wants a key: " + text, "write the name of an environment variable that holds it as key: in the configuration"
		}
		if status == 403 {
			return "the key may not do this: " + text, "allow it at the server, or name another key's environment variable as key:"
		}
		return "the server refused the request: " + text, ""
	case model.Unsupported:
		return "the server cannot do this: " + text, ""
	}
	return "the server failed: " + text, "look into its log"
}

// emptyError returns the error for an answer without content.
func emptyError(finish string) *model.Error {
	e := &model.Error{
		Kind: model.Empty, Message: "the answer has no content",
		Do: "where the prompt fills the window, load the model with a longer context",
	}
	if finish == "length" {
		e.Do = "allow it more tokens"
	}
	return e
}

// alienError returns the error for a body that does not follow the protocol.
func alienError(data []byte) *model.Error {
	return &model.Error{
		Kind: model.Broken, Message: "the reply does not follow the protocol: " + sanitize.OneLine(string(data), maxText),
		Do: "look whether its url is that of a model server and ends in /v1",
	}
}
