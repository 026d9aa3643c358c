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

func (p *parser) addSynonyms() {}

var stopEnglish = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a about above after again all also am an and any are aren't as at be because been before being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don don't down during each either else etc every few for from further get gets getting got had hadn't has hasn't have haven't having he her here hers him his how i if in into is isn't it it's its itself just let like make makes making may maybe me might more most much must my myself need needs neither no nor not now of off ok on once one only onto or other our ours out over own per please rather really s same see seems shall she should shouldn't since so some still such t than that that's the their theirs them then there these they this those though through thus to too under until up upon us use used uses using via very was wasn't way we well were weren't what what's when where whether which while who whom whose why will with within without won won't would wouldn't yet you you're your yours ll re ve instead
	implemented defined declared implementation definition codebase located happen happens find show tell explain`) {
		m[w] = true
	}
	return m
}()
var stopBreaks = map[string]bool{}
