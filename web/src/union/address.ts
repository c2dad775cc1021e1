import { go, now } from '../route.ts';
import { csvOf, rowsOf } from './groups.ts';

/** Characters of groups that an address has at most: browsers and what people paste addresses into bound them. */
export const MOST_CHARACTERS = 30_000;

const NAME = 'groups=';

const written = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');

/** Groups as an address has them: `A:r1,r2;B:r3`, each part percent-encoded. Empty where no row has an id and a group. */
export function groupsText(csv: string): string {
  const groups = new Map<string, string[]>();
  for (const [id, group] of rowsOf(csv)) {
    const ids = groups.get(group);
    if (ids) ids.push(written(id));
    else groups.set(group, [written(id)]);
  }
  return [...groups].map(([group, ids]) => `${encodeURIComponent(group)}:${ids.join(',')}`).join(';');
}

/** The groups of the address as a table, empty where it has none; null where they cannot be read. */
export function groupsHere(): string | null {
  const { fragment } = now();
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
 * Goes to the address with these groups; `replace`: the one before is left out of the history. False where they are too
 * long: the address has none then.
 */
export function goToGroups(csv: string, replace: boolean): boolean {
  const text = groupsText(csv);
  const fits = text.length <= MOST_CHARACTERS;
  go(location.pathname + location.search + (text === '' || !fits ? '' : `#${NAME}${text}`), replace);
  return fits;
}
