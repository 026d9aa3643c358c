package rank

import (
	"regexp"
	"strconv"
	"strings"
)

func firstSentence(s string) int {
	s2 := strings.TrimSpace(s)
	off := len(s) - len(strings.TrimLeft(s, " \n\t"))
	for i := 0; i < len(s2); i++ {
		c := s2[i]
		if c == '\n' && i > 10 {
			return off + i
		}
		if (c == '.' || c == '?' || c == '!') && i+1 < len(s2) && (s2[i+1] == ' ' || s2[i+1] == '\n') && i > 10 {
			return off + i + 1
		}
		if i > 300 {
			return off + i
		}
	}
	return len(s)
}

var (
	reURL      = regexp.MustCompile(`https?://[^\s)>\]"']+`)
	reTemplate = regexp.MustCompile(`(?m)<!--[\s\S]*?-->`)
	rePath     = regexp.MustCompile(`[\w@.~+/\\-]*[\w-]\.(?:py|pyx|pyi|go|js|mjs|cjs|jsx|ts|mts|cts|tsx|vue|java|kt|rs|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|scala|json|ya?ml|toml|md|cfg|ini|css|html|proto)(?:\b|$)(?:[:#]L?\d+)?`)
	rePyFrame  = regexp.MustCompile(`File "([^"]+)", line (\d+), in (\S+)`)
	reJava     = regexp.MustCompile(`at ([\w$.]+)\.([\w$<>]+)\(([\w$]+\.\w+):(\d+)\)`)
	reModule   = regexp.MustCompile(`\b[a-z_][\w]*(?:\.[a-zA-Z_]\w*){1,6}\b`)
)

func dropNoise(s string) string {
	s = reTemplate.ReplaceAllString(s, " ")
	return reURL.ReplaceAllString(s, " ")
}

func (p *parser) takeNamed(s string) string {
	for _, m := range rePyFrame.FindAllStringSubmatch(s, 20) {
		n, _ := strconv.Atoi(m[2])
		p.q.Named = append(p.q.Named, Named{Path: m[1], Line: n, Func: m[3], Kind: NamedFrame})
	}
	for _, m := range reJava.FindAllStringSubmatch(s, 20) {
		n, _ := strconv.Atoi(m[4])
		cls := strings.ReplaceAll(m[1], ".", "/")
		if i := strings.LastIndexByte(cls, '/'); i >= 0 {
			cls = cls[:i+1] + m[3]
		} else {
			cls = m[3]
		}
		p.q.Named = append(p.q.Named, Named{Path: cls, Line: n, Func: m[2], Kind: NamedFrame})
	}
	for _, m := range rePath.FindAllString(reURL.ReplaceAllString(s, " "), 40) {
		line := 0
		if i := strings.LastIndexAny(m, ":#"); i > 0 {
			line, _ = strconv.Atoi(strings.TrimLeft(m[i+1:], "L"))
			m = m[:i]
		}
		p.q.Named = append(p.q.Named, Named{Path: strings.ReplaceAll(m, "\\", "/"), Line: line, Kind: NamedPath})
	}
	for _, m := range reModule.FindAllString(s, 20) {
		p.q.Named = append(p.q.Named, Named{Path: m, Kind: NamedModule})
	}
	return s
}

func intentOf(s string) Intent {
	l := strings.ToLower(s)
	var in Intent
	in.Definition = regexp.MustCompile(`\bwhere (is|are|does|do|can)\b|\b(defined|implemented|declared|definition|implementation) ?(of|in|\?|$)|\bfind\b`).MatchString(l)
	return in
}

func (p *parser) addSynonyms() {
	q := p.q
	n := len(q.Terms)
	added := 0
	for t := 0; t < n; t++ {
		for _, w := range thesaurus[q.Terms[t].Stem] {
			st := string(stem([]byte(w)))
			if _, ok := q.index[st]; ok || added >= 64 || len(st) < 2 {
				continue
			}
			q.index[st] = len(q.Terms)
			q.Terms = append(q.Terms, Term{Stem: st, Word: w, Title: q.Terms[t].Title, Body: q.Terms[t].Body, Of: t})
			added++
		}
	}
}

var thesaurus = func() map[string][]string {
	m := map[string][]string{}
	for _, g := range synonyms {
		ws := strings.Fields(g)
		for _, a := range ws {
			st := string(stem([]byte(a)))
			for _, b := range ws {
				if string(stem([]byte(b))) != st {
					m[st] = append(m[st], b)
				}
			}
		}
	}
	return m
}()

var stopEnglish = stopWords["en"]
var stopBreaks = map[string]bool{}
