import type { Campaign } from "./campaign.ts";
import { collecting } from "./collecting.ts";
import { crowd } from "./crowd.ts";
import { damage } from "./damage.ts";
import { frames } from "./frames.ts";
import { frozen } from "./frozen.ts";
import { full } from "./full.ts";
import { gitSettings } from "./git-settings.ts";
import { hostile } from "./hostile.ts";
import { hostileDatabases } from "./hostile-databases.ts";
import { kills } from "./kills.ts";
import { otherUserCampaign } from "./other-user.ts";
import { privateProbes } from "./private-probes.ts";
import { processes } from "./processes.ts";
import { rows } from "./rows.ts";
import { same } from "./same.ts";
import { sockets } from "./sockets.ts";
import { swaps } from "./swaps.ts";

/** Every campaign, in the order in which they are run. */
export const campaigns: readonly Campaign[] = [
  kills,
  damage,
  rows,
  full,
  frames,
  crowd,
  processes,
  frozen,
  sockets,
  hostile,
  hostileDatabases,
  swaps,
  gitSettings,
  collecting,
  privateProbes,
  otherUserCampaign,
  same,
];
