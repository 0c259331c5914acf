import { splitLines } from "../../src/text/strings/lines.ts";
import { BlockList } from "./block-view.tsx";
import { parseChunk, splitDocument } from "./document-chunks.ts";
import { FrontMatter } from "./front-matter.tsx";
import type { LinkResolver } from "./inline-text.tsx";

interface ProseProps {
  text: string;
  /** Whether the page shows the title itself. */
  isTitled?: boolean;
  resolveLink: LinkResolver;
}

/**
 * Renders a Markdown document as elements. HTML is shown as source text and images as links, so
 * that reading a document sends no requests.
 */
export function Prose({ text, isTitled = false, resolveLink }: ProseProps) {
  const document = splitDocument(splitLines(text.replace(/^\uFEFF/, "")));
  const blocks = document.chunks.flatMap(parseChunk);
  const [first] = blocks;
  const repeatsTitle = isTitled && first?.kind === "heading" && first.depth === 1;
  return (
    <div class="prose">
      <FrontMatter rows={document.matter} />
      <BlockList
        blocks={repeatsTitle ? blocks.slice(1) : blocks}
        context={{ resolveLink, definitions: document.definitions }}
        headingOffset={isTitled ? 2 : 3}
      />
    </div>
  );
}
