import { four } from '../common/elements.ts';
/** A boundary as a server describes it, without its border. */
export interface RemoteBoundary {
  /** Canonical: `r…` or `w…`. */
  readonly id: string;
  /** Tags of the map. */
  readonly tags: Readonly<Record<string, string>>;
  /** west, south, east, north in degrees; null when the server does not say. */
  readonly box: readonly [west: number, south: number, east: number, north: number] | null;
}

/** The boundaries of an Overpass answer printed with `out tags bb`. @throws Error for a malformed element */
export function remoteBoundaries(elements: readonly unknown[]): RemoteBoundary[] {
  return elements.flatMap((element) => {
    const { type, id, tags, bounds } = record(element);
    if (type !== 'relation' && type !== 'way') return [];
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new Error('an element without an id');
    return { id: `${type[0]}${id}`, tags: texts(tags), box: bounds === undefined ? null : boxOf(record(bounds)) };
  });
}

function boxOf({ minlon, minlat, maxlon, maxlat }: Record<string, unknown>): RemoteBoundary['box'] {
  return checkedBox([minlon, minlat, maxlon, maxlat]);
}

/** The box of four numbers if it is within the world, else null. */
export function checkedBox(values: readonly unknown[]): RemoteBoundary['box'] {
  const [west, south, east, north] = four(values.map(Number), Number.NaN);
  const within = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north;
  return within ? [west, south, east, north] : null;
}

/** The members of an object that are strings. */
export function texts(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  return Object.fromEntries(
    Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The value, if it is a JSON object. @throws Error otherwise */
export function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as Record<string, unknown>;
}
