import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { Failure, type FailureKind } from "../../kernel/failure.ts";
import { familyOf, isTemplate, type ResourceEntry } from "../../kernel/resource.ts";
import { toContents } from "./content.ts";
import { type Desk, exchange, inMegabytes, sizeOf } from "./exchange.ts";
import { envelope, nothingThere, resourceNotFound } from "./failures.ts";
import { page } from "./pagination.ts";

export function serveResources(desk: Desk): void {
  const { library, server } = desk;
  const families = library.catalogue.resources.map(({ family }) => family);

  server.setRequestHandler("resources/list", async ({ params }) => {
    const { items, nextCursor } = page("resources", await library.listResources(), params?.cursor);
    return { resources: items.map(toResource), ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("resources/templates/list", ({ params }) => {
    const templates = families.filter(isTemplate).map(
      ({ uri, name, title, description, mimeType }): ResourceTemplateType => ({
        uriTemplate: uri,
        name,
        title,
        description,
        mimeType,
      }),
    );
    const { items, nextCursor } = page("templates", templates, params?.cursor);
    return { resourceTemplates: items, ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) =>
    exchange(
      desk,
      ctx,
      { uri },
      (options) => library.readResource(uri, options),
      (outcome): ReadResourceResult => {
        if (!outcome.ok) return failed(uri, outcome.failure);
        const result = { contents: outcome.value.map(toContents) };
        const size = sizeOf(result);
        return size <= desk.outboundLimit
          ? result
          : failed(uri, tooLarge(size, desk.outboundLimit));
      },
    ),
  );

  function failed(uri: string, failure: Failure): ReadResourceResult {
    const isUnseen = unseen.includes(failure.kind);
    if (library.settings.resourceErrors === "protocol") {
      throw isUnseen ? resourceNotFound(uri) : failure;
    }
    const text = JSON.stringify(envelope(isUnseen ? nothingThere : failure));
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
}

/** What a stranger may not tell apart. */
const unseen: readonly FailureKind[] = ["not-found", "forbidden", "invalid"];

function toResource({ lastModified, meta, ...entry }: ResourceEntry): Resource {
  return {
    ...entry,
    ...(lastModified !== undefined && { annotations: { lastModified } }),
    ...(meta && { _meta: meta }),
  };
}

const tooLarge = (size: number, limit: number): Failure =>
  new Failure(
    "too-large",
    "too-large",
    `The resource has ${inMegabytes(size)}; at most ${inMegabytes(limit)} are sent.`,
    { hints: ["Read it in parts, with a tool that takes a range of lines."] },
  );

/** Enough for any client, and few enough that none can fill the memory. */
const mostSubscriptions = 1_000;

/** The URIs that notices use, each with the form in which the client wrote it. */
export type Subscriptions = Map<string, string>;

/** The older era's way to hear of a resource; the newer one listens through the SDK. */
export function serveSubscriptions(desk: Desk, subscribed: Subscriptions | undefined): void {
  const { library, server } = desk;
  const families = library.catalogue.resources.map(({ family }) => family);

  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (!familyOf(families, uri)) throw resourceNotFound(uri);
    if (!subscribed) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        "A subscription needs a session: send initialize with text/event-stream in Accept.",
      );
    }
    const told = await library.canonicalUri(uri);
    if (subscribed.size >= mostSubscriptions && !subscribed.has(told)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `At most ${mostSubscriptions} subscriptions; unsubscribe from some first.`,
      );
    }
    subscribed.set(told, uri);
    return {};
  });

  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    subscribed?.delete(await library.canonicalUri(uri));
    return {};
  });
}
