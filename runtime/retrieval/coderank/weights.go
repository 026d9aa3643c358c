package coderank

import (
	"bytes"
	"encoding/json"
)

// Weights are the constants of the ranking. They were fitted on questions made from real commits of
// repositories in twelve languages, and checked on others that had no part in the fitting. One set
// serves all languages; most of them may change by half without moving a figure by more than chance
// does.
type Weights struct {
	Title      float64 `json:"title,omitempty" doc:"a term of the question's first sentence"`
	Prose      float64 `json:"prose,omitempty" doc:"a term of the sentences after it, times the logarithm of how often: they explain more than they ask"`
	Pasted     float64 `json:"pasted,omitempty" doc:"a term of code blocks and stack traces, likewise: mostly noise around a few names"`
	Weak       float64 `json:"weak,omitempty" doc:"factor for words such as fix, add, improve: they name what to do, not where"`
	Synonym    float64 `json:"synonym,omitempty" doc:"factor for what the thesaurus adds: helps only where the question's own words are missing"`
	Everyday   float64 `json:"everyday,omitempty" doc:"factor for the words that code has for everyday words of a question: who does not know the code asks in those alone"`
	Ident      float64 `json:"ident,omitempty" doc:"a whole identifier of the question found as a word, beside its parts"`
	Pair       float64 `json:"pair,omitempty" doc:"two neighbouring terms found as neighbours: the strongest sign after the terms themselves"`
	Neighbours float64 `json:"neighbours,omitempty" doc:"two neighbouring terms found within eight subwords, in any order"`
	Companions float64 `json:"companions,omitempty" doc:"any two close terms of the first sentence found within eight subwords"`
	Surface    float64 `json:"surface,omitempty" doc:"a term spelled as in the question, beside its stem"`
	Rarity     float64 `json:"rarity,omitempty" doc:"power of the inverse document frequency: below 1 clamps very rare words, which are often beside the point"`

	Body        float64 `json:"body,omitempty" doc:"a term in code; the other fields of files are set against it"`
	Comment     float64 `json:"comment,omitempty" doc:"a term in a comment: long comments talk about more than their file does"`
	Signature   float64 `json:"signature,omitempty" doc:"a term in the line of a definition"`
	Name        float64 `json:"name,omitempty" doc:"a term in the name of a definition"`
	Directory   float64 `json:"directory,omitempty" doc:"a term in the directories of the path"`
	FileName    float64 `json:"file_name,omitempty" doc:"a term in the file's name"`
	NameCover   float64 `json:"name_cover,omitempty" doc:"added for the share of the file's name that the question holds: 'log deduper' names dedupe.go"`
	NameTopic   float64 `json:"name_topic,omitempty" doc:"what a file's score gains where a question is the name of a topic (panic recovery middleware), times the share of the question and that of the file's name that they have in common: a topic has a file of its own more often than an act has"`
	BodyNorm    float64 `json:"body_norm,omitempty" doc:"how far long files are held back: 0 not at all, 1 in proportion to their length"`
	CommentNorm float64 `json:"comment_norm,omitempty" doc:"the same for files with much comment"`
	NameNorm    float64 `json:"name_norm,omitempty" doc:"the same for files with many definitions"`
	Saturation  float64 `json:"saturation,omitempty" doc:"how fast more occurrences of a term stop to count (k1 of BM25)"`

	DefName       float64 `json:"def_name,omitempty" doc:"a term in the definition's name, against one in its body"`
	DefSignature  float64 `json:"def_signature,omitempty" doc:"a term in the definition's first line"`
	DefDoc        float64 `json:"def_doc,omitempty" doc:"a term in the definition's comments"`
	DefString     float64 `json:"def_string,omitempty" doc:"a term in a string literal of the definition: messages talk about what happens elsewhere"`
	DefDirectory  float64 `json:"def_directory,omitempty" doc:"a term in the directories above the definition: a package is named once, not in each of its functions"`
	DefNorm       float64 `json:"def_norm,omitempty" doc:"how far long definitions are held back"`
	DefSaturation float64 `json:"def_saturation,omitempty" doc:"k1 for definitions"`
	DefNext       float64 `json:"def_next,omitempty" doc:"share of the second-best definition, and its square of the third, in the score of the file"`

	PlaceName  float64 `json:"place_name,omitempty" doc:"choosing the place within a file: a term in the definition's name"`
	PlaceDoc   float64 `json:"place_doc,omitempty" doc:"the same for its comments"`
	PlaceSize  float64 `json:"place_size,omitempty" doc:"power of a definition's lines: what a question is about happens in long functions rather than short ones"`
	PlaceValue float64 `json:"place_value,omitempty" doc:"factor for constants, variables and fields: they hold words that functions act on"`
	PlaceBlock float64 `json:"place_block,omitempty" doc:"factor for lines outside of definitions, which are mostly imports"`

	Definitions float64 `json:"definitions,omitempty" doc:"the list by best definition against the list by file"`
	Exact       float64 `json:"exact,omitempty" doc:"a definition with the very name that the question holds"`
	Compound    float64 `json:"compound,omitempty" doc:"a definition whose whole name is two neighbouring words of a question: 'the SETEX command' is setexCommand"`
	Asked       float64 `json:"asked,omitempty" doc:"factor for Exact where the question asks where that name is: then it is the answer"`
	Named       float64 `json:"named,omitempty" doc:"a file that the question names by path, frame or module"`
	Found       float64 `json:"found,omitempty" doc:"a file that the question before led to, where this one is a follow-up"`
	Beside      float64 `json:"beside,omitempty" doc:"a file of the directory that the question before led to, as a share of its score"`
	Before      float64 `json:"before,omitempty" doc:"factor for the words of the question before, where this one is a follow-up: the more words it has of its own, the less they count"`
	Language    float64 `json:"language,omitempty" doc:"power of the share that a file's language has in the tree: a slight preference for the main one"`

	Past      float64 `json:"past,omitempty" doc:"a term of the question in the message of a past commit, for the files that it changed; 0 reads no history"`
	PastVotes float64 `json:"past_votes,omitempty" doc:"the files of the past commits whose messages are most like the question"`

	Types     float64 `json:"types,omitempty" doc:"factor for type declarations: they are changed as often as code"`
	Config    float64 `json:"config,omitempty" doc:"factor for configuration, scripts and data, unless asked for"`
	Docs      float64 `json:"docs,omitempty" doc:"factor for documents and examples, unless asked for"`
	Test      float64 `json:"test,omitempty" doc:"factor for tests, unless asked for: they repeat the words of what they test"`
	Generated float64 `json:"generated,omitempty" doc:"factor for generated files"`
	Vendored  float64 `json:"vendored,omitempty" doc:"factor for other people's code"`
	Unwanted  float64 `json:"unwanted,omitempty" doc:"factor for code where the question asks for tests, documents or configuration"`

	MinStrength float64 `json:"min_strength,omitempty" doc:"strength (see confidence.go) below which there is no answer"`
	WeakBelow   float64 `json:"weak_below,omitempty" doc:"strength below which confidence is low"`
	SureAbove   float64 `json:"sure_above,omitempty" doc:"strength, less what the crowd behind the first file takes off, above which confidence is high"`
}

// UnmarshalJSON reads the weights that are given; the others keep their defaults.
func (w *Weights) UnmarshalJSON(raw []byte) error {
	type plain Weights // without this method
	p := plain(Default())
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return err
	}
	*w = Weights(p)
	return nil
}

// Default returns the weights that were fitted.
func Default() Weights {
	return Weights{
		Title: 1, Prose: .2, Pasted: .1, Weak: .5, Synonym: .1, Everyday: .5,
		Ident: 1, Pair: .55, Neighbours: .2, Companions: .13, Surface: .25, Rarity: .6,
		Body: 1, Comment: .4, Signature: 1, Name: 1, Directory: .3, FileName: 4, NameCover: 2.5, NameTopic: .4,
		BodyNorm: .55, CommentNorm: .45, NameNorm: .4, Saturation: 1.6,
		DefName: 10, DefSignature: .5, DefDoc: 2, DefString: .5, DefDirectory: .7, DefNorm: .25, DefSaturation: 1.2, DefNext: .5,
		PlaceName: 7, PlaceDoc: 1, PlaceSize: .15, PlaceValue: .8, PlaceBlock: .7,
		Definitions: .6, Exact: .75, Compound: .6, Asked: 10, Named: 1.5, Found: .3, Beside: .5, Before: .6, Language: .1, Past: 2, PastVotes: .15,
		Types: 1, Config: .3, Docs: .1, Test: .05, Generated: .15, Vendored: .1, Unwanted: .5,
		MinStrength: .3, WeakBelow: 1.2, SureAbove: .5,
	}
}
