package charset

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// sources are comments as programmers write them, in encodings that their editors saved.
var sources = map[string]struct {
	in   encoding.Encoding
	text string
}{
	"German":     {charmap.Windows1252, "// Prüft den Kontostand – nur für Kunden.\nint pruefeKonto(int saldo)\n{\n    printf(\"Konto überzogen: %d\\n\", saldo);\n}\n"},
	"French":     {charmap.Windows1252, "/* Crée la facture à partir du devis accepté, s'il a été signé. */\nvoid creer(void) {}\n"},
	"Spanish":    {charmap.ISO8859_1, "# ¿Está vacío? Entonces el señor no pagó.\ndef vacio(x):\n    return not x\n"},
	"Swedish":    {charmap.ISO8859_1, "-- Räknar ut räntan på ett år.\nselect 1;\n"},
	"one letter": {charmap.Windows1252, "x = 'caf\u00e9'\n"},
	"euro":       {charmap.Windows1252, "print \"5 € each\"\n"},
	"Shift JIS":  {japanese.ShiftJIS, "// 残高を確認する\nint check_zandaka(int z)\n{\n    return z;\n}\n"},
	"EUC-JP":     {japanese.EUCJP, "/* ファイルを開いて、行の数を返します。 */\nint count_lines(const char *path);\n"},
	"GBK":        {simplifiedchinese.GBK, "// 打开文件并返回行数,如果文件不存在则返回错误。\nint count_lines(const char *path);\n"},
	"Big5":       {traditionalchinese.Big5, "// 開啟檔案並傳回行數,如果檔案不存在則傳回錯誤。\nint count_lines(const char *path);\n"},
	"EUC-KR":     {korean.EUCKR, "// 파일을 열고 줄 수를 반환한다. 파일이 없으면 오류를 반환한다.\nint count_lines(const char *path);\n"},
	"Russian":    {charmap.Windows1251, "// Открывает файл и возвращает число строк, если файл существует.\nint count_lines(const char *path);\n"},
	"KOI8-R":     {charmap.KOI8R, "// Открывает файл и возвращает число строк, если файл существует.\nint count_lines(const char *path);\n"},
	"Greek":      {charmap.Windows1253, "// Ανοίγει το αρχείο και επιστρέφει τον αριθμό των γραμμών.\nint count_lines(const char *path);\n"},
	"Polish":     {charmap.Windows1250, "// Otwiera plik i zwraca liczbę wierszy, jeśli plik już istnieje.\nint count_lines(const char *path);\n"},
	"Czech":      {charmap.Windows1250, "// Otevře soubor a vrátí počet řádků, pokud již existuje.\nint count_lines(const char *path);\n"},
	"Hungarian":  {charmap.Windows1250, "// Megnyitja a fájlt, és visszaadja a sorok számát; hibát, ha nem létezik. Időtúllépés.\nint n;\n"},
	"Turkish":    {charmap.Windows1254, "// Dosyayı açar ve satır sayısını döndürür; dosya yoksa hata verir. Şifre yanlış.\nint n;\n"},
	"Italian":    {charmap.Windows1252, "# Restituisce la quantità, perché così è più facile.\ndef f(): pass\n"},
	"Portuguese": {charmap.Windows1252, "# Não há configuração: usa a padrão.\ndef f(): pass\n"},
	"IBM866":     {charmap.CodePage866, "rem Открывает файл и возвращает число строк, если файл существует.\n"},
	"Hebrew":     {charmap.Windows1255, "// פותח את הקובץ ומחזיר את מספר השורות\nint n;\n"},
	"Arabic":     {charmap.Windows1256, "// يفتح الملف ويعيد عدد الأسطر إذا كان الملف موجودا\nint n;\n"},
	"Thai":       {charmap.Windows874, "// เปิดไฟล์และคืนค่าจำนวนบรรทัด\nint n;\n"},
	"a word":     {simplifiedchinese.GBK, "printf(\"用户不存在\");\n"},
	"a message":  {korean.EUCKR, "throw new Error(\"파일이 없습니다\");\n"},
	"a label":    {japanese.ShiftJIS, "title = \"ファイルを開く\"\n"},
	"mixed":      {charmap.Windows1252, "// Straße — 5 € à l’été\n"},
	"UTF-16":     {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "class Till {\r\n    // öffnet\r\n}\r\n"},
	"UTF-16 BE":  {unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "class Till {\r\n    // öffnet\r\n}\r\n"},
	"no mark":    {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "class Till {\r\n    // öffnet\r\n}\r\n"},
	"no mark BE": {unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "class Till {\r\n    // öffnet\r\n}\r\n"},
	"PEP 263":    {charmap.ISO8859_1, "# -*- coding: latin-1 -*-\ndef straße():\n    return \"Straße\"\n"},
	"code page":  {charmap.CodePage850, "# -*- coding: cp850 -*-\n# für\n"},
	"HTML":       {charmap.Windows1250, "<html><head>\n<meta charset=windows-1250>\n<p>už\n"},
	"Vim":        {charmap.CodePage866, "// Открывает файл.\nint open(void);\n// vim: set fileencoding=cp866 :\n"},
	"XML":        {charmap.ISO8859_2, "<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?>\n<a>zażółć</a>\n"},
	"CSS":        {charmap.Windows1250, "@charset \"windows-1250\";\n.a::after { content: \"ž\"; }\n"},
	"Emacs":      {japanese.EUCJP, ";; -*- mode: lisp; coding: euc-jp-unix -*-\n;; 漢字\n"},
	"UTF-8":      {unicode.UTF8, "// Prüft 残高\n"},
	"a lie":      {charmap.Windows1252, "# coding: utf-8\nx = 'caf\u00e9'\n"},
}

func TestSourcesAreReadAsTheyWereWritten(t *testing.T) {
	for name, c := range sources {
		t.Run(name, func(t *testing.T) {
			data, err := c.in.NewEncoder().Bytes([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if got, as := Decode(data); string(got) != c.text {
				t.Errorf("as %s: %s", as, got)
			}
		})
	}
}

func TestTextWithoutADeclaration(t *testing.T) {
	many := strings.Repeat("letters of the alphabet\n", 400)
	for name, c := range map[string]struct{ in, want, as string }{
		"empty":                 {"", "", UTF8},
		"two encodings":         {"Größe Gr\xf6\xdfe\n", "Größe Größe\n", Mixed},
		"a broken letter":       {"a \xe6\xae b 残高\n", "a æ® b 残高\n", Mixed},
		"half a letter":         {"残\xe6", "残æ", Mixed},
		"replaced letters":      {"na\ufffdve na\ufffdve na\ufffdve né \xff\n", "na\ufffdve na\ufffdve na\ufffdve né ÿ\n", Mixed},
		"a dump":                {"INSERT 'Müller', '\xff';\n" + many + "DEFAULT CHARSET=latin1;\n", "INSERT 'Müller', 'ÿ';\n" + many + "DEFAULT CHARSET=latin1;\n", Mixed},
		"a call":                {"open(f, encoding='shift_jis')\nprint('caf\xe9s')\n", "open(f, encoding='shift_jis')\nprint('cafés')\n", Windows1252},
		"a word for it":         {"// Coding: Visual Studio\n// f\xfcr\n", "// Coding: Visual Studio\n// für\n", Windows1252},
		"too many broken":       {"# coding: iso-2022-jp\n# f\xfcr\n", "# coding: iso-2022-jp\n# für\n", Windows1252},
		"user-defined":          {"# coding: x-user-defined\n# f\xfcr\n", "# coding: x-user-defined\n# für\n", Windows1252},
		"an unknown encoding":   {"# coding: klingon\n\xe9", "# coding: klingon\né", Windows1252},
		"a power":               {"flow = 3 # m\xb3/h\n", "flow = 3 # m³/h\n", Windows1252},
		"a question":            {"print('\xbfContinuar?')\n", "print('¿Continuar?')\n", Windows1252},
		"money":                 {"price (\xa3m)\n", "price (£m)\n", Windows1252},
		"Icelandic":             {"# n\xfd skr\xe1 \xfea\xf0\n", "# ný skrá það\n", Windows1252},
		"capitals":              {"// \xc2\xcd\xc8\xcc\xc0\xcd\xc8\xc5: \xce\xd8\xc8\xc1\xca\xc0\n", "// ВНИМАНИЕ: ОШИБКА\n", "Windows-1251"},
		"a test":                {"// \xb2\xe2\xca\xd4\n", "// 测试\n", "GB18030"},
		"one long line":         {strings.Repeat("x", 100_000) + " \xcf\xf0\xee\xe2\xe5\xf0\xea\xe0 \xf1\xf2\xf0\xee\xea\xe8", strings.Repeat("x", 100_000) + " Проверка строки", "Windows-1251"},
		"UTF-16, controls":      {"\xff\xfeh\x00\x01\x00", "", ""},
		"UTF-16, half":          {"\xff\xfeh\x00i", "", ""},
		"UTF-16, a zero":        {"\xff\xfeh\x00\x00\x00i\x00", "", ""},
		"UTF-16, no mark":       {"a\x00\x02\x00", "", ""},
		"UTF-16, soft breaks":   {"\xff\xfea\x00\x0b\x00b\x00\x1a\x00\x00\x00", "a\vb\x1a", UTF16},
		"UTF-8 and a bad claim": {"# coding: latin-1\n# für\n", "# coding: latin-1\n# für\n", UTF8},
	} {
		if got, as := Decode([]byte(c.in)); string(got) != c.want || as != c.as {
			t.Errorf("%s: %.200q as %q", name, got, as)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range sources {
		data, err := c.in.NewEncoder().Bytes([]byte(c.text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("# coding: iso-2022-jp\n\xff\x1b$Bx\nabc\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		text, name := Decode(data)
		switch {
		case !bytes.Equal(before, data):
			t.Error("the data was changed")
		case (text == nil) != (name == "") && len(data) > 0:
			t.Errorf("%q as %q", text, name)
		case !utf8.Valid(text):
			t.Errorf("not UTF-8: %q", text)
		case name == UTF8 && !bytes.Equal(text, data):
			t.Errorf("%q came as %q", data, text)
		case !IsUTF16(data) && bytes.Count(text, []byte("\n")) != bytes.Count(data, []byte("\n")):
			t.Errorf("lines of %q as %s: %q", data, name, text)
		}
		if len(text) > 3*len(data)+3 {
			t.Errorf("%d bytes became %d", len(data), len(text))
		}
	})
}
