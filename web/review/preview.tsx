/** What would change: lines of a diff are told apart by their marks, not by colour alone. */
export function Preview({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section class="preview" tabIndex={0} aria-label="What would change">
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
