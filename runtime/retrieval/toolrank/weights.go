package toolrank

// field is a part of a tool.
type field uint8

const (
	fieldName field = iota
	fieldTitle
	fieldKeyword
	fieldTag
	fieldLead // the first sentence of the description
	fieldText // what follows closely
	fieldRest // the rest of it
	fieldParam
	fieldParamText
	fieldEnum
	fieldServer
	fieldServerText
	fields
)

var fieldNames = [fields]string{"name", "title", "keyword", "tag", "description", "description", "description", "parameter",
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
	More    float64 // what the evidence for a word counts beside the best for it
	Repeat  float64 // what the logarithm of a word's repeats adds
	Synonym float64 // a word that means the same
	Topic   float64 // a word of the same subject
	Meant   float64 // a word that tools say for an expression
	Near    float64 // a word that is spelled nearly alike
	Pair    float64 // two words that stand side by side in both
	Cover   float64 // the share of the tool's name that the query holds
	// What a word of a tool's name counts in that share where the query has not it
	// but one of its origin, one that means the same or an expression for it.
	KinName, SynonymName, MeantName float64

	Concept float64 // how far a word is as rare as what it says
	Spread  float64 // what a word still counts once a hit above has it
	Clause  float64 // a tool that is what a part of the request asks for
	Served  float64 // what such a part still counts once a tool above is
	Slot    float64 // the share of the query's values that the tool takes
	Lack    float64 // a value that the tool must have and the query does not hold
	Soft    float64 // the same of a value that can be guessed
	Family  float64 // a word of the same origin
	Act     float64 // a tool's action that is or is not asked for
	Order   float64 // the same where the request begins with it
	Deed    float64 // the same of the verb that its description begins with
	Where   float64 // a tool of the server that the request names
	Uses    float64 // the most that earlier calls add

	Sure sureness
}

// sureness are the weights of the logistic that says whether a tool fits, in the
// order of the signs behind the one for no sign at all.
//
// They lie near what is fitted on the odd queries of two public collections,
// asked for tools that are there and for tools that are left out, and were moved
// from there towards doubt until the office of the tests got no more tools by
// chance. TestRetrieval prints the fits, and how well they and the standard ones
// tell the even queries apart.
type sureness [signCount]float64

// signCount is how many signs there are, and one.
const signCount = 7

func standard() weights {
	return weights{
		Field: [fields]float64{5, 3, 4, 2, 1, 0.6, 0.55, 0.4, 0.6, 1.4, 1.4, 0.2},
		Len:   [fields]float64{0.5, 0.3, 0.3, 0.3, 0.3, 0.42, 0.8, 0.6, 0.6, 0.5, 0.1, 0.3},
		K:     1.8, Frame: 0.45, Name: 0.24, Part: 0.5, Repeat: 0.3, Synonym: 0.58, Topic: 0.38, Meant: 0.58, Near: 0.8, Pair: 0.5,
		Cover: 0.35, KinName: 0.7, SynonymName: 0.25, MeantName: 0.4, Concept: 0.33, Spread: 0.95, Clause: 0.6, Served: 0.14,
		Slot: 0.6, Lack: 0.2, Act: 0.07, Order: 0.07, Deed: 0.1, More: 0.5, Soft: 0.12, Family: 0.44, Where: 0.3, Uses: 0.02,
		Sure: sureness{-7.4, 3.6, 3.4, 1.2, 0.8, 1.8, 2.5},
	}
}
