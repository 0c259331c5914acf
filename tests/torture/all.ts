import { frames } from "./attacks/frames.ts";
import { gitSettings } from "./attacks/git-settings.ts";
import { hostile } from "./attacks/hostile.ts";
import { hostileDatabases } from "./attacks/hostile-databases.ts";
import { otherUserCampaign } from "./attacks/other-user.ts";
import { privateProbes } from "./attacks/private-probes.ts";
import { swaps } from "./attacks/swaps.ts";
import type { Campaign } from "./campaign.ts";
import { damage } from "./damage/damage.ts";
import { full } from "./damage/full.ts";
import { rows } from "./damage/rows.ts";
import { frozen } from "./kills/frozen.ts";
import { kills } from "./kills/kills.ts";
import { health } from "./load/health.ts";
import { manyClients } from "./load/many-clients.ts";
import { processes } from "./load/processes.ts";
import { sameResults } from "./load/same-results.ts";
import { sockets } from "./load/sockets.ts";

/** Every campaign, in the order of execution. */
export const campaigns: readonly Campaign[] = [
  kills,
  damage,
  rows,
  full,
  frames,
  manyClients,
  processes,
  frozen,
  sockets,
  hostile,
  hostileDatabases,
  swaps,
  gitSettings,
  health,
  privateProbes,
  otherUserCampaign,
  sameResults,
];
