import type { Column } from '../../../workers/formats/types.ts';
import { defined } from '../../common/elements.ts';
import type { Snapshot } from '../../domain/boundaries/model.ts';
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

/** The columns of a collection: flat, so that every reader of its formats supports them. */
export function columnsOf({ columns }: CollectionNaming): readonly Column[] {
  return [...COLUMNS, ...columns.map((tag): Column => ({ name: `name:${tag}`, type: 'string' }))];
}

/** The values of boundaries in the order of columnsOf(). @throws DataMoved */
export async function valuesFor(
  reading: Snapshot,
  members: readonly Member[],
  { prefer, columns }: CollectionNaming,
): Promise<Values[]> {
  const found = await reading.byIds(members.map(({ id }) => id));
  const shown = await reading.show(
    found.map(({ boundary }) => boundary),
    { prefer, names: columns.length > 0 ? columns : null },
  );
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
      ...columns.map((tag) => nameIn(one.names ?? {}, [tag])),
    ];
  });
}
