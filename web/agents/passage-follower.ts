import { navigate, screenAddress } from "../app/address.ts";
import { isWindowOpen } from "../keyboard/shortcuts.ts";

/** A passage that an agent asks the page to show. */
interface PassageReference {
  source_id: number;
  start_pos: number;
  end_pos: number;
  highlight: boolean;
}

/** Opens the passage, unless the user is typing or a dialog is open. */
export function followPassage(data: string): void {
  if (document.activeElement?.closest("input, textarea, select") || isWindowOpen()) return;
  // `about` holds the passage as JSON.
  const { about } = JSON.parse(data) as { about: string };
  const { source_id, start_pos, end_pos, highlight } = JSON.parse(about) as PassageReference;
  const passage = highlight ? `${start_pos}-${end_pos}` : String(start_pos);
  navigate(screenAddress("coding", String(source_id), passage));
}
