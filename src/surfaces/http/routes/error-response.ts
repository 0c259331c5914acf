import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Failure, FailureKind } from "../../../kernel/failure.ts";

/** The HTTP status of each kind of failure. */
export const httpStatusByKind: Record<FailureKind, ContentfulStatusCode> = {
  invalid: 400,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  "too-large": 413,
  unavailable: 503,
  internal: 500,
};

/**
 * An error in the format of the route: a JSON-RPC error without an id on `/mcp`, because no message
 * was read; a tool error on `/tools/`; otherwise `{detail, status_code}`.
 */
export function errorResponse(
  c: Context,
  status: ContentfulStatusCode,
  detail: string,
  headers: Record<string, string> = {},
): Response {
  const { path } = c.req;
  if (path === "/mcp") {
    const code = status >= 500 ? -32603 : -32600;
    return c.json({ jsonrpc: "2.0", error: { code, message: detail } }, status, headers);
  }
  if (path.startsWith("/tools/")) {
    const code = toolErrorCodes[status] ?? "INVALID_REQUEST";
    return c.json({ success: false, error: detail, error_code: code }, status, headers);
  }
  return c.json({ detail, status_code: status }, status, headers);
}

/** The error codes of the tool routes for errors before a tool is called. */
const toolErrorCodes: Partial<Record<ContentfulStatusCode, string>> = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
};

export const failureResponse = (c: Context, failure: Failure): Response =>
  errorResponse(c, httpStatusByKind[failure.kind], failure.explanation);
