// Package web answers from web pages, as far as the user's configuration opens the network:
// web.answer from the pages that a question names, or from the start pages in the configuration and
// those they link to; web.fetch returns the text of one page, and web.excerpts the text behind
// references to pages.
//
// An answer consists of sentences of the pages, word for word, each with the address of its
// heading; words of a model are marked as the model's. Pages are untrusted: their text is masked,
// quoted and cited, and nothing in it is followed except links to allowed pages, one step from the
// start pages.
//
// The package opens nothing itself: pages come from runtime/world/web, through the environment.
// builtins/web/page extracts their text, and runtime/retrieval ranks sentences.
package web
