import { Failure, invalid } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { foldText } from "../../../text/search/folded-text.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { allCases } from "../qda/storage-cases.ts";
import { allAttributeKinds, sourceTitles, valuesOfAttribute } from "../qda/storage-reports.ts";

/** The sources and cases that satisfy a condition. */
export interface AttributeMatches {
  sources: ReadonlySet<number>;
  cases: ReadonlySet<number>;
}

/** Evaluates a condition such as `Age >= 30` or `Town = Oslo`. */
export function matchAttributeCondition(db: Database, condition: string): AttributeMatches {
  const operator = /!=|<=|>=|=|<|>/.exec(condition);
  const attributeName = condition.slice(0, operator?.index).trim();
  if (!operator || attributeName === "") {
    throw invalid(`Invalid parameter 'where': '${condition}' is not a comparison.`, [
      "Write an attribute, an operator (= != < <= > >=) and a value: Age >= 30.",
    ]);
  }
  const operand = condition.slice(operator.index + operator[0].length).trim();
  const kinds = allAttributeKinds(db);
  const attribute = kinds.find(({ name }) => foldText(name) === foldText(attributeName));
  if (!attribute) throw unknownAttribute(attributeName, kinds);
  const values = new Map(
    valuesOfAttribute(db, attribute).map(({ id, value }) => [id, value ?? ""]),
  );
  // A missing value counts as empty, as QualCoder stores it.
  const matchingIds = (all: readonly { id: number }[]) =>
    new Set(
      all
        .map(({ id }) => id)
        .filter((id) => satisfiesCondition(values.get(id) ?? "", operator[0], operand)),
    );
  return {
    sources: attribute.of === "file" ? matchingIds(sourceTitles(db)) : new Set(),
    cases: attribute.of === "case" ? matchingIds(allCases(db)) : new Set(),
  };
}

/** Compares numbers as numbers, and other values without case and accents. */
function satisfiesCondition(value: string, operator: string, operand: string): boolean {
  const order = compareValues(value, operand);
  switch (operator) {
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

/** A non-numeric value such as `unknown` is neither greater nor less than a number. */
function compareValues(value: string, operand: string): number {
  const [number = 0, other = 0] = [value, operand].map((text) =>
    text.trim() === "" ? Number.NaN : Number(text),
  );
  return Number.isNaN(other) ? compareText(foldText(value), foldText(operand)) : number - other;
}

const unknownAttribute = (attributeName: string, known: readonly { name: string }[]): Failure =>
  new Failure("not-found", "ATTRIBUTE_NOT_FOUND", `Attribute not found: ${attributeName}`, {
    hints: [
      known.length > 0
        ? `Known attributes: ${known.map(({ name }) => name).join(", ")}.`
        : "The project has no attributes.",
    ],
  });
