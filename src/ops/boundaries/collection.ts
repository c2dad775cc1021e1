import type { Column } from '../../../workers/formats/types.ts';
import { defined } from '../../common/elements.ts';
import { type Land, type Part, shownLand } from '../../domain/boundaries/land.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import type { Member } from '../../domain/boundaries/selection.ts';
import { languagesOf, nameIn } from '../../domain/names/languages.ts';
import type { Values } from '../../geometry/collection_model.ts';

const COLUMNS = [
  { name: 'id', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'local_name', type: 'string' },
  { name: 'kind', type: 'string' },
  { name: 'admin_level', type: 'integer' },
  { name: 'country', type: 'string' },
  { name: 'iso', type: 'string' },
  { name: 'wikidata', type: 'string' },
  { name: 'population', type: 'integer' },
  { name: 'area_km2', type: 'number' },
  { name: 'parent_id', type: 'string' },
  { name: 'lat', type: 'number' },
  { name: 'lon', type: 'number' },
] as const satisfies readonly Column[];

/** Languages, in lower case, of the names in a collection: of `name`, and of further columns. */
export interface CollectionNaming {
  readonly prefer: readonly string[];
  readonly columns: readonly string[];
}

/** Languages of the names in a file, which do not depend on the caller. */
export function collectionNaming({ lang, names }: { lang?: string; names?: string }): CollectionNaming {
  return {
    prefer: lang === undefined ? [] : languagesOf(lang),
    columns: names === undefined ? [] : languagesOf(names),
  };
}

/** What a collection says of land and sea, where a part was asked for. includes_water: null where it is not known. */
const LAND_COLUMNS = [
  { name: 'land_km2', type: 'number' },
  { name: 'includes_water', type: 'boolean' },
] as const satisfies readonly Column[];
const INLAND_COLUMN = { name: 'inland_water_km2', type: 'number' } as const satisfies Column;

/** The columns of a collection: flat, so that every reader of its formats supports them. Those of land: with a part. */
export function columnsOf({ columns }: CollectionNaming, part?: Part): readonly Column[] {
  return [
    ...COLUMNS,
    ...(part === undefined ? [] : LAND_COLUMNS),
    ...(part === 'dry_land' ? [INLAND_COLUMN] : []),
    ...columns.map((tag): Column => ({ name: `name:${tag}`, type: 'string' })),
  ];
}

/** The values of boundaries in the order of columnsOf(). @throws DataMoved */
export async function valuesFor(
  reading: Snapshot,
  members: readonly Member[],
  { prefer, columns }: CollectionNaming,
  part?: Part,
): Promise<Values[]> {
  const found = await reading.byIds(members.map(({ id }) => id));
  const shown = await reading.show(
    found.map(({ boundary }) => boundary),
    { prefer, names: columns.length > 0 ? columns : null },
  );
  const land = part === undefined ? null : await reading.landOf(members.map(({ id }) => id));
  return shown.map((one, i) => {
    const { areaKm2, center } = members[i] ?? {};
    const centroid = center ? { lon: center[0] / 1e7, lat: center[1] / 1e7 } : one.centroid;
    return [
      one.id,
      one.name,
      one.local_name,
      one.kind,
      one.admin_level,
      one.country,
      one.iso,
      one.wikidata,
      one.population,
      areaKm2 ?? defined(found[i]).area_km2,
      one.parents.at(-1)?.id ?? null,
      centroid?.lat ?? null,
      centroid?.lon ?? null,
      ...(part === undefined ? [] : landValues(land?.get(one.id), part)),
      ...columns.map((tag) => nameIn(one.names ?? {}, [tag])),
    ];
  });
}

/** The values of the columns of land. */
function landValues(land: Land | undefined, part: Part): Values {
  const { land_km2, includes_water: water, inland_water_km2 } = shownLand(land, part);
  return [land_km2, water === 'unknown' ? null : water, ...(part === 'dry_land' ? [inland_water_km2 ?? null] : [])];
}
