package screen

import (
	"slices"
	"strconv"
	"strings"
)

// Links reports whether a terminal is known to support links (OSC 8), judging by the
// environment. One that does not might print the escape sequences. FORCE_HYPERLINK
// decides if it is set.
func Links(getenv func(string) string, terminal bool) bool {
	if force := getenv("FORCE_HYPERLINK"); force != "" {
		return force != "0" && terminal
	}
	term := getenv("TERM")
	if !terminal || term == "dumb" || getenv("TMUX") != "" || strings.HasPrefix(term, "screen") {
		return false
	}
	if vte, _ := strconv.Atoi(getenv("VTE_VERSION")); vte >= 5000 {
		return true
	}
	for _, name := range []string{"KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "WEZTERM_PANE", "DOMTERM"} {
		if getenv(name) != "" {
			return true
		}
	}
	return slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"}, getenv("TERM_PROGRAM")) ||
		slices.ContainsFunc([]string{"kitty", "alacritty", "foot", "ghostty"}, func(t string) bool { return strings.Contains(term, t) })
}

// Linker is a writer that can turn places into links.
type Linker interface {
	SetLinks(target func(place string) string)
}

// linkTo begins a link, or with an empty target ends it.
func linkTo(target string) string { return "\x1b]8;;" + target + "\x1b\\" }

// linkTarget returns the link target of the first word of a text; "" for none, and for one
// that could end the link's escape sequence early.
func (w *Wrapper) linkTarget(s Style, text string) string {
	if w.link == nil || s != Place {
		return ""
	}
	if i := strings.IndexAny(text, " \t\n"); i >= 0 {
		text = text[:i]
	}
	to := w.link(text)
	if strings.ContainsFunc(to, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return ""
	}
	return to
}
