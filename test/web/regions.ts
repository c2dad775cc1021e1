/** The set `regions` of territories, whose page several tests open. */
import type { Dashboard } from './dashboard.ts';

/** Waits that a busy machine may need. */
export const WAIT = { timeout: 30_000 };

/** Stores a version of the set with the territories West and East of 2020-01-01; `more` replaces what is sent. */
export function createRegions(dashboard: Dashboard, cookie: string, more: object = {}): ReturnType<Dashboard['call']> {
  const groups = { West: ['iso:ES-H', 'iso:ES-SE'], East: ['iso:ES-CO', 'iso:ES-CA'] };
  return dashboard.call(cookie, '/sets', { name: 'regions', groups, valid_from: '2020-01-01', ...more });
}

/** How many members each territory has, as stored, today or on a date. */
export async function storedMembers(
  dashboard: Dashboard,
  cookie: string,
  on?: string,
): Promise<Readonly<Record<string, number>>> {
  const { items } = await dashboard.call(cookie, `/sets/regions/areas?members=true${on ? `&on=${on}` : ''}`);
  const areas = items as readonly { readonly name: string; readonly members: readonly string[] }[];
  return Object.fromEntries(areas.map(({ name, members }) => [name, members.length]));
}
