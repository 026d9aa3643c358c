package rank

import (
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/builtins/stem"
)

// irregular are the forms of words that no rule brings to their stem: a word and
// its forms. Forms that are common words of their own are left out: saw, left.
const irregular = `
awake awoke awoken
be been being
beat beaten
become became
begin began begun
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
lay laid
lead led
learn learnt
lend lent
light lit
lose lost
make made
mean meant
meet met
mistake mistook mistaken
pay paid
prove proven
ride rode ridden
ring rang rung
rise risen
run ran
say said
see seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
spell spelt
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undo undid undone
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
write wrote written
child children
foot feet
goose geese
man men
mouse mice
tooth teeth
woman women
index indices
matrix matrices
vertex vertices
analysis analyses
criterion criteria
leaf leaves
knife knives
life lives
shelf shelves
wife wives
half halves
`

var baseForm = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(irregular)) {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			m[w] = words[0]
		}
	}
	return m
})

// root is the stem of a word in lower case, of its base form where it has a
// form of its own.
func root(w string) string {
	if base, ok := baseForm()[w]; ok {
		w = base
	}
	return stem.String(w)
}
