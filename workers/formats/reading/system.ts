import { type ReferenceSystem, Unreadable } from './model.ts';

/** Names of degrees of WGS 84: OGC:CRS84, EPSG:4326 and the URNs and URLs of both. */
const DEGREES = /\bCRS:?84\b|\bEPSG(?:[:/]|%3A|.*[:/#])4326\b|^4326$/i;

/** Whether a reference system is degrees of WGS 84. Null is: RFC 7946, KML and TopoJSON have nothing else. */
export function isWgs84(system: ReferenceSystem | null): boolean {
  if (system === null) return true;
  const { epsg, wkt, projjson, name } = system;
  if (epsg !== undefined) return epsg === 4326;
  if (wkt !== undefined)
    return /^\s*(?:GEOGCS|GEOGCRS|GEODCRS|GEODETICCRS)\b/i.test(wkt) && /WGS[_ ]?(?:19)?84/i.test(wkt);
  if (projjson !== undefined) {
    const { id } = Object(projjson) as { readonly id?: unknown };
    return /CRS84|4326/.test(JSON.stringify(id ?? null));
  }
  return name === undefined || DEGREES.test(name);
}

/** A reference system for messages: `EPSG:2154`, or the name in its well-known text. */
export function systemName({ epsg, wkt, projjson, name }: ReferenceSystem): string {
  if (epsg !== undefined) return `EPSG:${epsg}`;
  const quoted = /"([^"]{1,80})/.exec(wkt ?? '')?.[1];
  const json = Object(projjson) as { readonly name?: unknown };
  return quoted ?? (typeof json.name === 'string' ? json.name.slice(0, 80) : (name ?? 'unknown').slice(0, 100));
}

/**
 * The one reference system of a file whose areas name theirs: that of an area, which must be that of those before it.
 * @param known that of the areas before; undefined for the first
 * @throws Unreadable where they differ
 */
export function oneSystem(
  known: ReferenceSystem | null | undefined,
  own: ReferenceSystem | null,
): ReferenceSystem | null {
  const [before, now] = [known, own].map((one) => (one ? systemName(one) : null));
  if (known === undefined || before === now) return own;
  throw new Unreadable(
    `its areas are in several reference systems: ${before ?? 'one without a name'} and ${now ?? 'one without a name'}`,
  );
}
