// Package hook runs the pipelines that a configuration attaches to the traffic of
// upstream servers: tools_list, which selects the tools that a session is listed, and
// tool_result, which may shorten the result of a tool. It converts between this traffic
// and the inputs and outputs of a pipeline, and counts skipped hooks. A hook never
// breaks the traffic: if it fails, is late or returns something unusable, it is
// skipped, and the data passes unchanged.
//
// The package neither loads a configuration nor masks secrets: results arrive masked,
// and runtime/gateway masks its output once more. Neighbours: runtime/app/service
// supplies the configuration in force, runtime/pipeline/engine runs the pipelines,
// runtime/pipeline/session is their view of the client.
package hook
