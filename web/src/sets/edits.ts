import { ask, Failure } from '../api.ts';
import type { Corner } from '../drawing/inside.ts';
import { t } from '../language.ts';
import type { AreaSet, Opened, Version } from './area_set.ts';
import { optionsOf } from './area_set.ts';
import { splitArea } from './split.ts';

/** Most areas of a set that are edited here, whole and at full detail. */
export const MOST_EDITED = 500;
/** The code of an area: letters, digits and some signs, as ids of areas have them. */
const NO_CODE = /[^\p{L}\p{N}._:+&()-]+/gu;

/** An area as create_area_set takes it. */
export interface Drawn {
  readonly code: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon;
}

/** The areas of a version at full detail. @throws like ask() */
export async function drawnOf({ set, version, areas }: Opened, signal: AbortSignal): Promise<readonly Drawn[]> {
  const body = { set: set.name, detail: 'full', as_of: version.valid_from };
  type Shapes = GeoJSON.FeatureCollection<GeoJSON.Polygon | GeoJSON.MultiPolygon, { readonly id: string }>;
  const { features } = await ask<Shapes>('/collections', { method: 'POST', body, signal });
  const shapes = new Map(features.map(({ properties, geometry }) => [properties.id, geometry]));
  return areas.map(({ id, name, properties }) => {
    const geometry = shapes.get(id);
    if (!geometry) throw new Failure(t('sets.noShape', { name }), { code: 'no_geometry' });
    return { code: id.slice(id.indexOf('/') + 1), name, properties: properties ?? {}, geometry };
  });
}

/** A name that no area has: the name itself, or with a number. */
export function free(name: string, taken: readonly string[]): string {
  const all = new Set(taken.map((one) => one.toLowerCase()));
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : `${name} ${n}`;
    if (!all.has(one.toLowerCase())) return one;
  }
}

function codeFor(name: string, areas: readonly Drawn[]): string {
  const code = name.normalize('NFC').replace(NO_CODE, '-').slice(0, 90);
  return free(
    code,
    areas.map((one) => one.code),
  ).replace(' ', '-');
}

/** With an area that was drawn by its corners. */
export function withArea(areas: readonly Drawn[], name: string, corners: readonly Corner[]): readonly Drawn[] {
  const own = free(
    name,
    areas.map((one) => one.name),
  );
  const ring = [...corners, ...corners.slice(0, 1)].map(([lon, lat]) => [inWorld(lon), Math.round(lat * 1e7) / 1e7]);
  return [
    ...areas,
    { code: codeFor(own, areas), name: own, properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } },
  ];
}

/** A longitude as coordinates have it; the map goes on beyond 180. */
const inWorld = (lon: number): number => Math.round((((((lon + 180) % 360) + 360) % 360) - 180) * 1e7) / 1e7;

/** With one area split by a line: the part on its left keeps name, code and properties. @throws Failure */
export function withSplit(areas: readonly Drawn[], code: string, line: readonly Corner[]): readonly Drawn[] {
  const area = areas.find((one) => one.code === code);
  if (!area) return areas;
  const two = splitArea(
    area.geometry,
    line.map(([lon, lat]): Corner => [inWorld(lon), lat]),
  );
  if (typeof two === 'string') throw new Failure(t(two), { code: 'not_split' });
  const name = free(
    area.name,
    areas.map((one) => one.name),
  );
  const other = { ...area, code: codeFor(name, areas), name, geometry: two[1] };
  return areas.flatMap((one) => (one === area ? [{ ...area, geometry: two[0] }, other] : [one]));
}

/** Stores areas as a version of a set, made like the version that they come from. @throws like ask() */
export async function saveAreas(
  areas: readonly Drawn[],
  {
    name,
    title,
    from,
    replace,
    base,
    made,
  }: {
    readonly name: string;
    readonly title?: string;
    readonly from?: string;
    readonly replace?: boolean;
    readonly base?: string;
    /** The version that they were edited from. */
    readonly made?: Version;
  },
): Promise<AreaSet> {
  const options = made === undefined ? {} : await optionsOf(name, made.valid_from);
  const features = areas.map(({ code, name: label, properties, geometry }) => ({
    ...{ type: 'Feature', geometry },
    properties: { ...properties, id: code, name: label },
  }));
  const body = {
    ...options,
    name,
    title,
    features,
    valid_from: from,
    replace,
    base,
    id_column: 'id',
    name_column: 'name',
  };
  return ask<AreaSet>('/sets', { method: 'POST', body });
}
