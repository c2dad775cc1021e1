import { isSameSystem, type System, systemOf } from '../../projections/systems.ts';
import { UnknownSystem } from '../../projections/wkt.ts';
import { type ReferenceSystem, Unreadable } from './document.ts';

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
function systemName({ epsg, wkt, projjson, name }: ReferenceSystem): string {
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
  if (known === undefined) return own;
  if (!isSameReference(known, own)) throw severalSystems(known, own);
  return known;
}

/** The error for a file whose areas are in several reference systems. */
export function severalSystems(known: ReferenceSystem | null, own: ReferenceSystem | null): Unreadable {
  const [one, other] = [known, own].map((system) => (system === null ? 'one without a name' : systemName(system)));
  return new Unreadable(`its areas are in several reference systems: ${one} and ${other}`);
}

/**
 * Whether two references mean the same coordinates, however they are written: EPSG:25830 and its URN, OGC:CRS84 and
 * EPSG:4326. One that says nothing is only the same as another such.
 */
export function isSameReference(one: ReferenceSystem | null, other: ReferenceSystem | null): boolean {
  if (one === null || other === null) return one === other;
  if (JSON.stringify(one) === JSON.stringify(other)) return true;
  const [a, b] = [resolved(one), resolved(other)];
  return a !== null && b !== null && isSameSystem(a, b) && axesOf(one, a) === axesOf(other, b);
}

/** Null for a system that is not known. */
function resolved(reference: ReferenceSystem): System | null {
  try {
    return systemOf(saidOf(reference));
  } catch (error) {
    if (error instanceof UnknownSystem) return null;
    throw error;
  }
}

/** What a reference says of its system: the best of the forms that it has. */
export function saidOf({ epsg, wkt, projjson, name }: ReferenceSystem): unknown {
  return epsg === undefined ? (wkt ?? projjson ?? name) : `EPSG:${epsg}`;
}

/** The order of its coordinates. */
const axesOf = ({ isAuthorityOrder = false }: ReferenceSystem, { axes }: System): string =>
  !isAuthorityOrder && axes === 'NE' ? 'EN' : axes;
