import type { Output } from "../client.ts";

type Actor = Output<"activity">["changes"][number]["actor"];

/** What a browser calls itself tells nobody anything; whoever is at the page or a shell is a person. */
export function whoIs({ surface, client }: Actor): string {
  if (surface === "web") return "you, on the page";
  return surface === "cli" ? "you, at a shell" : (client ?? surface);
}
