package redact

import "strings"

// command describes where a program takes a password on its command line.
type command struct {
	separate []string // options whose value is the next argument
	joined   []string // options whose value follows in the same argument
	with     string   // an argument that must also be present
	behind   string   // text in the value that precedes the password: "user%"
}

// commands are the programs that take a password by an option whose name does not say so. If it does ("--password"),
// the name alone is enough.
var commands = func() map[string]command {
	table := map[string]command{
		"sshpass":   {separate: []string{"-p"}, joined: []string{"-p"}},
		"redis-cli": {separate: []string{"-a"}},
		"openssl":   {separate: []string{"-passin", "-passout", "-pass", "-password"}, behind: "pass:"},
		"ipmitool":  {separate: []string{"-P"}},
		"lftp":      {separate: []string{"-u"}, behind: ","},
		"xfreerdp":  {joined: []string{"/p:"}},
	}
	for names, c := range map[string]command{
		"mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mariadb mariadb-dump mariadb-admin xtrabackup": {joined: []string{"-p"}},
		"mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat":                                            {separate: []string{"-p"}},
		"docker podman nerdctl buildah skopeo helm crane oras":                                                              {separate: []string{"-p"}, joined: []string{"-p="}, with: "login"},
		"sqlcmd osql": {separate: []string{"-P"}, joined: []string{"-P"}},
		"ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd": {separate: []string{"-w"}, joined: []string{"-w"}},
		"7z 7za 7zz unrar":                      {joined: []string{"-p"}},
		"mosquitto_pub mosquitto_sub":           {separate: []string{"-P"}},
		"ssh-keygen":                            {separate: []string{"-N", "-P"}},
		"nmcli":                                 {separate: []string{"password"}},
		"zip unzip":                             {separate: []string{"-P"}},
		"smbclient smbget rpcclient":            {separate: []string{"-U"}, joined: []string{"-U"}, behind: "%"},
		"plink pscp psftp":                      {separate: []string{"-pw"}},
		"snmpwalk snmpget snmpset snmpbulkwalk": {separate: []string{"-A", "-X"}},
	} {
		for name := range strings.FieldsSeq(names) {
			table[name] = c
		}
	}
	return table
}()

// commandKeywords are the beginnings of the command names, and of htpasswd, whose password has no option.
var commandKeywords = strings.Fields(`sshpass redis-cli openssl ipmitool lftp xfreerdp mysql mariadb xtrabackup mongo docker podman nerdctl buildah skopeo
	helm crane oras sqlcmd osql ldap 7z unrar zip unzip smbclient smbget rpcclient plink pscp psftp snmp mosquitto_ ssh-keygen nmcli htpasswd`)

// commandPassword finds the password in the arguments of the command named at text[start:end].
func (d *detector) commandPassword(s *scan, start, end int) {
	text := s.text
	for end < len(text) && (isWord(text[end]) || text[end] == '-') && end-start < 24 {
		end++
	}
	if start > 0 && (isWord(text[start-1]) || strings.IndexByte("-.@", text[start-1]) >= 0) || end == len(text) || strings.IndexByte(" \t\"'", text[end]) < 0 {
		return
	}
	name := lowerASCII(text[start:end])
	c, ok := commands[name]
	if !ok && name != "htpasswd" {
		return
	}
	args := splitArguments(text, end)
	s.watch.spend(attemptCost * len(args) / 8)
	if !ok {
		d.batchPassword(s, args)
		return
	}
	if c.with != "" && !hasArgument(text, args, c.with) {
		return
	}
	for i, a := range args {
		arg := text[a.lo:a.hi]
		for _, option := range c.separate {
			if arg == option && i+1 < len(args) {
				d.reportArgument(s, args[i+1], c.behind)
			}
		}
		for _, option := range c.joined {
			if strings.HasPrefix(arg, option) && len(arg) > len(option) {
				d.reportArgument(s, window{a.lo + len(option), a.hi}, c.behind)
			}
		}
	}
}

func hasArgument(text string, args []window, word string) bool {
	for _, a := range args {
		if text[a.lo:a.hi] == word {
			return true
		}
	}
	return false
}

// batchPassword finds the last argument of "htpasswd -b file user password".
func (d *detector) batchPassword(s *scan, args []window) {
	batch, want := false, 3
	var plain []window
	for _, a := range args {
		arg := s.text[a.lo:a.hi]
		if !strings.HasPrefix(arg, "-") {
			plain = append(plain, a)
			continue
		}
		batch = batch || strings.Contains(arg, "b")
		if strings.Contains(arg, "n") {
			want = 2
		}
	}
	if batch && len(plain) >= want {
		d.reportArgument(s, plain[want-1], "")
	}
}

// reportArgument reports a value, or the part of it after behind, unless it is a port, a placeholder or the like.
func (d *detector) reportArgument(s *scan, a window, behind string) {
	v := s.text[a.lo:a.hi]
	if behind != "" {
		i := strings.Index(v, behind)
		if i < 0 {
			return
		}
		a.lo += i + len(behind)
	}
	for a.lo < a.hi && strings.IndexByte("\"'\\", s.text[a.lo]) >= 0 {
		a.lo++
	}
	for a.lo < a.hi && strings.IndexByte("\"'\\", s.text[a.hi-1]) >= 0 {
		a.hi--
	}
	v = s.text[a.lo:a.hi]
	isPort := len(v) <= 5 && alphabetIn(v) == digit
	if len(v) >= 3 && !isPort && v[0] != '-' && !isPlaceholder(v) && !isConstantName(v) && !strings.ContainsAny(v, "{}<>()$") {
		s.addFinding(d, a.lo, a.hi)
	}
}

const maxArguments = 48

// splitArguments splits a command line from at to its end, as written in a shell or as a list in a program.
func splitArguments(text string, at int) (args []window) {
	stop := min(len(text), at+commandReach)
	for at < stop && len(args) < maxArguments {
		switch c := text[at]; {
		case c == '\\' && at+1 < stop && (text[at+1] == '\n' || text[at+1] == '\r'):
			at += 2
			if at < stop && text[at] == '\n' {
				at++
			}
		case strings.IndexByte("\n;|&`)]}", c) >= 0:
			return args
		case strings.IndexByte(" \t\r,\"'", c) >= 0:
			at++
			if c != '"' && c != '\'' || at == stop || strings.IndexByte(" \t,]\n)", text[at]) >= 0 {
				continue // not the start of a quoted argument
			}
			end := strings.IndexAny(text[at:stop], string(c)+"\n")
			if end < 0 {
				return args
			}
			args = append(args, window{at, at + end})
			at += end
		default:
			end := argumentEnd(text, at, stop)
			args = append(args, window{at, end})
			at = max(end, at+1)
		}
	}
	return args
}

// argumentEnd returns where an argument ends that does not begin with a quote. It may contain one: -p'my word'.
func argumentEnd(text string, at, stop int) int {
	for at < stop {
		c := text[at]
		if strings.IndexByte(" \t\r\n;|`", c) >= 0 {
			return at
		}
		at++
		if c == '"' || c == '\'' {
			end := strings.IndexAny(text[at:stop], string(c)+"\n")
			if end < 0 {
				return at - 1
			}
			at += end + 1
		}
	}
	return at
}
