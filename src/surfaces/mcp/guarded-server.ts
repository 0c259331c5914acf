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
import { restoreNames } from "./content.ts";
import { toProtocolError } from "./failures.ts";
import { refuseMalformed, withHandshakeDefaults } from "./params.ts";

type Handling = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/**
 * The SDK's server with our manners on every transport and in every era: a malformed request is
 * refused by the names of its fields, and what nobody foresaw is shown as "Internal error" while
 * its words go to `onInternal`.
 */
export class GuardedServer extends Server {
  onInternal: ((method: string, error: unknown) => void) | undefined;
  onSend: ((message: JSONRPCMessage) => void) | undefined;

  protected override _wrapHandler(method: string, handler: Handling): Handling {
    const handle = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        const asked = method === "initialize" ? shaken(request) : request;
        refuseMalformed(method, asked.params);
        return await handle(asked, ctx);
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
      const named = restoreNames(message);
      this.onSend?.(named);
      return send(named, options);
    };
    await super.connect(transport);
  }
}

function shaken(request: JSONRPCRequest): JSONRPCRequest {
  // The defaults are an object wherever the parameters were one or absent; anything else is
  // refused in the next step.
  const params = withHandshakeDefaults(request.params) as JSONRPCRequest["params"];
  return { ...request, params };
}
