import type { ServerCapabilities, ServerNotifier } from "@modelcontextprotocol/server";
import type { Notice } from "../../kernel/notices.ts";
import type { GuardedServer } from "./guarded-server.ts";

/** Hands a notice to whoever listens; topics that the protocol has no word for are not for it. */
export function relay({ topic, about }: Notice, to: ServerNotifier): void {
  if (topic === "tools.changed") to.toolsChanged();
  if (topic === "prompts.changed") to.promptsChanged();
  if (topic === "resources.changed") to.resourcesChanged();
  if (topic === "resource.updated" && about !== undefined) to.resourceUpdated(about);
}

/**
 * A client at the other end of a lasting connection. In the older era it hears of a resource only
 * when it subscribed to it; in the newer one the SDK knows who listens to what.
 */
export function notifierOf(
  server: GuardedServer,
  capabilities: ServerCapabilities,
  /** The URI as the client wrote it; nothing where it does not want to hear of it. */
  wordedAs: (uri: string) => string | undefined,
): ServerNotifier {
  const unlessGone = (sent: Promise<void>): void => {
    sent.catch(() => undefined);
  };
  return {
    toolsChanged() {
      if (capabilities.tools) unlessGone(server.sendToolListChanged());
    },
    promptsChanged() {
      if (capabilities.prompts) unlessGone(server.sendPromptListChanged());
    },
    resourcesChanged() {
      if (capabilities.resources) unlessGone(server.sendResourceListChanged());
    },
    resourceUpdated(changed) {
      const uri = wordedAs(changed);
      if (uri !== undefined) unlessGone(server.sendResourceUpdated({ uri }));
    },
  };
}
