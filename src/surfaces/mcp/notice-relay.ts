import type { ServerCapabilities, ServerNotifier } from "@modelcontextprotocol/server";
import type { Notice } from "../../kernel/notices/notices.ts";
import type { GuardedServer } from "./guarded-server.ts";

/** Sends a notice as an MCP notification; topics without one are ignored. */
export function relayNotice({ topic, about }: Notice, to: ServerNotifier): void {
  if (topic === "tools.changed") to.toolsChanged();
  if (topic === "prompts.changed") to.promptsChanged();
  if (topic === "resources.changed") to.resourcesChanged();
  if (topic === "resource.updated" && about !== undefined) to.resourceUpdated(about);
}

/**
 * The notifier of a persistent connection. Before protocol 2026, resource updates are sent only for
 * resources that the client has subscribed to; since then the SDK filters them.
 */
export function createNotifier(
  server: GuardedServer,
  capabilities: ServerCapabilities,
  /** The URI in the client's spelling; undefined if it has not subscribed to it. */
  subscribedAs: (uri: string) => string | undefined,
): ServerNotifier {
  const ignoreDisconnect = (sent: Promise<void>): void => {
    sent.catch(() => undefined);
  };
  return {
    toolsChanged() {
      if (capabilities.tools) ignoreDisconnect(server.sendToolListChanged());
    },
    promptsChanged() {
      if (capabilities.prompts) ignoreDisconnect(server.sendPromptListChanged());
    },
    resourcesChanged() {
      if (capabilities.resources) ignoreDisconnect(server.sendResourceListChanged());
    },
    resourceUpdated(changed) {
      const uri = subscribedAs(changed);
      if (uri !== undefined) ignoreDisconnect(server.sendResourceUpdated({ uri }));
    },
  };
}
