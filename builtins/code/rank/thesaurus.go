package rank

import (
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/builtins/stem"
)

// synonyms are groups of words that programmers use for one another. They
// count for little: they help where the question's own word occurs nowhere.
const synonyms = `delete remove drop erase destroy discard
create make build construct instantiate generate
config configuration configure setting settings preference
auth authenticate authentication authorization login credential
error exception failure fault
fetch retrieve load download
send emit dispatch publish post
receive consume accept
start begin launch boot initialize init setup
stop terminate shutdown halt kill quit exit
close shutdown dispose release
parse decode deserialize unmarshal
serialize encode marshal dump stringify
cache memoize
queue buffer backlog
thread worker goroutine
async asynchronous concurrent parallel
lock mutex semaphore
timeout deadline expire expiry expiration
retry backoff reconnect
delay wait sleep
schedule scheduler cron periodic beat timer interval
event signal hook callback listener handler subscriber
message msg payload
request req
response reply res answer
parameter param argument arg kwargs
variable var
function func method fn
directory dir folder
path route url uri endpoint
redirect forward
command cmd cli
environment env
validate verify check assert
compare equal equality diff
copy clone duplicate
merge combine join concat
split partition shard chunk
sort order
filter select
search find lookup query
count number total size length len
maximum max limit
minimum min
log logger logging trace
metric stat statistic telemetry counter
password secret token credential
encrypt cipher crypto
compress gzip zip deflate
template render view
style css
compile build bundle transpile
dependency import require module package
plugin extension addon
database db storage store
table relation
user account
permission access role acl
memory heap alloc allocation
leak
race
crash panic abort
warn warning
deprecated obsolete legacy
null nil none undefined empty
boolean bool flag
string text str
integer int number
dictionary dict map hash
list array slice
socket connection conn
network net
server listener
client
proxy gateway
header
cookie session
upload
migrate migration
upgrade update
version release
test spec
mock stub fake
example sample
documentation doc
prefix
suffix
escape quote sanitize
encoding charset utf
date time timestamp
locale language i18n translation
recursion recursive
iterate loop iterator each
wildcard glob pattern
regex regexp pattern
`

// thesaurus maps the stem of a word to the other words of its groups.
var thesaurus = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, group := range strings.Split(strings.TrimSpace(synonyms), "\n") {
		words := strings.Fields(group)
		for _, a := range words {
			st := stem.String(a)
			for _, b := range words {
				if stem.String(b) != st {
					m[st] = append(m[st], b)
				}
			}
		}
	}
	return m
})
