// Package install adds compactor to the configuration of chat clients, and removes it
// again, without losing anything else in their files: comments, trailing commas and
// formatting stay.
//
// Package clients knows where each client keeps its servers and in what format.
package install
