package redact

import (
	"strings"
	"testing"
)

// tablesOfPasswords have passwords between « and ».
var tablesOfPasswords = map[string]string{
	"CSV":                      "id,name,password,email\n1,bob,«hunter2!»,bob@example.com\n2,eve,«Tr0ub4dor»,eve@example.com\n",
	"CSV of Windows":           "name,password\r\nbob,«hunter2!»\r\neve,«Tr0ub4dor»\r\n",
	"CSV with quotes":          "\"name\",\"User Password\",\"note\"\n\"bob, the first\",\"«a\"\"b,c9»\",\"x\"\n",
	"semicolons":               "name;passwd;role\nbob;«hunter2»;admin\n",
	"tabs":                     "name\tdb_password\nbob\t«hunter2»\n",
	"two columns of secrets":   "user,password,client_secret\nbob,«hunter2»,«8f3kd92mfnq81kdz»\n",
	"last column, no line end": "name,password\nbob,«hunter2»",
	"Markdown":                 "Users:\n\n| Name | Password |\n|---|:---:|\n| bob | «hunter2» |\n| eve | «Tr0ub4dor» |\n\ntext 4pples\n",
	"psql":                     " id | name | password \n----+------+----------\n  1 | bob  | «hunter2»\n  2 | eve  | «Tr0ub4dor»\n(2 rows)\n",
	"mysql":                    "+----+------+----------+\n| id | name | password |\n+----+------+----------+\n|  1 | bob  | «hunter2»  |\n+----+------+----------+\n1 row in set (0.00 sec)\n",
	"pandas":                   ",name,password\n0,bob,«hunter2»\n",
	"other names":              "name,Created (UTC),Prénom,password\nbob,x,y,«hunter2»\n",
	"one column of psql":       " password \n----------\n «hunter2»\n «Tr0ub4dor»\n(2 rows)\n",
	"one column of mysql":      "+----------+\n| password |\n+----------+\n| «hunter2»  |\n+----------+\n",
	"two tables of mysql":      "+---+---+\n| a | b |\n+---+---+\n| 1 | x9y8z7 |\n+---+---+\n+---+---+\n| a | password |\n+---+---+\n| 1 | «hunter2» |\n+---+---+\n",
	"notes of several lines":   "name,password,note\nbob,«hunter2»,\"one\ntwo, three\"\n# exported\neve,«Tr0ub4dor»,x\n",
	"user and pass":            "user,pass\nbob,«hunter2»\n",
	"PIN of digits":            "user,password\nbob,«48151623»\n",
	"pipe of a shell":          "redis --password «hunter2» | tee log\n",
	"arguments of a call":      "auth(\n  \"password\", \"«hunter2»\")\n",
	"two CSV files":            "name,password\nbob,«hunter2»\n\nid,login,password\n1,eve,«Tr0ub4dor»\n",
	"a Markdown table behind":  "name,password\nbob,«hunter2»\n\n| a | password |\n|-|-|\n| 1 | «Tr0ub4dor» |\n",
	"a stray quote":            "name,password,note\nbob,«hunter2»,5\" disk\neve,«Tr0ub4dor»,x\nada,«s3cr3t99»,7\" disk\n",
	"an open quote":            "name,note,password\nbob,\"5 disks,«hunter2»\neve,x,«Tr0ub4dor»\nada,y,«s3cr3t99»\n",
	"a path of Windows":        "name,password,path\n\"bob\",\"«hunter2»\",\"C:\\\"\n",
	"a quote in TSV":           "name\tpassword\tnote\nbob\t«hunter2»\t\"x\neve\t«Tr0ub4dor»\ty\n",
	"a sentence above":         "Here are the logins, as asked:\nname,password\nbob,«hunter2»\n",
	"a separator at the end":   "name,password,\nbob,«hunter2»,\n",
	"base64":                   "name,client_secret\nbob,«q83vEjRWeJCrze8SNFZ4kA==»\n",
	"numbered names":           "user,password_1,password2\nbob,«hunter2»,«Tr0ub4dor»\n",
	"names with remarks":       "Email [Required],Password [Required]\nb@x.org,«hunter2»\n",
	"NULLs of psql":            " id | name | password | note \n----+------+----------+------\n    | bob  | «hunter2»  | \n  2 | eve  | «Tr0ub4dor» | x\n",
	"one NULL of psql":         " name | password | role \n------+----------+------\n      | «hunter2» | \n bob  | «Tr0ub4dor» | x\n",
	"marks of Markdown":        "| **User** | `Password` |\n|:-:|:-:|\n| bob | `«hunter2»` |\n| eve | **«Tr0ub4dor»** |\n",
	"Markdown without a box":   "User | Password\n--- | ---\nbob | «hunter2»\n",
	"a line in a cell":         "| User | Note | Password |\n|---|---|---|\n| bob | a\\|b | «hunter2» |\n| e | a | b | c |\n| eve | x | «Tr0ub4dor» |\n",
	"calls in an INSERT":       "INSERT INTO u (id, name, password, at) VALUES (UUID(), 'bob', '«hunter2»', NOW()), (UUID(), 'eve', SHA2('«Tr0ub4dor»', 256), NOW());\nSELECT 'h4ndles';",
	"arrays in an INSERT":      "INSERT INTO u (a, password) VALUES (ARRAY['a','b'], '«hunter2»');",
	"tables and a line":        "name,password\nbob,«hunter2»\n\nid,login,password\n1,eve,«Tr0ub4dor»\n\nThanks, bob\n",
	"tables of one width":      "name,password\nbob,«hunter2»\n\npassword,email\n«Tr0ub4dor»,bob@x.org\n\npackage,version\nopenssl,3.0.2-0ubuntu1\n",
	"usual other columns":      "Host/IP,User,Password,2FA\ndb1,bob,«hunter2»,yes\n",
	"the same, drawn":          "| Host/IP | User | Password | 2FA |\n|---|---|---|---|\n| db1 | bob | «hunter2» | yes |\n",
	"a title":                  "User export,,\nName,Login,Password\nBob,bob1,«hunter2»\n",
	"a separator of Excel":     "sep=;\nname;password\nbob;«hunter2»\n",
	"a command":                "sqlite> select name,password from users;\nname,password\nbob,«hunter2»\n",
	"short digits and letters": "name,password\nbob,«123abc»\neve,«1234qwe»\n",
	"a bracket at the end":     "name,password\nbob,«Xk9$mQ2)»\n",
	"letters at random":        "| name | password |\n|---|---|\n| bob | «KqxTzWvBnMpLrJdF» |\n",
	"comments in an INSERT":    "INSERT INTO users (name, password) VALUES\n-- admins\n('root','«hunter2»'), -- bob's\n/* others */\n('bob', -- it's him\n '«Tr0ub4dor»');",
	"INSERT over lines":        "INSERT INTO t (\nid,name,password\n) VALUES\n (1,'a','«hunter2»');",
	"INSERT with commas":       "INSERT INTO t (a, b, password) VALUES (_binary 'a,b(', \"so :(\", \"«hunter2»\"), ('C:\\', 'x', crypt('«Tr0ub4dor»', gen_salt('bf')));",
	"INSERT":                   "INSERT INTO users (id, name, password, age) VALUES (1, 'bob', '«hunter2»', 41),\n  (2, 'eve''s', '«Tr0ub4dor»', abs(-3));\nSELECT 'h4llo';\n",
	"INSERT of MySQL":          "insert into `users` (`name`,`password`) values ('bob','«hunter2»');",
}

// Passwords below the name of their column are found as tables are written, and nothing else of the table is.
func TestColumnsOfPasswords(t *testing.T) {
	t.Parallel()
	for name, text := range tablesOfPasswords {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := strings.NewReplacer("«", "", "»", "").Replace(text)
			want := text
			for {
				before, rest, found := strings.Cut(want, "«")
				if !found {
					break
				}
				_, after, _ := strings.Cut(rest, "»")
				want = before + "[REDACTED:password]" + after
			}
			if got, _ := Default().Redact(in); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

var tablesWithoutPasswords = map[string]string{
	"words":                  "name,password\nbob,required\neve,optional\n",
	"placeholders":           "name,password\nbob,********\neve,<password>\nada,\n",
	"digests":                "name,password_hash,age\nbob,none2,4\n",
	"prose":                  "Enter your name, password, and email\nthen wait, choose h4ndles, and go 1st2\n",
	"arguments":              "func login(user, password, host)\n\tdial(user1, host2, x9y8z7)\n",
	"Markdown of options":    "| Option | Password | OAuth |\n|---|---|---|\n| since | v1.2 | v2.0 |\n",
	"pipes of a shell":       "cat a | password | sort2\ncat b | h4ndles | sort3\n",
	"another number":         "name,password\nbob,x,h4ndles\n",
	"a value in the middle":  "a,b\npassword,c\nh4ndles,d\n",
	"results of tests":       "| Suite | Pass | Fail |\n|---|---|---|\n| unit | 98.5% | 12,345 |\n| all | 120/125 | 0.9812 |\n",
	"results as CSV":         "suite,pass,fail\nunit,98.5%,1.5%\nlong,12.3s,4\n",
	"dates":                  "DN,pwdLastSet,PasswordLastSet\ncn=a,133497361310000000,1/15/2024\n",
	"names of files":         "\nM\tsrc/password.go\nM\tk8s/Dockerfile\n",
	"results without names":  "test_login_password,passed,0.12s\ntest_oauth2_flow,passed,0.34s\n",
	"a row of a grid":        "+---+---+\n| name | does |\n+---+---+\n| password | x |\n+---+---+\n| http2 | s3_bucket |\n+---+---+\n",
	"ends in a separator":    "  password,",
	"ends in a column":       "name,password,",
	"ends in a row":          "name,password\n--\nbob,",
	"arguments of a return":  "def split(line):\n    return user,password\n\ndef check(a):\n    return verify(a, hmac256)\n",
	"imports":                "from auth import login,password\nfrom hashlib import md5,sha256\n",
	"imports over lines":     "import {\n  password,\n  http2,\n}\n",
	"columns of a SELECT":    "SELECT name,password\nFROM t;\nINSERT INTO t VALUES\n('bob','h4ndles');",
	"code below":             "name,password\nf(a,h4ndles)\n",
	"features in Markdown":   "| Provider | Password | OAuth |\n|---|---|---|\n| GitHub | **Yes** | No |\n| since | v1.2.3 | v2.0.0 |\n| then | None? | &check; |\n| as | `$DB_PASSWORD` | x |\n",
	"times of passes":        "| Test | First pass | Second pass |\n|---|---|---|\n| a | 12.5ms | 13.1ms |\n| b | 125ms | 0.1s |\n",
	"INSERT of a program":    "\"INSERT INTO users(name,password) VALUES('\"+name+\"','\"+password+\"')\"",
	"tables of mysql":        "+----+----------+\n| id | password |\n+----+----------+\n|  1 | x        |\n+----+----------+\n+----+---------+\n| id | build   |\n+----+---------+\n|  1 | rel2024 |\n+----+---------+\n",
	"documents of YAML":      "required:\n  - password\n---\nspec:\n  http2:\n    oauth2:\n",
	"leading commas":         "SELECT\n\tuser_id\n\t,password\n\t,address1\nFROM dbo.users\n",
	"the same, not indented": "SELECT\nuser_id\n,password\n,address1\nFROM dbo.users\n",
	"numbered passes":        "| Run | Pass 1 | Pass 2 |\n|---|---|---|\n| seq | 450MB/s | 1234567 |\n",
	"counts of passes":       "name,pass (count),fail (count)\nunit,104233,12\n",
	"standards":              "| Feature | Password | OAuth |\n|---|---|---|\n| Spec | RFC7617 | RFC6749 |\n| Hash | SHA-256 | x |\n| Task | PROJ-123 | #1234 |\n",
	"INSERT without quotes":  "$sql = \"INSERT INTO t (user,password) VALUES (\".$user.\",\".$password.\")\";",
	"a key of base64":        "BETTER_AUTH_APP_SETTING=" + strings.Repeat("q8", 20) + "=\nDB_HOST=localhost\n",
	"heading of a text":      "Password\n--------\nh4ndles\n",
	"columns of an INSERT":   "INSERT INTO logs (password, at) SELECT 'h4ndles', 'x9y8z7';",
}

// What looks like such a table and is none, or has nothing that can be a password, stays.
func TestTablesWithoutPasswords(t *testing.T) {
	t.Parallel()
	for name, text := range tablesWithoutPasswords {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, _ := Default().Redact(text); got != text {
				t.Errorf("got:\n%s\nwant:\n%s", got, text)
			}
		})
	}
}
