/** What only a home on PostgreSQL has. */
export const homeTables = `
  -- The number of changes of the index; a user version in SQLite.
  CREATE TABLE revision (number bigint NOT NULL);
  INSERT INTO revision VALUES (0);`;
