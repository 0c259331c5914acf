import { Linked, type Neighbour } from "./reference.tsx";

/** The fields of an object in the order of their author, whatever they hold. */
export function Fields(props: { fields: Record<string, unknown>; known: readonly Neighbour[] }) {
  const { fields, known } = props;
  return (
    <dl class="facts">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={value} known={known} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Value({ value, known }: { value: unknown; known: readonly Neighbour[] }) {
  if (value === null || value === undefined) return <span class="nothing">empty</span>;
  if (typeof value === "string") {
    return (
      <span class={value.includes("\n") ? "text" : undefined}>
        <Linked text={value} known={known} />
      </span>
    );
  }
  if (Array.isArray(value)) {
    return (
      <ul class="words">
        {value.map((item, at) => (
          <li key={at}>
            <Value value={item} known={known} />
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value === "object") return <Fields fields={{ ...value }} known={known} />;
  return <span class="plain">{String(value)}</span>;
}
