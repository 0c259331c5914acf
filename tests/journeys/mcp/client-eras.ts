import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { newerNode } from "../../conformance/suite.ts";

/** How the program is reached: as a child process, or at a URL. */
export type ServerLocation =
  | { over: "stdio"; command: string; args: string[]; env: Record<string, string> }
  | { over: "http"; url: string };

/** What every client supports. */
export interface EraClient {
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  read(uri: string): Promise<Record<string, unknown>>;
  prompt(name: string): Promise<Record<string, unknown>>;
  complete(uri: string, argument: string, typed: string): Promise<Record<string, unknown>>;
  /** Receives the URI each time the resource changes. */
  subscribe(uri: string, heard: (uri: string) => void): Promise<void>;
  close(): Promise<void>;
}

const introduction = { name: "journey", version: "1" };

/** The client of SDK v1, which most current programs contain. */
export async function connectLegacyClient(place: ServerLocation): Promise<EraClient> {
  const client = new OldClient(introduction);
  const transport =
    place.over === "http"
      ? new OldHttp(new URL(place.url))
      : new OldStdio({ ...place, stderr: "ignore" });
  // The SDK's own two types differ in whether a member that is absent may be undefined.
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    prompt: (name) => client.getPrompt({ name }),
    complete: (uri, name, value) =>
      client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } }),
    async subscribe(uri, heard) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        heard(params.uri),
      );
      await client.subscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

export type Mode = "legacy" | "auto" | { pin: string };

/** The client of SDK v2, with a fixed or negotiated era. */
export async function connectModernClient(place: ServerLocation, mode: Mode): Promise<EraClient> {
  const client = new NewClient(introduction, { versionNegotiation: { mode } });
  await client.connect(
    place.over === "http"
      ? new NewHttp(new URL(place.url))
      : new NewStdio({ ...place, stderr: "ignore" }),
  );
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    prompt: (name) => client.getPrompt({ name }),
    complete: (uri, name, value) =>
      client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } }),
    async subscribe(uri, heard) {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
        heard(params.uri),
      );
      if (mode === "legacy") await client.subscribeResource({ uri });
      else await client.listen({ resourceSubscriptions: [uri] });
    },
    close: () => client.close(),
  };
}

const inspector = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")),
  "clients/launcher/build/index.js",
);

/** One request by the official inspector's command line: its answer, or its exit code. */
export function inspect(
  place: ServerLocation,
  era: string,
  words: readonly string[],
): Promise<{ code: number; result?: Record<string, unknown>; output: string }> {
  const target =
    place.over === "http"
      ? [place.url, "--transport", "http"]
      : [
          ...Object.entries(place.env).flatMap(([key, value]) => ["-e", `${key}=${value}`]),
          place.command,
          ...place.args,
        ];
  const given = [inspector, "--cli", ...target, "--protocol-era", era, "--format", "json", "-q"];
  return new Promise((resolve) => {
    execFile(newerNode, [...given, ...words], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error ? 1 : 0;
      const output = stdout + stderr;
      resolve(code === 0 ? { code, output, result: JSON.parse(stdout).result } : { code, output });
    });
  });
}
