import { levelFor, levelOfTolerance, toleranceMeters } from '../../../workers/arcs/levels.ts';
import { type CollectionFormat, extension, type Format } from '../../../workers/formats/registry.ts';
import type { Column } from '../../../workers/formats/types.ts';
import { contentDisposition } from '../../common/disposition.ts';
import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import type { Detail } from '../../core/schemas.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import { type OmittedBoundary, resolveSelection } from '../../domain/boundaries/selection.ts';
import type { Figure } from '../../domain/tables/figures.ts';
import { levelOfLargest, writeCollection } from '../../geometry/collection.ts';
import { writeAreas } from '../../geometry/collection_areas.ts';
import { collectionNaming, columnsOf, valuesFor } from '../boundaries/collection.ts';
import { columnsOfAreas, featuresOf } from '../boundaries/dissolve.ts';
import { resolveGroups } from '../boundaries/dissolve_groups.ts';
import { attributionOf, geometryOf } from '../boundaries/document.ts';
import { type KeptFile, keepFile } from '../boundaries/kept_file.ts';
import { leftOutOf, membersOf } from '../boundaries/selection.ts';
import type { JoinedRows, JoinTable } from './join_rows.ts';

/** How the areas of a join are written. */
export interface JoinFileOptions {
  readonly format: CollectionFormat;
  readonly zip_of?: Format;
  readonly detail?: Detail;
  readonly tolerance_m?: number;
}

/** A stored file of a join, and what is in it. */
export interface JoinFile {
  readonly kept: KeptFile;
  readonly level: number;
  readonly count: number;
  readonly figures: readonly string[];
  readonly leftOut: readonly OmittedBoundary[];
}

/** Columns with the figures, under names that no column of the areas has. */
function figureColumns(figures: readonly Figure[], own: readonly Column[]): Column[] {
  const taken = new Set(own.map(({ name }) => name));
  return figures.map(({ name, isNumber, how }) => ({
    name: taken.has(name) ? `table_${name}` : name,
    type: how === 'count' ? 'integer' : isNumber ? 'number' : 'string',
  }));
}

/**
 * Writes the areas of a join with their figures, and stores the file.
 * @throws no_geometry when no boundary has a polygon; too_large
 */
export function joinedFile(
  ctx: Context,
  reading: Snapshot,
  joined: JoinedRows,
  options: JoinFileOptions,
): Promise<JoinFile> {
  return joined.groups === null
    ? ofBoundaries(ctx, reading, joined, options)
    : ofGroups(ctx, reading, joined, joined.groups, options);
}

async function ofBoundaries(
  ctx: Context,
  reading: Snapshot,
  { table, ids }: JoinedRows,
  { format, zip_of, detail, tolerance_m }: JoinFileOptions,
): Promise<JoinFile> {
  const selected = await resolveSelection(ctx.services.db, { revision: reading.revision, ids }, ctx.signal);
  const members = membersOf(selected);
  const naming = collectionNaming({});
  const own = columnsOf(naming);
  const more = figureColumns(table.figures, own);
  const asked = tolerance_m === undefined ? null : levelOfTolerance(tolerance_m);
  const level = asked ?? levelOfLargest(members, (box) => levelFor(detail ?? 'medium', box));
  const collection = {
    ...{ members, format, zipOf: zip_of ?? 'geojson', level, name: 'figures', geometry: true },
    attribution: [...new Set(members.map(({ attribution }) => attribution))].join('; '),
    columns: [...own, ...more],
    valuesOf: async (from: number, to: number) => {
      const some = members.slice(from, to);
      const values = await valuesFor(reading, some, naming);
      return values.map((one, i) => [...one, ...table.valuesOf(defined(some[i]).id)]);
    },
  };
  const kept = await keepFile(ctx, writeCollection(ctx.services.engine, collection, ctx.signal), format, 'join');
  return { kept, level, count: members.length, figures: more.map(({ name }) => name), leftOut: selected.leftOut };
}

async function ofGroups(
  ctx: Context,
  reading: Snapshot,
  { table }: JoinedRows,
  groups: ReadonlyMap<string, readonly string[]>,
  { format, zip_of, detail, tolerance_m }: JoinFileOptions,
): Promise<JoinFile> {
  const { engine } = ctx.services;
  const given = new Map([...groups].map(([name, ids]) => [name, [...ids]]));
  const division = await resolveGroups(ctx, reading, given);
  const level = tolerance_m === undefined ? null : levelOfTolerance(tolerance_m);
  const wanted = { detail: level === null ? (detail ?? 'medium') : null, level };
  const refs = division.boundaries.map((boundary) => geometryOf(boundary));
  const made = await engine.documents.dissolveAreas(refs, division.groups, wanted, ctx.signal);
  const own = columnsOfAreas(false);
  const more = figureColumns(table.figures, own);
  const features = featuresOf(made.areas, division.groups).map((feature, g) => ({
    ...feature,
    values: [...feature.values, ...table.valuesOf(defined(division.groups[g]).name)],
  }));
  const file = {
    ...{ format, zipOf: zip_of ?? ('geojson' as const), attribution: attributionOf(division.boundaries) },
    ...{ level: made.level, name: `${features.length} areas`, columns: [...own, ...more], features },
  };
  const kept = await keepFile(ctx, writeAreas(engine, file, ctx.signal), format, 'join');
  return {
    ...{ kept, level: made.level, count: features.length },
    figures: more.map(({ name }) => name),
    leftOut: division.leftOut,
  };
}

/** What an answer says of a file. */
export function describeJoin({ level, count, figures, leftOut }: JoinFile, { rows, without }: JoinTable) {
  return {
    ...{ tolerance_m: toleranceMeters(level), count, rows: rows.length, rows_without_id: without },
    figures: [...figures],
    left_out: leftOutOf(leftOut),
  };
}

/** The headers of a file that is sent at once. */
export function headersOf(
  format: CollectionFormat,
  { level, count, leftOut }: JoinFile,
  { rows, without }: JoinTable,
): Record<string, string> {
  const said = { count, tolerance_m: toleranceMeters(level), rows: rows.length, rows_without_id: without };
  const pairs = Object.entries({ ...said, left_out: leftOut.length }).map(([name, value]) => `${name}=${value}`);
  return {
    'Content-Disposition': contentDisposition(`figures (${toleranceMeters(level)} m)`, extension(format), 'figures'),
    'Boundary-Collection': pairs.join(', '),
  };
}
