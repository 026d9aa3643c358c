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

// weights are the constants of the ranking. They lie where the results on two public collections of
// tools hardly change, rather than at the optimum of one.
type weights struct {
	Field [fields]float64 // weight of an occurrence
	Len   [fields]float64 // 0..1: how much less a long field counts
	K     float64         // occurrences at which half of the full weight is reached

	Frame   float64 // a word that frames the question
	Name    float64 // a name or a value
	Part    float64 // a piece of a compound
	More    float64 // share of the evidence for a word after the best
	Repeat  float64 // what is added per logarithm of a word's repeats
	Synonym float64 // a word that means the same
	Topic   float64 // a word of the same subject
	Meant   float64 // a word that tools use for an expression
	Near    float64 // a word with nearly the same spelling
	Pair    float64 // two words that are adjacent in both
	Cover   float64 // the share of the tool's name that the query holds
	// The share that a word of a tool's name counts if the query does not hold it but a word of the
	// same origin, a synonym or an expression for it.
	KinName, SynonymName, MeantName float64

	Concept float64 // how much the rarity of a word's concept replaces its own
	Spread  float64 // factor of a word once a hit above has it
	Clause  float64 // a tool that a part of the request asks for
	Served  float64 // factor of such a part once a tool above serves it
	Slot    float64 // the share of the query's values that the tool takes
	Lack    float64 // a value that the tool requires and the query does not hold
	Soft    float64 // the same for a value that can be guessed
	Family  float64 // a word of the same origin
	Act     float64 // a tool's action that is or is not asked for
	Order   float64 // the same if the request begins with it
	Deed    float64 // the same for the verb that its description begins with
	Where   float64 // a tool of the server that the request names
	Uses    float64 // the most that earlier calls add

	Sure sureness
}

// sureness holds the coefficients of the logistic function for the probability that a tool fits: a
// constant, and one for each of the signs in order.
//
// They lie near the fit on the odd queries of two public collections, asked for tools that are
// there and for tools that are left out, and were moved from there towards doubt until the office
// of the tests got no more tools by chance. TestRetrieval prints the fits, and how well they and
// the standard ones separate the even queries.
type sureness [signCount]float64

// signCount is the number of signs plus one.
const signCount = 7

func standardWeights() weights {
	return weights{
		Field: [fields]float64{5, 3, 4, 2, 1, 0.6, 0.55, 0.4, 0.6, 1.4, 1.4, 0.2},
		Len:   [fields]float64{0.5, 0.3, 0.3, 0.3, 0.3, 0.42, 0.8, 0.6, 0.6, 0.5, 0.1, 0.3},
		K:     1.8, Frame: 0.45, Name: 0.24, Part: 0.5, Repeat: 0.3, Synonym: 0.58, Topic: 0.38, Meant: 0.58, Near: 0.8, Pair: 0.5,
		Cover: 0.35, KinName: 0.7, SynonymName: 0.25, MeantName: 0.4, Concept: 0.33, Spread: 0.95, Clause: 0.6, Served: 0.14,
		Slot: 0.6, Lack: 0.2, Act: 0.07, Order: 0.07, Deed: 0.1, More: 0.5, Soft: 0.12, Family: 0.44, Where: 0.3, Uses: 0.02,
		Sure: sureness{-7.4, 3.6, 3.4, 1.2, 0.8, 1.8, 2.5},
	}
}
