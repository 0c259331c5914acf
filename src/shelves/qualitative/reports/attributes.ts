import type { Database } from "../../../kernel/database.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { fold } from "../../../text/folding.ts";
import { allCases } from "../qda/storage-cases.ts";
import { attributeKinds, attributeValues, sourceTitles } from "../qda/storage-reports.ts";

/** Sources and cases whose attribute has a wanted value. */
export interface Fitting {
  sources: ReadonlySet<number>;
  cases: ReadonlySet<number>;
}

/** Who fits a condition such as `Age >= 30` or `Town = Oslo`. */
export function fittingIn(db: Database, condition: string): Fitting {
  const sign = /!=|<=|>=|=|<|>/.exec(condition);
  const given = condition.slice(0, sign?.index).trim();
  if (!sign || given === "") {
    throw invalid(`Invalid parameter 'where': '${condition}' compares nothing.`, [
      "Write an attribute, one of = != < <= > >= and a value: Age >= 30.",
    ]);
  }
  const wanted = condition.slice(sign.index + sign[0].length).trim();
  const kinds = attributeKinds(db);
  const attribute = kinds.find(({ name }) => fold(name) === fold(given));
  if (!attribute) throw unknownAttribute(given, kinds);
  const values = new Map(attributeValues(db, attribute).map(({ id, value }) => [id, value ?? ""]));
  // Whoever has no value has an empty one, as QualCoder stores it.
  const fitting = (all: readonly { id: number }[]) =>
    new Set(all.map(({ id }) => id).filter((id) => holds(values.get(id) ?? "", sign[0], wanted)));
  return {
    sources: attribute.of === "file" ? fitting(sourceTitles(db)) : new Set(),
    cases: attribute.of === "case" ? fitting(allCases(db)) : new Set(),
  };
}

/** Numbers are compared as numbers, all else without case and accents. */
function holds(value: string, sign: string, wanted: string): boolean {
  const order = orderOf(value, wanted);
  switch (sign) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return value !== "" && order < 0;
    case "<=":
      return value !== "" && order <= 0;
    case ">":
      return order > 0;
    default:
      return order >= 0;
  }
}

/** What is no number, such as `unknown`, is neither above nor below a number. */
function orderOf(value: string, wanted: string): number {
  const [number = 0, other = 0] = [value, wanted].map((text) =>
    text.trim() === "" ? Number.NaN : Number(text),
  );
  return Number.isNaN(other) ? byLetters(fold(value), fold(wanted)) : number - other;
}

const unknownAttribute = (given: string, known: readonly { name: string }[]): Failure =>
  new Failure("not-found", "ATTRIBUTE_NOT_FOUND", `Attribute not found: ${given}`, {
    hints: [
      known.length > 0
        ? `Known are ${known.map(({ name }) => name).join(", ")}.`
        : "The project has no attributes.",
    ],
  });
