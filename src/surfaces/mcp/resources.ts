import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { Failure, type FailureKind } from "../../kernel/failure.ts";
import {
  isUriTemplate,
  matchFamily,
  type ResourceEntry,
} from "../../kernel/operations/resource.ts";
import { toResourceContents } from "./answers/content.ts";
import { paginate } from "./answers/pagination.ts";
import {
  failureEnvelope,
  resourceNotFound,
  resourceNotFoundFailure,
} from "./answers/protocol-errors.ts";
import {
  type ConnectionContext,
  callForClient,
  formatMegabytes,
  jsonBytes,
} from "./connection-context.ts";

export function serveResources(connection: ConnectionContext): void {
  const { app, server } = connection;
  const families = app.catalogue.resources.map(({ family }) => family);

  server.setRequestHandler("resources/list", async ({ params }) => {
    const { items, nextCursor } = paginate("resources", await app.listResources(), params?.cursor);
    return { resources: items.map(toResource), ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("resources/templates/list", ({ params }) => {
    const templates = families.filter(isUriTemplate).map(
      ({ uri, name, title, description, mimeType }): ResourceTemplateType => ({
        uriTemplate: uri,
        name,
        title,
        description,
        mimeType,
      }),
    );
    const { items, nextCursor } = paginate("templates", templates, params?.cursor);
    return { resourceTemplates: items, ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) =>
    callForClient(
      connection,
      ctx,
      { uri },
      (options) => app.readResource(uri, options),
      (outcome): ReadResourceResult => {
        if (!outcome.ok) return failed(uri, outcome.failure);
        const result = { contents: outcome.value.map(toResourceContents) };
        const size = jsonBytes(result);
        return size <= connection.outboundLimit
          ? result
          : failed(uri, tooLarge(size, connection.outboundLimit));
      },
    ),
  );

  function failed(uri: string, failure: Failure): ReadResourceResult {
    const isHidden = hiddenKinds.includes(failure.kind);
    if (app.settings.resourceErrors === "protocol") {
      throw isHidden ? resourceNotFound(uri) : failure;
    }
    const text = JSON.stringify(failureEnvelope(isHidden ? resourceNotFoundFailure : failure));
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
}

/** Failures that are all reported as "not found", so that they reveal nothing about files. */
const hiddenKinds: readonly FailureKind[] = ["not-found", "forbidden", "invalid"];

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
    `The resource has ${formatMegabytes(size)}; the limit is ${formatMegabytes(limit)}.`,
    { hints: ["Read it in parts, with a tool that accepts a range of lines."] },
  );

/** Limits the memory that a client can use. */
const maxSubscriptions = 1_000;

/** Maps canonical URIs, which notices use, to the client's spelling. */
export type Subscriptions = Map<string, string>;

/** Subscriptions before protocol 2026; since then the SDK handles them. */
export function serveSubscriptions(
  connection: ConnectionContext,
  subscribed: Subscriptions | undefined,
): void {
  const { app, server } = connection;
  const families = app.catalogue.resources.map(({ family }) => family);

  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (!matchFamily(families, uri)) throw resourceNotFound(uri);
    if (!subscribed) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        "A subscription needs a session: send initialize with text/event-stream in Accept.",
      );
    }
    const canonical = await app.canonicalUri(uri);
    if (subscribed.size >= maxSubscriptions && !subscribed.has(canonical)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `At most ${maxSubscriptions} subscriptions; unsubscribe from some first.`,
      );
    }
    subscribed.set(canonical, uri);
    return {};
  });

  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    subscribed?.delete(await app.canonicalUri(uri));
    return {};
  });
}
