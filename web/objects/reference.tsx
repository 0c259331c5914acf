import { Link } from "../link.tsx";
import { type Named, place, refOf } from "./place.ts";

/** What an object speaks of, as far as it is known. */
export interface Neighbour extends Named {
  title: string;
}

/** A text in which every `[[#reference]]` is a link. */
export function Linked({ text, known }: { text: string; known: readonly Neighbour[] }) {
  return text
    .split(/(\[\[#[^[\]\n]+\]\])/)
    .map((piece, at) =>
      at % 2 === 0 ? (
        piece
      ) : (
        <Reference key={`${at} ${piece}`} name={piece.slice(3, -2)} known={known} />
      ),
    );
}

function Reference({ name, known }: { name: string; known: readonly Neighbour[] }) {
  const meant = meantBy(name, known);
  return (
    <Link class="reference" to={place(meant ? refOf(meant) : name)}>
      {meant?.title ?? name}
    </Link>
  );
}

/** The only neighbour that the name fits; a name that fits several or none is left to the server. */
function meantBy(name: string, known: readonly Neighbour[]): Neighbour | undefined {
  const id = name.slice(name.lastIndexOf(":") + 1);
  const [only, ...others] = known.filter((one) => one.id === id || one.id.endsWith(`.${id}`));
  return others.length === 0 ? only : undefined;
}
