import { at, Failure, send } from '../api.ts';
import { t } from '../language.ts';
import type { FileCall } from './offer.ts';

/** Largest GeoJSON, in bytes, that is read to count its points and to draw it. */
export const MOST_READ = 12e6;

/** A file that was made, before it is saved. */
export interface Made {
  readonly bytes: number;
  /** Where the file is; null when it is in `blob`. */
  readonly href: string | null;
  readonly blob: Blob | null;
  /** Selected boundaries that are not in it, because they have no shape. */
  readonly leftOut: number;
}

interface Answer {
  readonly url?: string;
  readonly bytes?: number;
  readonly left_out?: { readonly count: number };
}

/** Makes a file: the answer is the file itself, or has its address. @throws like send() */
export async function make(
  { op, input }: Pick<FileCall, 'input'> & { readonly op: FileCall['op'] | 'draw_map' | 'join' },
  signal: AbortSignal,
): Promise<Made> {
  const response = await send(`/ops/${op}`, { method: 'POST', body: input, signal });
  if (!/^application\/json\b/.test(response.headers.get('Content-Type') ?? '')) {
    const blob = await response.blob();
    return { bytes: blob.size, href: null, blob, leftOut: 0 };
  }
  const { url, bytes, left_out }: Answer = await response.json();
  if (url === undefined || bytes === undefined) {
    throw new Failure(t('download.theAnswerHasNo'), { code: 'unreachable' });
  }
  const [, kept] = /\/v1(\/files\/[^/]+\/content)$/.exec(url) ?? [];
  // With areas of sets it is in the library, and has no public address.
  if (kept)
    return { bytes, href: null, blob: await (await send(kept, { signal })).blob(), leftOut: left_out?.count ?? 0 };
  // Our own base path, whatever public address the service has.
  const href = at(`v1/exports/${url.split('/').at(-1)}`);
  return { bytes, href, blob: null, leftOut: left_out?.count ?? 0 };
}

/** The features of a GeoJSON file that was made; null when it is too large to read here. @throws like send() */
export async function featuresOf(made: Made, signal: AbortSignal): Promise<GeoJSON.FeatureCollection | null> {
  if (made.bytes > MOST_READ) return null;
  const text = made.blob ? await made.blob.text() : made.href ? await (await fetch(made.href, { signal })).text() : '';
  const data = JSON.parse(text) as GeoJSON.Feature | GeoJSON.FeatureCollection;
  return { type: 'FeatureCollection', features: data.type === 'Feature' ? [data] : data.features };
}

/** The number of points of polygons. */
export function pointsIn(geometry: GeoJSON.Geometry | null): number {
  if (geometry?.type === 'Polygon') return geometry.coordinates.reduce((sum, ring) => sum + ring.length, 0);
  if (geometry?.type !== 'MultiPolygon') return 0;
  return geometry.coordinates.reduce((sum, rings) => sum + rings.reduce((all, ring) => all + ring.length, 0), 0);
}

/** Whether a file that was made is still kept: the service drops the oldest ones. */
export const isThere = async ({ href }: Made): Promise<boolean> =>
  href === null ||
  (await fetch(href, { method: 'HEAD' })
    .then(({ ok }) => ok)
    .catch(() => false));

/** Saves a file that was made under a name. */
export function saveMade({ href, blob }: Made, name: string): void {
  const link = document.createElement('a');
  link.href = blob ? URL.createObjectURL(blob) : (href ?? '');
  link.download = name;
  link.click();
  if (blob) setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
