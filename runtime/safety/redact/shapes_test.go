package redact

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

// shapeTests are secrets in the forms in which tools write, wrap, colour, encode and pass them.
func shapeTests() []groupTest {
	mixed, hex := func(n int) string { return drawn(n, mixedLetters) }, func(n int) string { return drawn(n, hexLetters) }
	hub, pass := "gh"+"p_"+mixed(36), "Tr0ub4dor"+"&3"
	head, tail := hub[:4], hub[4:]
	word := "Wq7" + "zKp2mLx" // a password that no shell quotes
	body := strings.Repeat(mixed(64)+"\n", 6)
	pem := "-----BEGIN RSA PRIVATE " + "KEY-----\n" + body + "-----END RSA PRIVATE " + "KEY-----\n"
	var list []groupTest
	add := func(name, before, secret, after string) {
		list = append(list, groupTest{name, before + secret + after, secret, ""})
	}
	// Colours and other marks of a terminal.
	add("colour inside", "x ", head+tail[:9]+"\x1b[0m"+tail[9:], "\n")
	add("colour behind the prefix", "a.env:1:T=\x1b[01;31m\x1b[K", head+"\x1b[m\x1b[K"+tail, "\n")
	add("colour before", "\x1b[31m", hub, "\x1b[0m\n")
	add("colour after each part", "k ", head+"\x1b[1m"+tail[:12]+"\x1b[22m"+tail[12:24]+"\x1b[0m"+tail[24:], "\n")
	add("coloured name and value", "\x1b[32mpassword\x1b[0m=\x1b[33m", pass, "\x1b[0m\n")
	add("coloured JSON", "\x1b[34;1m\"password\"\x1b[0m\x1b[1;39m: \x1b[0;32m\"", pass, "\"\x1b[0m\n")
	add("colour as a log writes it", `{"m":"\u001b[36m`, head+`\u001b[0m`+tail, `"}`)
	add("colour as cat -v writes it", "t ", head+"^[[0m"+tail, "\n")
	add("title inside", "t ", head+"\x1b]0;x\x07"+tail, "\n")
	add("C1 colour", "t ", head+"\u009b0m"+tail, "\n")
	add("bell inside", "t ", head+"\x07"+tail, "\n")
	add("NUL inside", "t ", head+tail[:8]+"\x00"+tail[8:], "\n")
	add("two bytes a character", "", strings.Join(strings.Split("t "+hub, ""), "\x00"), "\n")
	add("combining mark inside", "t ", head+tail[:8]+"\u0301"+tail[8:], "\n")
	add("variation selector inside", "t ", head+tail[:8]+"\ufe0f"+tail[8:], "\n")
	add("carriage return inside", "t ", head+tail[:8]+"\r"+tail[8:], "\n")
	add("soft hyphen inside", "t ", head+tail[:8]+"\u00ad"+tail[8:], "\n")
	// Escapes.
	add("JSON escape of the first letter", `{"t":"`, `\u0067`+hub[1:], `"}`)
	add("JSON escape inside", `{"t":"`, head+`\u`+"00"+hex2(tail[0])+tail[1:], `"}`)
	add("JSON escape in a string in a string", `"{\"t\":\"`, `\\u0067`+hub[1:], `\"}"`)
	add("JSON escape of what is not seen", `{"t":"`, head+tail[:8]+`\u200b`+tail[8:], `"}`)
	add("JSON escape of a sign in a password", `{"password":"`, "Tr0ub4dor"+`\u0026`+"3xyz", `"}`)
	add("JSON escape of a sign in a password, in a string", `"{\"password\":\"`, "Tr0ub4dor"+`\\u0026`+"3xyz", `\"}"`)
	add("URL escape of the underscore", "https://h/?t=", "gh"+"p%5F"+tail, "\n")
	add("URL escape, twice", "https://h/?t=", "gh"+"p%255F"+tail, "\n")
	add("HTML escape", "<b>", "gh"+"p&#95;"+tail, "</b>")
	add("hexadecimal HTML escape", "<b>", "gh"+"p&#x5f;"+tail, "</b>")
	add("Markdown escape of the underscore", "Set it to ", "gh"+`p\_`+tail, " now\n")
	add("Go tag", "DBPassword string `yaml:\"db_password\" default:\"", "Zx9qLm2Wv8Kp", "\"`\n")
	add("Go tag alone", "\tPassword string `default:\"", "Zx9qLm2Wv8Kp", "\"`\n")
	add("Terraform variable", "variable \"db_password\" {\n  type      = string\n  sensitive = true\n  default   = \"", "Zx9qLm2Wv8Kp", "\"\n}\n")
	add("Terraform variable in short", "variable \"api_token\" { default = \"", "Zx9qLm2Wv8KpRt4YbN7c", "\" }\n")
	add("source escape", `"`, "gh"+`p\x5f`+tail, `"`)
	add("assignment in an address", "GET /cb?state=password%3D", "Tr0heyGNPBHb%263x", "&next=1 200\n")
	add("every letter escaped", "https://h/?t=", percent(hub), "\n")
	// Private keys.
	for name, escape := range map[string]func(string) string{"query": url.QueryEscape, "path": url.PathEscape} {
		quoted := escape(pem)
		add("PEM in an address, as a "+name, "GET /cb?state=", quoted[:len(quoted)-3], "%0A&next=1 200\n")
		add("PEM in an address, as a "+name+", cut", "GET /cb?state=", quoted[:300], " 200\n")
	}
	add("PEM in wrapped base64", "key: |\n", wrapped(pem, 76, "\n"), "\n\nnext: 1\n")
	add("PEM in wrapped base64, indented", "key: |\n  ", wrapped(pem, 64, "\n  "), "\nnext: 1\n")
	add("PEM in wrapped base64, in JSON", `{"k":"`, wrapped(pem, 76, `\n`), `"}`)
	add("PEM behind a certificate in base64", "data: ", wrapped("-----BEGIN CERTIFICATE-----\n"+body+"-----END CERTIFICATE-----\n"+pem, 1<<20, ""), "\n")
	add("DER in base64", "k ", "MIIEpAIB"+"AAKCAQEA"+strings.ReplaceAll(body, "\n", "\n"), "\n")
	add("PKCS#8 in base64", "k ", "MIIEvQIB"+"ADANBgkqhkiG9w0BAQEFAASC"+mixed(160), "\n")
	add("coloured PEM", "", strings.ReplaceAll(pem, "\n", "\x1b[0m\n\x1b[32m"), "\n")
	add("JSON web key", `{"kty":"EC","crv":"P-256","x":"AQAB","d":"`, mixed(42)+"Q", `"}`)
	add("XML key", "<RSAKeyValue><Exponent>AQAB</Exponent><D>", mixed(59)+"=", "</D></RSAKeyValue>")
	// Addresses.
	add("telegram", "https://api.telegram.org/bot", "123456789:"+"AA"+mixed(33), "/sendMessage")
	add("telegram file", "https://api.telegram.org/file/bot", "123456789:"+"AA"+mixed(33), "/x.jpg")
	add("telegram test token", "GET /bot", "123456789:"+mixed(35), "/getMe")
	add("infura", "https://mainnet.infura.io/v3/", hex(32), "\n")
	add("alchemy", "https://eth-mainnet.g.alchemy.com/v2/", mixed(32), "\n")
	add("zapier", "https://hooks.zapier.com/hooks/catch/", "1234567/a1"+drawn(5, lowerLetters), "/\n")
	add("feishu", "https://open.feishu.cn/open-apis/bot/v2/hook/", hex(8)+"-"+hex(4)+"-4"+hex(3)+"-a"+hex(3)+"-"+hex(12), "\n")
	add("wecom", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", hex(8)+"-"+hex(4)+"-4"+hex(3)+"-a"+hex(3)+"-"+hex(12), "\n")
	add("ifttt", "https://maker.ifttt.com/trigger/x/with/key/", mixed(22), "\n")
	add("domain user", `http://dom\user:`, pass, "@host/")
	add("domain user in JSON", `"http://dom\\user:`, pass, `@host/"`)
	add("escaped userinfo", "https://user%40corp:", "p%40ss"+"w0rd", "@host/x")
	add("escaped colon", "https://user%3A", "s3cr%21t"+"x", "@host/x")
	add("URL in a parameter", "https://h/?u=https%3A%2F%2Fuser%3A", "s3cr"+"etw0rd", "%40host%2Fx")
	add("URL with escaped slashes", `{"u":"https:\/\/user:`, "s3cr"+"etw0rd", `@host\/x"}`)
	// Commands.
	add("mysql", "mysql -u root -p", word, " shop\n")
	add("mysql, quoted", "mysql -uroot -p'", pass, "' shop\n")
	add("mysqldump", "0 3 * * * /usr/bin/mysqldump --opt -h db -p", word, " shop > d.sql\n")
	add("mysql in a list", `["mysqladmin", "-uroot", "-p`, word, `", "ping"]`)
	add("mysql over lines", "mysql -h db \\\n  -u root \\\n  -p", word, " \\\n  shop\n")
	add("sshpass", "sshpass -p ", word, " ssh root@h\n")
	add("sshpass, together", "sshpass -p", word, " ssh root@h\n")
	add("sshpass, quoted", "sshpass -p \"", pass, "\" scp a b\n")
	add("redis-cli", "redis-cli -h r -a ", word, " ping\n")
	add("mongodump", "mongodump -u admin -p ", word, " --out d\n")
	add("docker login", "docker login -u me -p ", word, " registry.example.org\n")
	add("sqlcmd", "sqlcmd -S db -U sa -P ", word, " -Q 'select 1'\n")
	add("ldapsearch", "ldapsearch -x -D cn=admin -w ", word, " -b dc=x\n")
	add("7z", "7z a -p", word, " x.7z d\n")
	add("openssl", "openssl rsa -in k -passin pass:", word, " -out o\n")
	add("smbclient", "smbclient //h/s -U 'me%", pass, "'\n")
	add("ipmitool", "ipmitool -I lanplus -H h -U admin -P ", word, " power status\n")
	add("htpasswd", "htpasswd -bc f me ", word, "\n")
	add("curl", "curl -sS -u ", "me:"+word, " https://h/\n")
	add("wget", "wget --user me --password ", word, " https://h/\n")
	add("chpasswd", "echo 'root:", word, "' | chpasswd\n")
	add("proxy user", "curl --proxy-user ", "me:"+word, " https://h/\n")
	add("ssh-keygen", "ssh-keygen -t rsa -N ", word, " -f k\n")
	add("nmcli", "nmcli dev wifi connect x password ", word, "\n")
	add("mosquitto", "mosquitto_pub -h h -u u -P ", word, " -t x\n")
	add("sqlplus", "sqlplus -s scott/", word, "@orcl\n")
	add("jdbc", "jdbc:oracle:thin:scott/", word, "@h:1521:x\n")
	add("sudo", "echo ", word, " | sudo -S ls\n")
	add("net user", "net user admin ", word, " /add\n")
	add("secure string", "ConvertTo-SecureString \"", pass, "\" -AsPlainText -Force\n")
	// Calls.
	add("SetBasicAuth", "req.SetBasicAuth(\"me\", \"", pass, "\")\n")
	add("auth tuple", "requests.get(u, auth=('me', '", pass, "'))\n")
	add("mysqli_connect", "mysqli_connect(\"h\", \"root\", \"", pass, "\", \"db\")\n")
	add("PDO", "new PDO('mysql:host=h', 'root', '", pass, "')\n")
	add("getConnection", "DriverManager.getConnection(url, \"root\", \"", pass, "\");\n")
	// Lines of files.
	add("block of YAML", "password: >-\n  ", pass, "\nnext: 1\n")
	add("block of YAML with a comment", "  - password: | # from the vault\r\n      ", pass, "\r\nnext: 1\n")
	add("second line of a block", "db:\n  password: |\n    the first\n\n    ", pass, "\n  next: 1\n")
	add("token in a block", "api_key: |-\n  ", hex(32), "\nnext: 1\n")
	add("token deep in a block", "a:\n            - \"client-secret\": |2-\n                ", mixed(40)+"==", "\n")
	// Quotes within quotes, and strings of several lines.
	add("doubled quote", "db_password: 'it", "''s-Zx9qLm2-55", "'\n")
	add("doubled quote in SQL", "ALTER USER a IDENTIFIED BY 'Zx9", "''qLm2Wv8Kp", "';\n")
	add("doubled quote in PowerShell", "$password = \"Zx9", "\"\"qLm2Wv8Kp", "\"\n")
	add("escaped quote", "db_password: \"it", `\"s-Zx9qLm2-66`, "\"\n")
	add("escaped quote in a script", "const dbPassword = 'it", `\'s-Zx9qLm2-66`, "';\n")
	add("escaped quote in a string in a string", `"{\"password\":\"it`, `\\\"s-Zx9qLm2-66`, `\"}"`)
	add("backslash before the quote that ends", `db.password='Zx9qLm2Wv8Kp`, `\`, "'\n")
	add("quotes of a CSV file", `7,"{""password"":""`, "Zx9qLm2Wv8Kp", `"",""user"":""me""}"`+"\n")
	add("folded at a backslash", "password: \"one\\\n  ", "Second77Half", "\"\nnext: 1\n")
	add("folded in a script", "export PASSWORD=\"Zx9q\\\n", "Lm2Wv8Kp", "\"\n")
	add("folded", "a:\n  password: \"line one\n    ", "Second77Half", "\"\n  next: 1\n")
	add("PEM without end in a log", "web_1  | ", "-----BEGIN RSA PRIVATE "+"KEY-----\nweb_1  | "+mixed(64)+"\nweb_1  | "+mixed(64), "\nweb_1  | done\n")
	add("presigned", "https://b.s3.amazonaws.com/k?X-Amz-Signature=", hex(64), "\n")
	add("xprv", "k ", "xprv9s21ZrQH143K"+drawn(95, "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ123456789"), "\n")
	add("webhook with escaped slashes", `{"u":"https:\/\/`, "hooks.slack"+`.com\/services\/T`+drawn(8, upperLetters)+`\/B`+drawn(8, upperLetters)+`\/`+mixed(24), `"}`)
	add("sha htpasswd", "u:", "{SHA}"+mixed(27)+"=", "\n")
	add("pgpass", "db.example.org:5432:shop:app:", word, "\n")
	add("pgpass with stars", "# hosts\n*:*:*:postgres:", pass, "\n")
	add("shadow", "root:", "$6$"+mixed(8)+"$"+mixed(86), ":18000:0:99999:7:::\n")
	add("shadow with rounds", "a:", "$6$rounds=656000$"+mixed(8)+"$"+mixed(86), ":\n")
	add("yescrypt", "a:", "$y$j9T$"+mixed(22)+"$"+mixed(43), ":1:\n")
	add("bcrypt", "htpasswd: me:", "$2b$12$"+mixed(53), "\n")
	add("apache md5", "me:", "$apr1$"+mixed(8)+"$"+mixed(22), "\n")
	add("argon2", "h = ", "$argon2id$v=19$m=65536,t=3,p=4$"+mixed(22)+"$"+mixed(43), "\n")
	add("django", "pw ", "pbkdf2_sha256$260000$"+mixed(22)+"$"+mixed(43)+"=", "\n")
	add("ldap", "userPassword: ", "{SSHA}"+mixed(32), "\n")
	add("terraform state", `{"type": "random_password", "name": "db", "instances": [{"attributes": {"length": 16, "result": "`, pass+mixed(6), `"}}]}`)
	add("terraform show", "resource \"random_password\" \"db\" {\n    length = 16\n    result = \"", mixed(16), "\"\n}\n")
	add("cisco", "username admin password 7 ", "0822455D0A16"+"1E010803", "\n")
	add("my.cnf", "[client]\nuser=root\npassword=", word, "\n")
	add("npmrc in base64", "//r.example.org/:_password=", base64.StdEncoding.EncodeToString([]byte(word+word)), "\n")
	add("docker config", `{"auths":{"h":{"auth":"`, base64.StdEncoding.EncodeToString([]byte("me:"+word)), `"}}}`)
	return list
}

func hex2(c byte) string { return string([]byte{hexDigits[c>>4], hexDigits[c&15]}) }

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString("%" + hex2(s[i]))
	}
	return b.String()
}

// wrapped is text in base64, in lines of width characters.
func wrapped(text string, width int, sep string) string {
	enc := base64.StdEncoding.EncodeToString([]byte(text))
	var lines []string
	for len(enc) > width {
		lines = append(lines, enc[:width])
		enc = enc[width:]
	}
	return strings.Join(append(lines, enc), sep)
}

// pieceLeft returns a piece of the secret of half its length, but not more than 16 bytes, that is still in the output.
func pieceLeft(secret, out string) string {
	n := max(6, min(16, len(secret)/2))
	for i := 0; i+n <= len(secret); i++ {
		if piece := secret[i : i+n]; strings.Contains(out, piece) && len(strings.TrimSpace(piece)) == n {
			return piece
		}
	}
	return ""
}

func TestShapes(t *testing.T) {
	for _, tt := range shapeTests() {
		t.Run(tt.name, func(t *testing.T) {
			out, spans := Default().Redact(tt.text)
			before, after, _ := strings.Cut(tt.text, tt.secret)
			if piece := pieceLeft(tt.secret, out); piece != "" && !strings.Contains(before+after, piece) {
				t.Fatalf("%q is left: %q", piece, out)
			}
			if len(spans) == 0 || len(before) > 0 && !strings.HasPrefix(out, before[:len(before)/2]) || !strings.HasSuffix(out, after) && len(after) < 40 {
				t.Errorf("more than the secret is gone: %q", out)
			}
			if again, _ := Default().Redact(out); again != out {
				t.Errorf("not idempotent: %q, then %q", out, again)
			}
			if strings.Count(out, "\n") != strings.Count(tt.text, "\n") {
				t.Errorf("lines changed: %q", out)
			}
		})
	}
}

// Elements are named with a prefix and have attributes, and property lists name a value in the element before.
func TestElementsOfXML(t *testing.T) {
	const password, key = "S3cr3t-53yvbc58BQq0", "qPz7vXk2mWd9sLr4"
	for _, text := range []string{
		`<wsse:Password Type="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText">` + password + `</wsse:Password>`,
		`<Password type='x'>` + password + `</Password>`,
		"<cfg:Password\n    xsi:type=\"xsd:string\"\n    cfg:id = \"a b\">" + password + "</cfg:Password>",
		"<Password type=\"x\">\n  " + password + "\n</Password>",
		`<ns2:apiKey owner="ci">` + key + `</ns2:apiKey>`,
		"<key>Password</key>\n\t<string>" + password + "</string>",
		`<key>DBPassword</key><string>` + password + `</string>`,
		"<name>javax.jdo.option.ConnectionPassword</name>\n  <value>" + password + "</value>",
	} {
		if out, _ := Default().Redact(text); strings.Contains(out, password) || strings.Contains(out, key) || !strings.HasSuffix(out, ">") {
			t.Errorf("%s\nbecame %s", text, out)
		}
	}
	for _, text := range []string{
		`<input type="password" name="password" placeholder="at least 8 letters">Sign in now</input>`,
		`<Password type="hidden"><Minimum>12</Minimum></Password>`,
		`<password required="true"></password><user>alice-in-wonderland</user>`,
		`<password ref="vault"/><user>alice-in-wonderland</user>`,
		`<key>PasswordHint</key><string>The name of your first pet</string>`,
		`<key>Title</key><string>Getting-Started-2024</string>`,
	} {
		if out, _ := Default().Redact(text); out != text {
			t.Errorf("%s\nbecame %s", text, out)
		}
	}
}
