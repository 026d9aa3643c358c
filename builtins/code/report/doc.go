// Package report writes the answer of a research request, and the reply around it: code.synthesize
// and code.report.
//
// The configuration gives code.report one input per section, in addition to the report's own inputs:
// reportShape derives the report's type from them, with a member for each section and the order in
// which they are cut (schema.Trim, which runtime/safety/egress follows), and Report.View shows it
// (called by runtime/pipeline/render). A finding carries its place (contract.Finding), so that no
// later stage has to look for it in the text.
//
//	synthesize*.go                      the answer from what the stages found
//	report.go, report_input.go          building the report
//	report_type.go, report_form.go      its type, derived from the sections configured
//	report_trim.go                      what is cut first
//	report_view.go, report_notes.go     the text of the reply, and the notes below it
//	report_places.go                    the places an answer cites
package report
