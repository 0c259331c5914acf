import { categories } from "./project.ts";
import { withThoseBelow } from "./tree.ts";

interface ChoicesProps {
  chosen: number | null;
  /** A category that is moved itself; it cannot go into what stands below it. */
  moving?: number | undefined;
}

/** Where something can be moved to; the choices of a list. */
export function CategoryChoices({ chosen, moving }: ChoicesProps) {
  const barred = moving === undefined ? undefined : withThoseBelow(categories.value, moving);
  return (
    <>
      <option value="">none</option>
      {categories.value
        .filter(({ id }) => !barred?.has(id))
        .map(({ id, name }) => (
          <option key={id} value={id} selected={id === chosen}>
            {name}
          </option>
        ))}
    </>
  );
}
