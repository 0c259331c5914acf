import { Link } from "../components/link.tsx";
import { type ObjectIdentity, objectRefOf, objectsAddress } from "./objects-address.ts";

/** The fields of an object in their written order. Nested values are shown recursively. */
export function ObjectFields(props: {
  fields: Record<string, unknown>;
  known: readonly Neighbour[];
}) {
  const { fields, known } = props;
  return (
    <dl class="facts">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <FieldValue value={value} known={known} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function FieldValue({ value, known }: { value: unknown; known: readonly Neighbour[] }) {
  if (value === null || value === undefined) return <span class="nothing">empty</span>;
  if (typeof value === "string") {
    return (
      <span class={value.includes("\n") ? "text" : undefined}>
        <ReferenceText text={value} known={known} />
      </span>
    );
  }
  if (Array.isArray(value)) {
    return (
      <ul class="words">
        {value.map((item, index) => (
          <li key={index}>
            <FieldValue value={item} known={known} />
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value === "object") return <ObjectFields fields={{ ...value }} known={known} />;
  return <span class="plain">{String(value)}</span>;
}

/** An object that the current one references. */
interface Neighbour extends ObjectIdentity {
  title: string;
}

/** A text with every `[[#reference]]` as a link. */
function ReferenceText({ text, known }: { text: string; known: readonly Neighbour[] }) {
  return text
    .split(/(\[\[#[^[\]\n]+\]\])/)
    .map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <Reference key={`${index} ${part}`} name={part.slice(3, -2)} known={known} />
      ),
    );
}

function Reference({ name, known }: { name: string; known: readonly Neighbour[] }) {
  const neighbour = findNeighbour(name, known);
  return (
    <Link class="reference" to={objectsAddress(neighbour ? objectRefOf(neighbour) : name)}>
      {neighbour?.title ?? name}
    </Link>
  );
}

/** The neighbour of that name, if there is exactly one; otherwise the server resolves the name. */
function findNeighbour(name: string, known: readonly Neighbour[]): Neighbour | undefined {
  const id = name.slice(name.lastIndexOf(":") + 1);
  const [first, ...others] = known.filter((item) => item.id === id || item.id.endsWith(`.${id}`));
  return others.length === 0 ? first : undefined;
}
