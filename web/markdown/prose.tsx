import { linesOf } from "../../src/text/lines.ts";
import { Blocks } from "./blocks-shown.tsx";
import { Matter } from "./matter.tsx";
import { blocksOn, paperFrom } from "./sheets.ts";
import type { LeadsTo } from "./words.tsx";

interface ProseProps {
  text: string;
  /** True where the page shows the title itself. */
  isTitled?: boolean;
  leadsTo: LeadsTo;
}

/**
 * A document in Markdown as elements that we make ourselves. HTML in it is shown as it is written,
 * and pictures are links, so that reading asks nobody for anything.
 */
export function Prose({ text, isTitled = false, leadsTo }: ProseProps) {
  const paper = paperFrom(linesOf(text.replace(/^\uFEFF/, "")));
  const blocks = paper.sheets.flatMap(blocksOn);
  const [first] = blocks;
  const isDouble = isTitled && first?.kind === "heading" && first.depth === 1;
  return (
    <div class="prose">
      <Matter rows={paper.matter} />
      <Blocks
        blocks={isDouble ? blocks.slice(1) : blocks}
        around={{ leadsTo, definitions: paper.definitions }}
        above={isTitled ? 2 : 3}
      />
    </div>
  );
}
