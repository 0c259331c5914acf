import { colourOf, paintOf } from "./colour.ts";
import { type Category, type Code, categories, codes } from "./project.ts";

/** Categories with their codes, and how often each code is used. */
export function Codebook() {
  return (
    <section class="codebook" aria-labelledby="codebook">
      <h3 id="codebook">Codes</h3>
      {codes.value.length === 0 && (
        <p class="about">None yet. Select some words and press c; a new name becomes a code.</p>
      )}
      <Branch of={null} above={[]} />
    </section>
  );
}

/** A category that stands below itself in a damaged project is shown once. */
function Branch({ of, above }: { of: number | null; above: readonly number[] }) {
  const below = categories.value.filter(
    ({ id, parent_id }) => parent_id === of && !above.includes(id),
  );
  const own = codes.value.filter(({ category_id }) => category_id === of);
  if (below.length + own.length === 0) return null;
  return (
    <ul>
      {below.map((category) => (
        <CategoryBranch key={`category ${category.id}`} category={category} above={above} />
      ))}
      {own.map((code) => (
        <CodeLine key={code.id} code={code} />
      ))}
    </ul>
  );
}

function CategoryBranch({ category, above }: { category: Category; above: readonly number[] }) {
  return (
    <li>
      <details open>
        <summary>{category.name}</summary>
        <Branch of={category.id} above={[...above, category.id]} />
      </details>
    </li>
  );
}

function CodeLine({ code: { name, color, memo, segment_count } }: { code: Code }) {
  return (
    <li class="counted" title={memo ?? undefined}>
      <Swatch color={color} isAgent={false} />
      <span class="name">{name}</span>
      <span class="count">
        {segment_count}
        <span class="unseen"> codings</span>
      </span>
    </li>
  );
}

/** The line that a code draws below words, whole for a person and dashed for an agent. */
export function Swatch({ color, isAgent }: { color: string | null | undefined; isAgent: boolean }) {
  const paint = paintOf([{ colour: colourOf(color), lane: 0, isAgent }]);
  return <span class="swatch" style={paint} />;
}
