package rank

// field is a part of a tool.
type field uint8

const (
	fieldName field = iota
	fieldTitle
	fieldKeyword
	fieldTag
	fieldLead // the first sentence of the description
	fieldText // the rest of it
	fieldParam
	fieldParamText
	fieldEnum
	fieldServer
	fieldServerText
	fields
)

var fieldNames = [fields]string{"name", "title", "keyword", "tag", "description", "description", "parameter",
	"parameter description", "value", "server", "server description"}

// weights are the numbers of the ranking. They lie where the figures of two
// public collections of tools hardly change, rather than at the best of one.
type weights struct {
	Field [fields]float64 // what an occurrence counts
	Len   [fields]float64 // 0..1: how much a long field counts less
	K     float64         // occurrences at which half of the full weight is reached

	Frame   float64 // a word of the question's frame
	Name    float64 // a name or a value
	Part    float64 // a piece of a compound
	Repeat  float64 // what the logarithm of a word's repeats adds
	Synonym float64 // a word that means the same
	Topic   float64 // a word of the same subject
	Near    float64 // a word that is spelled nearly alike
	Pair    float64 // two words that stand side by side in both
	Cover   float64 // the share of the tool's name that the query holds
	Spread  float64 // what a word still counts once a hit above has it
	Slot    float64 // the share of the query's values that the tool takes
	Lack    float64 // a value that the tool must have and the query does not hold
	Soft    float64 // the same of a value that can be guessed
	Family  float64 // a word of the same origin
	Act     float64 // a tool's action that is or is not asked for
	Uses    float64 // the most that earlier calls add

	Sure sureness
}

// sureness are the weights of the logistic that says whether a tool fits.
//
// They are rounded from two fits, one on each of two public collections, asked
// for tools that are there and for tools that are left out. Fitted on one and
// tried on the other, and tried on the office of the tests, they order queries
// equally well; TestRetrieval prints the fits and how right they are.
type sureness struct {
	None float64 // when there is no sign
	Held float64 // see signs
	Said float64
	Name float64
}

func standard() weights {
	return weights{
		Field: [fields]float64{4, 3, 4, 2, 1, 1, 0.8, 0.6, 1, 1, 0.5},
		Len:   [fields]float64{0.3, 0.3, 0.3, 0.3, 0.5, 0.5, 0.6, 0.6, 0.8, 0.1, 0.3},
		K:     1.3, Frame: 0.6, Name: 0.7, Part: 0.7, Repeat: 0.3, Synonym: 0.45, Topic: 0.35, Near: 0.5, Pair: 0.4,
		Cover: 0.4, Spread: 0.9, Slot: 0.6, Lack: 0.2, Act: 0.1, Soft: 0.12, Family: 0.4, Uses: 0.02,
		Sure: sureness{None: -5.2, Held: 4, Said: 3, Name: 2},
	}
}
