import { Server } from "@modelcontextprotocol/server";

/**
 * A server with a few tools that are hard on a transport: one that is slow, one that blocks the
 * process, one that prints, one whose answer cannot be written, one that asks back.
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
      return said(mcpReq.signal.aborted ? "cancelled" : "done");
    }
    if (name === "block") {
      // Timers that fall due meanwhile are looked at first after this, before what has come in.
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), Number(given.after)));
      for (const end = Date.now() + Number(given.ms); Date.now() < end; );
      return said("done");
    }
    if (name === "memory") return said(String(process.resourceUsage().maxRSS * 1024));
    if (name === "print") {
      // biome-ignore lint/suspicious/noConsole: a library that prints is what is tested
      console.log("printed by console.log");
      process.stdout.write("printed by process.stdout\n");
      return said("printed");
    }
    if (name === "deep") {
      const opened = "[".repeat(200_000);
      return { content: [], deep: JSON.parse(opened + opened.replaceAll("[", "]")) };
    }
    if (name === "pid") return said(String(process.pid));
    if (name === "ask") {
      const answer = await mcpReq.send({
        method: "elicitation/create",
        params: { message: "Which?", requestedSchema: { type: "object", properties: {} } },
      });
      return said(JSON.stringify(answer));
    }
    if (name === "throw") throw new Error("A tool broke.");
    return said(JSON.stringify(given));
  });
  return server;
}

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
