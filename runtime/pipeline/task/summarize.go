package task

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Limits of a summary, in tokens.
const (
	summaryLeast = 50
	summaryUsual = 300
	summaryMost  = 4000
)

const summarizeRules = fence.Rule + `
Say nothing that the data does not show. Keep names, paths, numbers and messages of errors as they are written. ` + objectRules

const (
	summaryBegins = "Begin with what it comes to: results, states, errors."
	summaryAbout  = "The tool that gave it, and the calls before:"
	summaryData   = "The data:"
)

// summarizeTask returns the task that shortens a text. The program ensures that what matters
// survives: it leaves out sentences with a name or number that the text does not have, and adds
// error lines, paths, names and numbers that the model left out, as far as there is room.
func summarizeTask() Task {
	least, most := float64(summaryLeast), float64(summaryMost)
	in := object(
		required("text", &schema.Schema{Type: schema.String, Doc: "what is summarized"}),
		optional("focus", &schema.Schema{Type: schema.String, Doc: "what it is read for"}),
		optional("about", &schema.Schema{Doc: "the call that gave it, {server, tool, arguments}, and recent, a list of those before it; the last five are told"}),
		optional("facts", &schema.Schema{Type: schema.Boolean, Doc: "add errors, paths, names and numbers that the model left out", Default: true}),
		optional("most", &schema.Schema{Type: schema.Integer, Doc: "tokens of the summary at most", Default: summaryUsual, Min: &least, Max: &most}))
	out := object(required("summary", &schema.Schema{Type: schema.String, Doc: "the text in few words, with the names and numbers that matter"}))
	return Task{Name: "summarize", Kind: "summarization", Doc: "shorten a text and keep its names, numbers and errors", In: in, Out: out, Asked: "focus",
		Rules: summarizeRules, TokensIn: 12_000, TokensOut: summaryUsual, Form: &Form{
			Put: func(c *Case, room int) Question { return putSummary(c, room, out) },
			Apply: func(c *Case, q Question, reply map[string]any) (map[string]any, int, bool) {
				return applySummary(c, reply, out)
			},
			TokensOut: func(c *Case) int { return c.summaryMost() + 40 },
		}}
}

// summaryMost returns the token limit of the summary.
func (c *Case) summaryMost() int {
	n, ok := toInt(c.Input["most"])
	if !ok {
		return summaryUsual
	}
	return min(max(n, summaryLeast), summaryMost)
}

func (c *Case) inputText() string {
	s, _ := c.Input["text"].(string)
	return s
}

func putSummary(c *Case, room int, out *schema.Schema) Question {
	lead, shown := c.writeLead(room/4, func(room int) (string, string) {
		focus, _ := c.Input["focus"].(string)
		if focus = Shortened(focus, room); focus == "" {
			return "Summarize the data.", ""
		}
		return "Summarize the data. What matters: " + focus, focus
	})
	if about := c.describeCalls(min(room/6, aboutMost)); about != "" {
		lead += "\n\n" + summaryAbout + "\n" + fence.Wrap(about, shown) + "\n\n" + summaryData
		shown = strings.TrimSpace(shown + "\n" + about)
	}
	ask := fmt.Sprintf("Write at most %d words. "+summaryBegins+"\nForm: %s", c.summaryMost()*6/10, Example(out))
	data := Cut(c.inputText(), room-Roughly(lead, ask, summarizeRules)-lineCost(c.inputText(), room))
	return Question{Text: lead + "\n\n" + fence.Wrap(data, shown) + "\n\n" + ask, Shape: out, Shown: shown + "\n" + data}
}

// lineCost estimates the tokens of the bars before the lines, at most.
func lineCost(text string, room int) int { return min(2*strings.Count(text, "\n"), room/4) + 8 }

func applySummary(c *Case, reply map[string]any, out *schema.Schema) (map[string]any, int, bool) {
	said, _ := reply["summary"].(string)
	source := sanitize.Neutral(c.inputText())
	g := NewGrounds("", summarizeRules, source)
	told := rootsOf(summarizeRules + summaryBegins + " Summarize the data. What matters: " + summaryAbout + c.Told)
	var kept []string
	dropped := 0
	for _, s := range splitStatements(sanitize.Neutral(said)) {
		if !g.knowsParts(s) || repeatsItself(s) || repeatsRules(s, told) || link.MatchString(s) && g.firstUnknown(s) != "" {
			dropped++
			continue
		}
		kept = append(kept, s)
	}
	if text := strings.Join(kept, " "); text == "" || !g.sharesWords(text) {
		return nil, dropped + len(kept), false
	}
	f := facts{}
	if wanted, ok := c.Input["facts"].(bool); wanted || !ok {
		f = factsOf(source)
	}
	return c.fit(map[string]any{"summary": withFacts(kept, f, c.summaryMost())}, out, dropped, true)
}

// repeatsRules reports whether a sentence has only words from our own instructions: small
// models repeat what they were asked to do.
func repeatsRules(s string, told map[string]bool) bool {
	return !strings.ContainsFunc(s, unicode.IsDigit) && !slices.ContainsFunc(wordsOf(s), func(w string) bool { return !fillers()[w] && !told[words.Root(w)] })
}

func rootsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range wordsOf(text) {
		out[words.Root(w)] = true
	}
	return out
}

// splitStatements splits a text into sentences and lines.
func splitStatements(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		for _, s := range splitSentences(strings.TrimSpace(line)) {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// sharesWords reports whether at least two content words of a text occur in what was shown:
// an apology, or a text about something else, is not a summary.
func (g *Grounds) sharesWords(text string) bool {
	shown := map[string]bool{}
	for _, w := range wordsOf(text) {
		if !fillers()[w] && g.stems[words.Root(w)] {
			shown[words.Root(w)] = true
		}
	}
	return len(shown) >= 2
}

// withFacts writes a summary of at most most tokens: what was said, and the facts that it
// lacks, as far as there is room. Facts may take up to half of it.
func withFacts(said []string, f facts, most int) string {
	text := strings.Join(said, " ")
	added := f.writeMissing(text, most/2)
	room := most
	if added != "" {
		room -= tokens.Count(added) + 2
	}
	text = firstOf(said, room)
	if added = f.writeMissing(text, most-tokens.Count(text)-2); added != "" { // what was cut off may be among them
		text = strings.TrimSpace(text + "\n" + added)
	}
	for !tokens.Fits(text, most) && text != "" { // joining the parts can cost another token
		text = strings.ToValidUTF8(text[:len(text)*9/10], "")
	}
	return text
}

// firstOf returns as many of the sentences as fit, at least part of the first.
func firstOf(list []string, room int) string {
	text := ""
	for _, s := range list {
		next := strings.TrimSpace(text + " " + s)
		if !tokens.Fits(next, room) {
			break
		}
		text = next
	}
	if text == "" && len(list) > 0 {
		text = list[0]
		for !tokens.Fits(text, room) && text != "" {
			text = strings.ToValidUTF8(text[:len(text)*3/4], "")
		}
	}
	return text
}
