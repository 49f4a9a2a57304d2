import { Presence } from "./presence.ts";
import { Time } from "./time.ts";

/** Everything that tenants share in a process. A process has one, and whoever gives somebody a part of it has it from here. */
export type Sharing = { presence: Presence; time: Time };

export function createSharing(): Sharing {
  const presence = new Presence();
  return { presence, time: new Time(presence) };
}
