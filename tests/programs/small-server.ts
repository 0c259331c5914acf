import { Server } from "@modelcontextprotocol/server";

/**
 * A server with tools that stress a transport: a slow one, one that blocks the
 * process, one that prints, one whose answer cannot be serialized, one that asks back.
 */
export function smallServer(): Server {
  const server = new Server(
    { name: "small", version: "1" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [] }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: given = {} } = params;
    if (name === "slow") {
      await new Promise((resolve) => setTimeout(resolve, Number(given.ms)));
      return textResult(mcpReq.signal.aborted ? "cancelled" : "done");
    }
    if (name === "block") {
      // Timers that expire meanwhile run after this, before the input that has arrived.
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), Number(given.after)));
      for (const end = Date.now() + Number(given.ms); Date.now() < end; );
      return textResult("done");
    }
    if (name === "memory") return textResult(String(process.resourceUsage().maxRSS * 1024));
    if (name === "print") {
      // biome-ignore lint/suspicious/noConsole: the test needs a call that prints
      console.log("printed by console.log");
      process.stdout.write("printed by process.stdout\n");
      return textResult("printed");
    }
    if (name === "deep") {
      const nested = "[".repeat(200_000);
      return { content: [], deep: JSON.parse(nested + nested.replaceAll("[", "]")) };
    }
    if (name === "pid") return textResult(String(process.pid));
    if (name === "ask") {
      const answer = await mcpReq.send({
        method: "elicitation/create",
        params: { message: "Which?", requestedSchema: { type: "object", properties: {} } },
      });
      return textResult(JSON.stringify(answer));
    }
    if (name === "throw") throw new Error("A tool broke.");
    return textResult(JSON.stringify(given));
  });
  return server;
}

const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });
