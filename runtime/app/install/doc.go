// Package install adds compactor to the configuration of chat clients, and
// takes it out again, without losing anything else that is in their files:
// comments, trailing commas and the way they are written stay.
//
// Package clients says where each client keeps its servers and in what shape.
package install
