// Package openai talks to servers that implement OpenAI's protocol: LM Studio,
// llama.cpp's server, vLLM and others. It is a thin client of its own because the cases
// that need care are those that a general client hides: an error with status 200, an
// answer sent as reasoning, a stream that just ends, another model than the requested
// one.
//
// Nothing is retried, with one exception that generates nothing twice: a field that a
// server rejects is left out, now and from then on. The package does not evaluate
// answers, and caches nothing but the kind of server and, if the configuration does not
// name it, the model.
//
// Files:
//
//	openai.go                  the endpoint: its address, key and model
//	server.go                  which kind of server answers, and which models it has
//	lmstudio.go, llamacpp.go   what those servers report about their models
//	info.go, match.go          which model is asked, and by which name; whether two names mean the same model
//	load.go                    loading a model in LM Studio
//	chat.go, body.go           sending a request; its fields, and leaving out those that a server rejects
//	stream.go                  streamed and whole responses; streams that end early
//	reply.go                   text, reasoning, tool calls, token counts; another model than the one requested
//	embed.go                   vectors
//	error.go, failure.go       recognizing errors by a server's words; what the user can do about them
package openai
