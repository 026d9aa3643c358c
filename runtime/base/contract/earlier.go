package contract

// Earlier is a question that was answered before in the same session, in the words that
// were sent.
type Earlier struct {
	Question   string   `json:"question" doc:"the question as it was asked"`
	References []string `json:"references" doc:"what was found, best first, as this call names it"`
}
