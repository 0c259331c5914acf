import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Failure, FailureKind } from "../../kernel/failure.ts";

/** The JSON-RPC code of a failure, for all that is not a tool: a tool's failure is its result. */
export const rpcCodes: Record<FailureKind, number> = {
  invalid: ProtocolErrorCode.InvalidParams,
  forbidden: ProtocolErrorCode.InvalidParams,
  "not-found": ProtocolErrorCode.InvalidParams,
  conflict: ProtocolErrorCode.InternalError,
  "too-large": ProtocolErrorCode.InvalidParams,
  unavailable: ProtocolErrorCode.InternalError,
  internal: ProtocolErrorCode.InternalError,
};

export function toProtocolError(failure: Failure): ProtocolError {
  const { kind, code, message, hints } = failure;
  return new ProtocolError(rpcCodes[kind], message, {
    success: false,
    error: { code, message },
    ...(hints.length > 0 && { details: hints }),
  });
}

/**
 * One answer for a URI that is bad, that lies outside the roots, or that nobody has: a stranger
 * learns nothing from the difference. Clients of both eras know this code.
 */
export function resourceNotFound(uri: string): ProtocolError {
  const message = "Resource not found";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
    uri,
    success: false,
    error: { code: "not-found", message },
  });
}
