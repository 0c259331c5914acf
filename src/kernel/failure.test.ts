import { expect, test } from "vitest";
import { Failure, failureKinds, invalid, notFound } from "./failure.ts";

test("a failure is an error with a kind, a code and hints", () => {
  const cause = new Error("below");
  const failure = new Failure("conflict", "busy", "It is busy.", { hints: ["Wait."], cause });

  expect(failure).toBeInstanceOf(Error);
  expect(failure).toMatchObject({ name: "Failure", kind: "conflict", code: "busy", cause });
  expect(failure.explanation).toBe("It is busy.\nWait.");
});

test("without hints the explanation is the message", () => {
  expect(new Failure("internal", "internal-error", "Internal error").explanation).toBe(
    "Internal error",
  );
});

test("the two most common failures have fixed codes", () => {
  expect(invalid("No", ["Yes"])).toMatchObject({
    kind: "invalid",
    code: "invalid-argument",
    hints: ["Yes"],
  });
  expect(notFound("No")).toMatchObject({ kind: "not-found", code: "not-found", hints: [] });
});

test("every surface has a code for each kind", () => {
  expect(failureKinds).toHaveLength(7);
  expect(new Set(failureKinds).size).toBe(7);
});
