import type { Output } from "../client.ts";

type Said = Pick<Output<"analyze_repository">, "recommendations">;

/** What the operation recommends beside its answer. */
export function Advice({ said: { recommendations = [] } }: { said: Said }) {
  if (recommendations.length === 0) return null;
  return (
    <ul class="findings">
      {recommendations.map(({ type, title, description }) => (
        <li key={title} class={type === "critical" ? "error" : type}>
          <strong>{words[type]}</strong> {title}. {description}
        </li>
      ))}
    </ul>
  );
}

const words = { critical: "Error", warning: "Warning", info: "Note" };
