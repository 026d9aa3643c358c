package charset

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Patterns of the declarations that editors and browsers obey. Other mentions of an encoding are about something else.
var (
	declaredInComment = lazyregexp.New(`(?i)(?:coding[:=][ \t]*|@charset[ \t]+")([a-z][a-z0-9._-]+)`) // PEP 263, Emacs, CSS
	declaredInMarkup  = lazyregexp.New(`(?i)<(?:\?xml|meta)\b[^<>]{0,200}?(?:encoding|charset)[ \t]*=[ \t]*["']?([a-z][a-z0-9._-]+)`)
	declaredForVim    = lazyregexp.New(`(?i)\bvim?:.{0,200}?\b(?:fileencoding|fenc)=([a-z][a-z0-9._-]+)`)
)

// maxHeader is how much of the beginning of a text is searched for markup, and of its end for Vim's modeline, in bytes.
const maxHeader = 1 << 10

// declaredEncoding returns the encoding that a text declares, or nil.
func declaredEncoding(data []byte) (encoding.Encoding, string) {
	head, tail := data[:min(len(data), maxHeader)], data[max(0, len(data)-maxHeader):]
	lines := bytes.SplitAfterN(head, []byte("\n"), 3)
	first := bytes.Join(lines[:min(len(lines), 2)], nil)
	for _, p := range []struct {
		declares *lazyregexp.Regexp
		in       []byte
	}{{declaredInComment, first}, {declaredInMarkup, head}, {declaredForVim, head}, {declaredForVim, tail}} {
		if m := p.declares.FindStringSubmatch(string(p.in)); m != nil {
			return byName(m[1])
		}
	}
	return nil, ""
}

// codePages are encodings by names that Python knows but browsers do not.
var codePages = map[string]encoding.Encoding{
	"cp437": charmap.CodePage437, "cp850": charmap.CodePage850, "cp852": charmap.CodePage852, "cp932": japanese.ShiftJIS,
	"cp936": simplifiedchinese.GBK, "cp949": korean.EUCKR, "cp950": traditionalchinese.Big5,
}

// byName returns the encoding with a name; nil if it is unknown, for UTF-8 and UTF-16, which were ruled out before, and
// for encodings in which a line break can be part of a character.
func byName(written string) (encoding.Encoding, string) {
	name := strings.ToLower(written)
	for _, suffix := range []string{"-unix", "-dos", "-mac"} { // Emacs appends the line ending
		name = strings.TrimSuffix(name, suffix)
	}
	if enc := codePages[name]; enc != nil {
		return enc, name
	}
	for _, label := range []string{name, strings.ReplaceAll(name, "_", "-"), strings.ReplaceAll(name, "-", "")} { // latin-1
		enc, err := htmlindex.Get(label)
		if err != nil {
			continue
		}
		switch canonical, err := htmlindex.Name(enc); {
		case err != nil, strings.HasPrefix(canonical, "utf-"), canonical == "replacement", canonical == "x-user-defined", canonical == "iso-2022-jp":
			return nil, ""
		case canonical == "windows-1252":
			return enc, Windows1252
		default:
			return enc, canonical
		}
	}
	return nil, ""
}

// maxSample limits the sample of lines with more than ASCII, in bytes.
const maxSample = 2 << 10

// minShare is the minimum share of common letters among the characters beyond ASCII for a language to be detected.
const minShare = .3

// typography holds characters that occur in texts of all languages, also right after a letter.
const typography = "€°®©™±’‘“”„«»–—…·§\u00a0"

// language is a language that comments are written in, in one encoding.
type language struct {
	enc     encoding.Encoding
	name    string
	latin   bool
	letters string // the most common letters beyond ASCII
}

// languages lists what detectEncoding distinguishes. A letter beyond ASCII is next to ASCII letters in latin languages,
// and next to others of its kind in the rest. The first of equals wins.
//
// Common letters identify the encoding of a sentence or two. Detectors made for web pages compare the trigrams of a
// whole text, but most of a source file is English.
var languages = []language{
	{charmap.Windows1252, Windows1252, true, "äöüßÄÖÜ"},                          // German
	{charmap.Windows1252, Windows1252, true, "éèêëàâçîïôùûœÉÀ"},                  // French
	{charmap.Windows1252, Windows1252, true, "áéíóúñüÁÉÍÓÚÑ"},                    // Spanish
	{charmap.Windows1250, "Windows-1250", true, "áéíóöőúüűÁÉÖŐ"},                 // Hungarian
	{charmap.Windows1252, Windows1252, true, "ãõáéíóúâêôàçÃÁÉ"},                  // Portuguese
	{charmap.Windows1252, Windows1252, true, "àèéìòùÈ"},                          // Italian
	{charmap.Windows1252, Windows1252, true, "åäöæøéáíóúýþðÅÄÖÆØÞÐ"},             // Nordic languages
	{charmap.Windows1250, "Windows-1250", true, "ąćęłńóśźżĄĆĘŁŚŹŻ"},              // Polish
	{charmap.Windows1250, "Windows-1250", true, "áčďéěíňóřšťúůýžÁČŘŠŽ"},          // Czech
	{charmap.Windows1254, "Windows-1254", true, "çğıöşüİŞ"},                      // Turkish
	{charmap.Windows1251, "Windows-1251", false, "оеаинтсрвлкмдпОЕАИНТСРВЛКМДП"}, // Russian
	{charmap.KOI8R, "KOI8-R", false, "оеаинтсрвлкмдпОЕАИНТСРВЛКМДП"},             // Russian
	{charmap.CodePage866, "IBM866", false, "оеаинтсрвлкмдпОЕАИНТСРВЛКМДП"},       // Russian
	{charmap.Windows1253, "Windows-1253", false, "αοιετσνυρπκμλςόίή"},            // Greek
	{charmap.Windows1255, "Windows-1255", false, "יוהלאמרתבשנ"},                  // Hebrew
	{charmap.Windows1256, "Windows-1256", false, "اليمونترةبعد"},                 // Arabic
	{charmap.Windows874, "Windows-874", false, "านรอกเงวมยลสตทีคด่้"},            // Thai
	{japanese.ShiftJIS, "Shift_JIS", false, kana + "一日人年大行合数値関返取定変処理使用"},         // Japanese
	{japanese.EUCJP, "EUC-JP", false, kana + "一日人年大行合数値関返取定変処理使用"},
	{simplifiedchinese.GB18030, "GB18030", false, "的一是不了在有个这上下中大为和到以时要出会可对能过后用行所成方多经法如都同现动面定分还进部其些理本前开但因只从实无长机使明全关点正间由最重并应文相等新制加回特代内信表化给位次度通原提立及比解名处入条系更变数结目量建接件计指取返据函参错误户字符串初始设置获检查类型值调配启停线程存默认则测试登录密码"},
	{traditionalchinese.Big5, "Big5", false, "的一是不了在有個這上下中大為和到以時要出會可對能過後用行所成方多經法如都同現動面定分還進部其些理本前開但因只從實無長機使明全關點正間由最重並應文相等新制加回特代內信表化給位次度通原提立及比解名處入條系更變數結目量建接件計指取返據函參錯誤戶字符串初始設置獲檢查類型值調配啟停線程存檔案傳則測試登錄密碼"},
	{korean.EUCKR, "EUC-KR", false, "이다는을를의에가고로하지한은도서인사리수있기어그나시대자아라일정보해여부위전장으간제파개된행열줄반환오류없면값호출함설경우초화생성데터객체용"},
}

const kana = "のにはをたがでてとしれさいうえあかきくけこすせそちつぬねひふへほまみむめもやゆよらりるろわんっなだどじばずげごべーンスルトリアイクラフドタロレカシコジサマムテデップバグウィオメキパ"

// detectEncoding returns the encoding in which most characters beyond ASCII are common letters of a language, or nil.
func detectEncoding(data []byte) (encoding.Encoding, string) {
	sample := sampleOf(data)
	var enc encoding.Encoding
	var name string
	var text []rune
	most := minShare
	for i, l := range languages {
		if i == 0 || l.name != languages[i-1].name {
			decoded, ok := decodeAll(l.enc, sample)
			if text = nil; ok {
				text = []rune(string(decoded))
			}
		}
		if share := l.shareOf(text); share > most {
			enc, name, most = l.enc, l.name, share
		}
	}
	return enc, name
}

// sampleOf returns the first lines with more than ASCII, up to maxSample.
func sampleOf(data []byte) []byte {
	var sample []byte
	for line := range bytes.Lines(data) {
		if i := slices.IndexFunc(line, func(c byte) bool { return c >= utf8.RuneSelf }); i >= 0 {
			line = line[max(0, i-maxSample/4):] // for a long line, the part around its first such byte
			sample = append(sample, line[:min(len(line), maxSample-len(sample))]...)
		}
		if len(sample) == maxSample {
			break
		}
	}
	return sample
}

// shareOf returns the share, from 0 to 1, of common letters in a plausible position among the characters beyond ASCII.
// A single distinct letter is no evidence for any encoding but Windows-1252.
func (l language) shareOf(text []rune) float64 {
	at := func(i int) (ascii, beyond bool) {
		if i < 0 || i >= len(text) || !unicode.IsLetter(text[i]) && !unicode.IsMark(text[i]) {
			return false, false
		}
		return text[i] < utf8.RuneSelf, text[i] >= utf8.RuneSelf
	}
	all, common := 0, 0
	distinct := map[rune]bool{}
	for i, r := range text {
		asciiBefore, beyondBefore := at(i - 1)
		if r < utf8.RuneSelf || !asciiBefore && unicode.IsPunct(r) || strings.ContainsRune(typography, r) {
			continue
		}
		all++
		asciiBehind, beyondBehind := at(i + 1)
		beside := asciiBefore || asciiBehind
		if beside == l.latin && (l.latin || beyondBefore || beyondBehind) && strings.ContainsRune(l.letters, r) {
			common++
			distinct[r] = true
		}
	}
	if all == 0 || len(distinct) < 2 && l.name != Windows1252 {
		return 0
	}
	return float64(common) / float64(all)
}
