import { joinBoxes } from '../../workers/arcs/box.ts';
import { digitsOf } from '../../workers/arcs/levels.ts';
import type { Polygons } from '../../workers/contract.ts';
import { type CollectionFormat, type TextFormat, textHead, textTail } from '../../workers/formats/registry.ts';
import type { About, Feature } from '../../workers/formats/types.ts';
import { binaryParts, type FileOf } from './collection_binary.ts';
import { END_CLASS, isBinary, prefetch, requireBytes, slices } from './collection_model.ts';
import type { Engine } from './engine.ts';

/** Areas with their coordinates, such as those of a dissolve: all of them in memory. */
export interface AreaFile extends Omit<FileOf<CollectionFormat>, 'count'> {
  readonly features: readonly (Feature & { readonly polygons: Polygons })[];
}

/** The bytes of areas in any format of a collection, generated one part ahead of the consumer. @throws too_large */
export function writeAreas(
  engine: Engine,
  file: AreaFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  return prefetch((stop) => areaParts(engine, file, stop), signal);
}

/** The parts of a file of areas that have coordinates. @throws too_large for a part that one answer has no room for */
export function areaParts(engine: Engine, file: AreaFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { format, features } = file;
  const box = joinBoxes(features.flatMap((feature) => (feature.box === null ? [] : [feature.box])));
  const about = { ...file, box, digits: digitsOf(file.level), geometry: true };
  if (isBinary(format)) {
    return binaryParts(engine, { ...file, format, count: features.length }, slices(features), signal);
  }
  const { maxResponseBytes: maxBytes } = engine;
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    if (format === 'topojson') {
      const values = features.map((feature) => feature.values);
      const areas = features.map(({ polygons }) => polygons);
      const { name, attribution, columns } = file;
      const task = { areas, values, about: { name, attribution, columns, box }, maxBytes };
      yield requireBytes(await engine.tasks.runPatiently('topology', task, signal), maxBytes);
      return;
    }
    const head = textHead(format, about);
    if (head !== '') yield Buffer.from(head);
    let first = true;
    for await (const some of slices(features)) {
      yield await areaText(engine, { ...file, format }, about, some, first, signal);
      first = false;
    }
    if (textTail(format) !== '') yield Buffer.from(textTail(format));
  };
  return parts();
}

/** Areas in a text format, without the head and the tail of the file. @throws too_large */
export async function areaText(
  engine: Engine,
  { format, level }: { readonly format: TextFormat; readonly level: number },
  about: About,
  some: AreaFile['features'],
  first: boolean,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const task = {
    heap: null,
    rings: some.map(({ polygons }) => polygons),
    level,
    endClass: END_CLASS,
    format,
    about,
    values: some.map(({ values }) => values),
    boxes: some.map((feature) => feature.box),
    first,
    maxBytes: engine.maxResponseBytes,
  };
  return requireBytes(await engine.tasks.runPatiently('collectionText', task, signal), engine.maxResponseBytes);
}
