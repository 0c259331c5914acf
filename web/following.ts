import { go, screen } from "./address.ts";
import { isWindowOpen } from "./keys.ts";

/** A passage that an agent wants the researcher to see. */
interface Shown {
  source_id: number;
  start_pos: number;
  end_pos: number;
  highlight: boolean;
}

/** Goes where an agent points, save while somebody is typing or decides in a window. */
export function followPassage(data: string): void {
  if (document.activeElement?.closest("input, textarea, select") || isWindowOpen()) return;
  // The server writes notices of this topic in this form.
  const { about } = JSON.parse(data) as { about: string };
  const { source_id, start_pos, end_pos, highlight } = JSON.parse(about) as Shown;
  const passage = highlight ? `${start_pos}-${end_pos}` : String(start_pos);
  go(screen("coding", String(source_id), passage));
}
