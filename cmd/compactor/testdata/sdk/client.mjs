// Drives one MCP session with the TypeScript SDK: reads a job from standard input as
// JSON, {command, args, env, dir} or {url}, mode, prefixes, calls, and prints what it
// saw: {version, tools, first, results, first_ms, whole_ms}.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.SDK_MODULES + "/");
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");

const wholeMs = 240_000;
const job = JSON.parse(await text(process.stdin));
const transport = job.url
  ? new StreamableHTTPClientTransport(new URL(job.url))
  : new StdioClientTransport({ command: job.command, args: job.args ?? [], env: job.env ?? {}, cwd: job.dir, stderr: "ignore" });

const begun = Date.now();
const client = new Client({ name: "mcp", version: "1" }, { versionNegotiation: { mode: job.mode } });
await client.connect(transport);

async function toolsOf() {
  const out = [];
  let cursor;
  do {
    const page = await client.listTools(cursor ? { cursor } : undefined, { cacheMode: "bypass" });
    out.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return out;
}

const complete = (tools) => (job.prefixes ?? []).every((p) => tools.some((t) => t.name.startsWith(p)));
let tools = await toolsOf();
const first = Date.now() - begun, count = tools.length;
while (!complete(tools) && Date.now() - begun < wholeMs) {
  await new Promise((done) => setTimeout(done, 300));
  tools = await toolsOf();
}
const whole = Date.now() - begun;
const results = [];
for (const c of job.calls ?? []) {
  try {
    results.push(await client.callTool({ name: c.name, arguments: c.arguments }));
  } catch (e) { // what the protocol refuses is an answer too
    results.push({ refused: `${e.name}: ${e.message}` });
  }
}
const saw = { version: client.getNegotiatedProtocolVersion?.() ?? "", tools, first: count, results, first_ms: first, whole_ms: whole };
await client.close();
await new Promise((done) => process.stdout.write(JSON.stringify(saw), done)); // a pipe takes it piece by piece
process.exit(0);
