package charset

import (
	"bytes"
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

func TestTextThatNothingTellsTheEncodingOf(t *testing.T) {
	for name, c := range map[string]struct{ in, want, as string }{
		"empty":               {"", "", UTF8},
		"two encodings":       {"Größe Gr\xf6\xdfe\n", "Größe Größe\n", Windows1252},
		"a broken letter":     {"a \xe6\xae b 残高\n", "a æ® b 残高\n", Windows1252},
		"half a letter":       {"残\xe6", "残æ", Windows1252},
		"UTF-16, controls":    {"\xff\xfeh\x00\x01\x00", "", ""},
		"UTF-16, half":        {"\xff\xfeh\x00i", "", ""},
		"UTF-16, a zero":      {"\xff\xfeh\x00\x00\x00", "", ""},
		"UTF-16, no mark":     {"a\x00\x02\x00", "", ""},
		"an unknown encoding": {"# coding: klingon\n\xe9", "# coding: klingon\né", Windows1252},
	} {
		if got, as := Decode([]byte(c.in)); string(got) != c.want || as != c.as {
			t.Errorf("%s: %q as %q", name, got, as)
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
		case !IsWide(data) && bytes.Count(text, []byte("\n")) != bytes.Count(data, []byte("\n")):
			t.Errorf("lines of %q as %s: %q", data, name, text)
		}
		if len(text) > 3*len(data)+3 {
			t.Errorf("%d bytes became %d", len(data), len(text))
		}
	})
}
