import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Failure, type FailureKind, notFound } from "../../kernel/failure.ts";

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
  const { kind, message, hints } = failure;
  return new ProtocolError(rpcCodes[kind], message, {
    ...envelope(failure),
    ...(hints.length > 0 && { details: hints.join(" ") }),
  });
}

/**
 * One answer for a URI that is bad, that lies outside the roots, or that nobody has: a stranger
 * learns nothing from the difference. Clients of both eras know its code.
 */
export const nothingThere = notFound("Resource not found");

export const resourceNotFound = (uri: string): ProtocolError =>
  new ProtocolError(rpcCodes[nothingThere.kind], nothingThere.message, {
    uri,
    ...envelope(nothingThere),
  });

/** A failure as data. */
export const envelope = ({ code, message }: Failure) => ({
  success: false,
  error: { code, message },
});
