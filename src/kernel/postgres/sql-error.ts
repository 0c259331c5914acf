/**
 * A statement that PostgreSQL rejected for a reason that only the program can handle. The message
 * contains no parameter and no text of a statement.
 */
export class SqlError extends Error {
  /** The five characters of PostgreSQL's appendix A, such as 23505. */
  readonly state: string;
  readonly constraint: string | undefined;

  constructor(state: string, message: string, constraint?: string) {
    super(message);
    this.name = "SqlError";
    this.state = state;
    this.constraint = constraint;
  }
}

export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof SqlError && error.state === "23505";

/** The transaction was rolled back because of another one, and may succeed when it is repeated. */
export const isConcurrencyError = (error: unknown): boolean =>
  error instanceof SqlError && (error.state === "40001" || error.state === "40P01");
