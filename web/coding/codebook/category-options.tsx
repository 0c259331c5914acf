import { categories } from "../project-state.ts";
import { withDescendants } from "./code-tree.ts";

interface CategoryOptionsProps {
  chosen: number | null;
  /** The category to move, if any. It cannot move into itself or its descendants. */
  moving?: number | undefined;
}

/** The options of a list of target categories. */
export function CategoryOptions({ chosen, moving }: CategoryOptionsProps) {
  const excluded = moving === undefined ? undefined : withDescendants(categories.value, moving);
  return (
    <>
      <option value="">none</option>
      {categories.value
        .filter(({ id }) => !excluded?.has(id))
        .map(({ id, name }) => (
          <option key={id} value={id} selected={id === chosen}>
            {name}
          </option>
        ))}
    </>
  );
}
