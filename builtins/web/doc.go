// Package web answers from pages of the network, as far as the user's configuration
// opens it: web.answer from the pages that a question names, or from the pages that
// the configuration has questions begin with and those they link to; web.fetch gives
// the text of one page, and web.excerpts what stands behind references to pages.
//
// An answer is sentences of the pages, word for word, each with the address of its
// heading: what a model words beside them is marked as the model's. What a page says
// is written by strangers. It is masked, quoted and cited, and nothing in it is
// followed but links to what may be read, one step from where a question begins.
//
// It opens nothing itself: pages come from runtime/world/web, through the environment. How
// text is made of them is builtins/web/page's, how sentences are weighed
// runtime/retrieval's.
package web
