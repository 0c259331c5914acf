import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import { Failure } from "../../kernel/failure.ts";
import { restoreResourceNames } from "./answers/content.ts";
import { toProtocolError } from "./answers/protocol-errors.ts";
import { assertValidParams, withHandshakeDefaults } from "./request-params.ts";

type RequestHandler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/**
 * The SDK's server with two additions for all transports and protocol versions: errors of malformed
 * requests name the invalid fields, and unexpected errors are passed to `onInternal` while the
 * client only receives "Internal error".
 */
export class GuardedServer extends Server {
  onInternal: ((method: string, error: unknown) => void) | undefined;
  onSend: ((message: JSONRPCMessage) => void) | undefined;

  protected override _wrapHandler(method: string, handler: RequestHandler): RequestHandler {
    const handle = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        const completed = method === "initialize" ? withDefaultsIn(request) : request;
        assertValidParams(method, completed.params);
        return await handle(completed, ctx);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        if (error instanceof Failure && error.kind !== "internal") throw toProtocolError(error);
        this.onInternal?.(method, error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
      }
    };
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const named = restoreResourceNames(message);
      this.onSend?.(named);
      return send(named, options);
    };
    await super.connect(transport);
  }
}

function withDefaultsIn(request: JSONRPCRequest): JSONRPCRequest {
  // An object if the parameters were an object or absent. Validation rejects anything else.
  const params = withHandshakeDefaults(request.params) as JSONRPCRequest["params"];
  return { ...request, params };
}
