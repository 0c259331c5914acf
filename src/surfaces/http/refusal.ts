import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Failure, FailureKind } from "../../kernel/failure.ts";

/** The numbers that only this surface knows. */
export const statusOf: Record<FailureKind, ContentfulStatusCode> = {
  invalid: 400,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  "too-large": 413,
  unavailable: 503,
  internal: 500,
};

/**
 * Says no in the words of the place: `/mcp` is a JSON-RPC endpoint, and a refusal there is an
 * error without an id, because no message was read; everywhere else it is `{detail, status_code}`.
 */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  detail: string,
  headers: Record<string, string> = {},
): Response {
  if (c.req.path !== "/mcp") return c.json({ detail, status_code: status }, status, headers);
  const code = status >= 500 ? -32603 : -32600;
  return c.json({ jsonrpc: "2.0", error: { code, message: detail } }, status, headers);
}

export const refuseFailure = (c: Context, failure: Failure): Response =>
  refuse(c, statusOf[failure.kind], failure.explanation);
