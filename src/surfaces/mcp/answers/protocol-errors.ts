import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Failure, type FailureKind, notFound } from "../../../kernel/failure.ts";

/** The JSON-RPC error codes of failures. Not used for tools, whose failures are results. */
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
    ...failureEnvelope(failure),
    ...(hints.length > 0 && { details: hints.join(" ") }),
  });
}

/**
 * The same error for a URI that is malformed, outside the roots or missing, so that it does not
 * reveal which files exist. All protocol versions have its code.
 */
export const resourceNotFoundFailure = notFound("Resource not found");

export const resourceNotFound = (uri: string): ProtocolError =>
  new ProtocolError(rpcCodes[resourceNotFoundFailure.kind], resourceNotFoundFailure.message, {
    uri,
    ...failureEnvelope(resourceNotFoundFailure),
  });

/** The data of a failure. */
export const failureEnvelope = ({ code, message }: Failure) => ({
  success: false,
  error: { code, message },
});
