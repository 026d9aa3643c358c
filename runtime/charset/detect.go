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

	"github.com/compactor-mcp/compactor/runtime/lazyregexp"
)

// declaredAs finds the name of an encoding as Python (PEP 263), Emacs, Vim, XML, HTML and CSS write it.
var declaredAs = lazyregexp.New(`(?i)\b(?:(?:file)?encoding|coding|charset|fenc)[ \t]*[:= ][ \t]*["']?([a-z][a-z0-9._-]{2,30})`)

// maxHeader is how much of the beginning of a text, and of its end, is searched for the name of its encoding.
const maxHeader = 512

// declared returns the encoding that a text says it has, in its first lines or in its last; nil where it says none that
// is known.
func declared(data []byte) (encoding.Encoding, string) {
	for _, part := range [][]byte{data[:min(len(data), maxHeader)], data[max(0, len(data)-maxHeader):]} {
		for _, m := range declaredAs.FindAllStringSubmatch(string(part), -1) {
			if from, name := byName(m[1]); from != nil {
				return from, name
			}
		}
	}
	return nil, ""
}

// byName returns the encoding that a text calls so, nil for none and for UTF-8, which the text is not.
func byName(written string) (encoding.Encoding, string) {
	written = strings.ToLower(written)
	for _, suffix := range []string{"-unix", "-dos", "-mac"} { // of Emacs: how lines end
		written = strings.TrimSuffix(written, suffix)
	}
	for _, label := range []string{written, strings.ReplaceAll(written, "_", "-"), strings.ReplaceAll(written, "-", ""), "x-" + written} {
		from, err := htmlindex.Get(label)
		if err != nil {
			continue
		}
		name, err := htmlindex.Name(from)
		if err != nil || name == "utf-8" || name == "replacement" || strings.HasPrefix(name, "utf-16") {
			return nil, ""
		}
		return from, name
	}
	return nil, ""
}

// maxSample is how much of the lines that hold more than ASCII is looked at, in bytes.
const maxSample = 2 << 10

// minShare is the share of a text's letters beyond ASCII that must be those that a language uses most.
const minShare = .3

// typography is what stands in texts of all languages, also behind a letter.
const typography = "€°®©™±’‘“”„«»–—…·§\u00a0"

// language is one that comments are written in, in one encoding.
type language struct {
	from    encoding.Encoding
	name    string
	latin   bool
	letters string // beyond ASCII, that it uses most
}

// languages lists what detect can tell. In those that are latin a letter beyond ASCII stands beside ASCII letters, in the
// others it stands beside others beyond ASCII. Of equal ones the first is taken. Common letters tell even the encoding of one short comment, for
// which trigrams of a whole file, most of it English, are of no use.
var languages = []language{
	{charmap.Windows1252, Windows1252, true, "äöüßÄÖÜ"},                  // German
	{charmap.Windows1252, Windows1252, true, "éèêëàâçîïôùûœÉÀ"},          // French
	{charmap.Windows1252, Windows1252, true, "áéíóúñüÁÉÍÓÚÑ"},            // Spanish
	{charmap.Windows1250, "Windows-1250", true, "áéíóöőúüűÁÉÖŐ"},         // Hungarian
	{charmap.Windows1252, Windows1252, true, "ãõáéíóúâêôàçÃÁÉ"},          // Portuguese
	{charmap.Windows1252, Windows1252, true, "àèéìòùÈ"},                  // Italian
	{charmap.Windows1252, Windows1252, true, "åäöæøéÅÄÖÆØ"},              // Nordic languages
	{charmap.Windows1250, "Windows-1250", true, "ąćęłńóśźżĄĆĘŁŚŹŻ"},      // Polish
	{charmap.Windows1250, "Windows-1250", true, "áčďéěíňóřšťúůýžÁČŘŠŽ"},  // Czech
	{charmap.Windows1250, "Windows-1250", true, "áéíóöőúüűÁÉÖŐ"},         // Hungarian
	{charmap.Windows1254, "Windows-1254", true, "çğıöşüİŞ"},              // Turkish
	{charmap.Windows1251, "Windows-1251", false, "оеаинтсрвлкмдп"},       // Russian
	{charmap.KOI8R, "KOI8-R", false, "оеаинтсрвлкмдп"},                   // Russian
	{charmap.CodePage866, "IBM866", false, "оеаинтсрвлкмдп"},             // Russian
	{charmap.Windows1253, "Windows-1253", false, "αοιετσνυρπκμλςόίή"},    // Greek
	{charmap.Windows1255, "Windows-1255", false, "יוהלאמרתבשנ"},          // Hebrew
	{charmap.Windows1256, "Windows-1256", false, "اليمونترةبعد"},         // Arabic
	{charmap.Windows874, "Windows-874", false, "านรอกเงวมยลสตทีคด่้"},    // Thai
	{japanese.ShiftJIS, "Shift_JIS", false, kana + "一日人年大行合数値関返取定変処理使用"}, // Japanese
	{japanese.EUCJP, "EUC-JP", false, kana + "一日人年大行合数値関返取定変処理使用"},
	{simplifiedchinese.GB18030, "GB18030", false, "的一是不了在有个这上下中大为和到以时要出会可对能过后用行所成方多经法如都同现动面定分还进部其些理本前开但因只从实无长机使明全关点正间由最重并应文相等新制加回特代内信表化给位次度通原提立及比解名处入条系更变数结目量建接件计指取返据函参错误户字符串初始设置获检查类型值调配启停线程存默认则"},
	{traditionalchinese.Big5, "Big5", false, "的一是不了在有個這上下中大為和到以時要出會可對能過後用行所成方多經法如都同現動面定分還進部其些理本前開但因只從實無長機使明全關點正間由最重並應文相等新制加回特代內信表化給位次度通原提立及比解名處入條系更變數結目量建接件計指取返據函參錯誤戶字符串初始設置獲檢查類型值調配啟停線程存檔案傳則"},
	{korean.EUCKR, "EUC-KR", false, "이다는을를의에가고로하지한은도서인사리수있기어그나시대자아라일정보해여부위전장으간제파개된행열줄반환오류없면값호출함설경우초화생성데터객체용"},
}

const kana = "のにはをたがでてとしれさいうえあかきくけこすせそちつぬねひふへほまみむめもやゆよらりるろわんっなだどじばずげごべーンスルトリアイクラフドタロレカシコジサマムテデップバグウィオメキパ"

// detect returns the encoding in which most of the letters beyond ASCII are common in a language; nil where none is.
func detect(data []byte) (encoding.Encoding, string) {
	sample := sampleOf(data)
	var from encoding.Encoding
	var name string
	var text []rune
	most := minShare
	for i, l := range languages {
		if i == 0 || l.name != languages[i-1].name {
			decoded, ok := decodeAll(l.from, sample)
			if text = nil; ok {
				text = []rune(string(decoded))
			}
		}
		if share := l.shareOf(text); share > most {
			from, name, most = l.from, l.name, share
		}
	}
	return from, name
}

// sampleOf returns the first lines that hold more than ASCII.
func sampleOf(data []byte) []byte {
	var sample []byte
	for line := range bytes.Lines(data) {
		if len(sample)+len(line) > maxSample && len(sample) > 0 {
			break
		}
		if slices.ContainsFunc(line, func(c byte) bool { return c >= utf8.RuneSelf }) {
			sample = append(sample, line...)
		}
	}
	return sample
}

// shareOf returns how many of the letters beyond ASCII are common ones, where such letters stand, of all: 0 to 1.
func (l language) shareOf(text []rune) float64 {
	at := func(i int) (ascii, beyond bool) {
		if i < 0 || i >= len(text) || !unicode.IsLetter(text[i]) && !unicode.IsMark(text[i]) {
			return false, false
		}
		return text[i] < utf8.RuneSelf, text[i] >= utf8.RuneSelf
	}
	letters, common := 0, 0
	for i, r := range text {
		ascii, beyond := at(i - 1)
		if r < utf8.RuneSelf || !ascii && unicode.IsPunct(r) || strings.ContainsRune(typography, r) {
			continue
		}
		letters++
		if ascii2, beyond2 := at(i + 1); l.latin && !ascii && !ascii2 || !l.latin && (ascii || ascii2 || !beyond && !beyond2) {
			continue
		}
		if strings.ContainsRune(l.letters, r) {
			common++
		}
	}
	if letters == 0 {
		return 0
	}
	return float64(common) / float64(letters)
}
