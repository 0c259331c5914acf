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

/** How a client connects: to a child process, or to a URL. */
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
  subscribe(uri: string, onUpdate: (uri: string) => void): Promise<void>;
  close(): Promise<void>;
}

const introduction = { name: "journey", version: "1" };

/** The client of SDK v1, which most current programs use. */
export async function connectLegacyClient(server: ServerLocation): Promise<EraClient> {
  const client = new OldClient(introduction);
  const transport =
    server.over === "http"
      ? new OldHttp(new URL(server.url))
      : new OldStdio({ ...server, stderr: "ignore" });
  // The SDK's types are incompatible under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    prompt: (name) => client.getPrompt({ name }),
    complete: (uri, name, value) =>
      client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } }),
    async subscribe(uri, onUpdate) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        onUpdate(params.uri),
      );
      await client.subscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

export type Mode = "legacy" | "auto" | { pin: string };

/** The client of SDK v2, with a fixed or negotiated protocol era. */
export async function connectModernClient(server: ServerLocation, mode: Mode): Promise<EraClient> {
  const client = new NewClient(introduction, { versionNegotiation: { mode } });
  await client.connect(
    server.over === "http"
      ? new NewHttp(new URL(server.url))
      : new NewStdio({ ...server, stderr: "ignore" }),
  );
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    prompt: (name) => client.getPrompt({ name }),
    complete: (uri, name, value) =>
      client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } }),
    async subscribe(uri, onUpdate) {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
        onUpdate(params.uri),
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

/**
 * Sends one request with the official inspector's command line; returns its answer or exit code.
 */
export function inspect(
  server: ServerLocation,
  era: string,
  args: readonly string[],
): Promise<{ code: number; result?: Record<string, unknown>; output: string }> {
  const target =
    server.over === "http"
      ? [server.url, "--transport", "http"]
      : [
          ...Object.entries(server.env).flatMap(([key, value]) => ["-e", `${key}=${value}`]),
          server.command,
          ...server.args,
        ];
  const command = [inspector, "--cli", ...target, "--protocol-era", era, "--format", "json", "-q"];
  return new Promise((resolve) => {
    execFile(newerNode, [...command, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error ? 1 : 0;
      const output = stdout + stderr;
      resolve(code === 0 ? { code, output, result: JSON.parse(stdout).result } : { code, output });
    });
  });
}
