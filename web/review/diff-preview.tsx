/** A diff. The signs of its lines remain, since colour alone is not accessible. */
export function DiffPreview({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs keyboard access
    <section class="preview" tabIndex={0} aria-label="Proposed changes">
      {text.split("\n").map((line, number) => (
        <span class={kindOf(line)} key={`${number} ${line}`}>
          {`${line}\n`}
        </span>
      ))}
    </section>
  );
}

function kindOf(line: string): string {
  if (/^(?:---|\+\+\+|@@)/.test(line)) return "head";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "kept";
}
