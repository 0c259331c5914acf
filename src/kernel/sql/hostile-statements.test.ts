import { expect, test } from "vitest";
import { sqlCampaign } from "../../../tests/fixtures/sql/sql-campaign.ts";

test("[objects.sql.campaign] 300 hostile statements change nothing, and the statement after each returns the right answer", async () => {
  const { outcomes, violations } = await sqlCampaign(7, 300);

  expect(violations).toEqual([]);
  expect(Object.values(outcomes).reduce((sum, times) => sum + times, 0)).toBe(300);
});
