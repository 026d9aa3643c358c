"""Drives one MCP session with the Python SDK: reads a job from standard input as
JSON, {command, args, env, dir} or {url}, mode, prefixes, calls, and prints what
it saw: {version, tools, first, results, first_ms, whole_ms}."""

import asyncio
import json
import sys
import time

from mcp import Client, StdioServerParameters

WHOLE_SECONDS = 240


def plain(x):
    return x.model_dump(mode="json", by_alias=True, exclude_none=True)


async def tools_of(client):
    out, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor) if cursor else await client.list_tools()
        out += [plain(t) for t in page.tools]
        cursor = page.next_cursor
        if not cursor:
            return out


def complete(tools, prefixes):
    return all(any(t["name"].startswith(p) for t in tools) for p in prefixes)


async def call(client, name, arguments):
    try:
        return plain(await client.call_tool(name, arguments))
    except Exception as e:  # what the protocol refuses is an answer too
        return {"refused": f"{type(e).__name__}: {e}"}


async def run(job):
    server = job.get("url") or StdioServerParameters(
        command=job["command"], args=job.get("args", []), env=job.get("env") or {}, cwd=job.get("dir")
    )
    begun = time.monotonic()
    async with Client(server, mode=job["mode"], cache=None) as client:
        tools = await tools_of(client)
        first, count = time.monotonic() - begun, len(tools)
        while not complete(tools, job.get("prefixes", [])) and time.monotonic() - begun < WHOLE_SECONDS:
            await asyncio.sleep(0.3)
            tools = await tools_of(client)
        whole = time.monotonic() - begun
        results = [await call(client, c["name"], c["arguments"]) for c in job.get("calls", [])]
        return {
            "version": client.protocol_version,
            "tools": tools,
            "first": count,
            "results": results,
            "first_ms": round(first * 1000),
            "whole_ms": round(whole * 1000),
        }


print(json.dumps(asyncio.run(run(json.load(sys.stdin)))))
