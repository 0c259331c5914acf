import type { Output } from "../server/client.ts";

type Actor = Output<"activity">["changes"][number]["actor"];

/** Only the person uses the page and the shell. The client name of a browser is not useful. */
export function actorName({ surface, client }: Actor): string {
  if (surface === "web") return "you, on the page";
  return surface === "cli" ? "you, in a shell" : (client ?? surface);
}
