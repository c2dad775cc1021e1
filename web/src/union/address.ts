import { currentRoute, go } from '../route.ts';
import { csvOf, rowsOf } from './groups.ts';

/** Most characters of groups in an address; browsers and programs where people paste addresses limit them. */
export const MOST_CHARACTERS = 30_000;

const NAME = 'groups=';

const written = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');

/** The groups for an address: `A:r1,r2;B:r3`, each part percent-encoded. Empty if no row has an id and a group. */
export function groupsText(csv: string): string {
  const groups = new Map<string, string[]>();
  for (const [id, group] of rowsOf(csv)) {
    const ids = groups.get(group);
    if (ids) ids.push(written(id));
    else groups.set(group, [written(id)]);
  }
  return [...groups].map(([group, ids]) => `${encodeURIComponent(group)}:${ids.join(',')}`).join(';');
}

/** The groups in the address as CSV; '' if it has none, null if they cannot be parsed. */
export function groupsHere(): string | null {
  const { fragment } = currentRoute();
  if (!fragment.startsWith(NAME)) return '';
  try {
    const rows = fragment
      .slice(NAME.length)
      .split(';')
      .flatMap((part): [string, string][] => {
        const end = part.indexOf(':');
        if (end < 1) throw new URIError(part);
        const group = decodeURIComponent(part.slice(0, end));
        const ids = part.slice(end + 1).split(',');
        return ids.map((id) => [decodeURIComponent(id), group]);
      });
    return csvOf(rows);
  } catch {
    return null;
  }
}

/**
 * Navigates to the address with these groups; `replace` overwrites the current history entry. Returns false if they are
 * too long; the address then has none.
 */
export function goToGroups(csv: string, replace: boolean): boolean {
  const text = groupsText(csv);
  const fits = text.length <= MOST_CHARACTERS;
  go(location.pathname + location.search + (text === '' || !fits ? '' : `#${NAME}${text}`), replace);
  return fits;
}
