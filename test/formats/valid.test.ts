import { describe, expect, it } from 'vitest';
import { seedBoundaries } from '../../src/sources/seed/all.ts';
import { polygonsBox } from '../../workers/arcs/box.ts';
import { cleanCoverage } from '../../workers/arcs/clean.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { endClassOf, levelFor, writerDigits } from '../../workers/arcs/levels.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { FULL, type Polygons } from '../../workers/contract.ts';
import { ByteWriter } from '../../workers/formats/bytes.ts';
import { writeFlatgeobuf } from '../../workers/formats/flatgeobuf/write.ts';
import { writeGeopackage } from '../../workers/formats/geopackage/write.ts';
import { writeGeoparquet } from '../../workers/formats/geoparquet/write.ts';
import { readDocument } from '../../workers/formats/read.ts';
import type { PolygonRings } from '../../workers/formats/reading/document.ts';
import { doubleArea, polygonsOfRings } from '../../workers/formats/reading/nest.ts';
import {
  type Readable,
  singleFormat,
  type TextFormat,
  textHead,
  textTail,
  writeDocument,
  writeText,
} from '../../workers/formats/registry.ts';
import { writeShapefile } from '../../workers/formats/shapefile/write.ts';
import { writeTopology } from '../../workers/formats/topojson/write.ts';
import type { CollectionWriter, Feature } from '../../workers/formats/types.ts';
import { writeZip } from '../../workers/formats/zip/write.ts';
import { madeWorld, randomWorld, realWorlds, type World } from '../proof/worlds.ts';
import { REAL_DATA_DIR } from '../sources/coverage_support.ts';
import { each } from './collection/support.ts';
import { documentOf, text } from './support.ts';
import { ringsOfSvg } from './svg_lines.ts';

const TEXTS = ['geojson', 'kml', 'wkt', 'gml'] as const;
const WRITERS: Readonly<Partial<Record<Readable, CollectionWriter>>> = {
  flatgeobuf: writeFlatgeobuf,
  geopackage: writeGeopackage,
  geoparquet: writeGeoparquet,
  shapefile: writeShapefile,
  zip: (features, columns, options) => writeZip(features, columns, { ...options, single: singleFormat('geojson') }),
  csv: inText('csv'),
  poly: inText('poly'),
  ndjson: inText('ndjson'),
};

/** A collection in a format of text, as the writer of a thread makes it. */
function inText(format: TextFormat): CollectionWriter {
  return async function* (features, columns, { name }) {
    const about = { name, attribution: '', columns, box: null, digits: 7, geometry: true };
    const out = new ByteWriter(1 << 16);
    out.utf8(textHead(format, about));
    let first = true;
    for await (const feature of features) {
      writeText(out, format, feature, { about, first });
      first = false;
    }
    out.utf8(textTail(format));
    yield out.finish();
  };
}

/** The levels at which boundaries are asked for: those of the details, and of tolerances in meters. */
const TOLERANCES = [FULL, 0, 2, 4, 6, 8, 10, 12, 14];

/** Polygons as a file has them: coordinates are doubles, in degrees. */
function asRead(polygons: readonly PolygonRings[]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const rings of polygons) {
    for (const ring of rings) {
      for (const [x, y] of ring) coords.push(x, y);
      ringEnd.push(coords.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  // GEOS reads any numbers.
  const doubles = Float64Array.from(coords) as unknown as Polygons['coords'];
  return { coords: doubles, ringEnd: Uint32Array.from(ringEnd), polygonEnd: Uint32Array.from(polygonEnd) };
}

/** The polygons that a picture fills, in 1e-7 degrees from its corner. */
function ofPicture(svg: string, digits: number): Polygons {
  const rings = ringsOfSvg(svg, digits);
  return asRead(
    polygonsOfRings(
      rings.filter((ring) => doubleArea(ring) > 0),
      rings.filter((ring) => doubleArea(ring) <= 0),
    ),
  );
}

/** The polygons of some boundaries of a world, each at several levels. */
function* shapesOf(world: World, most: number): Generator<{ name: string; level: number; polygons: Polygons }> {
  const step = Math.max(1, Math.floor(world.boundaries.length / most));
  for (const { id, rings, adminLevel } of world.boundaries.filter((_, i) => i % step === 0)) {
    const box = polygonsBox(materialize(world.arcs, rings, FULL, 0));
    const details = (['low', 'medium', 'high'] as const).map((detail) => levelFor(detail, box));
    for (const [levels, ends] of [
      [details, endClassOf([adminLevel])],
      [TOLERANCES, endClassOf([null])],
    ] as const) {
      for (const level of new Set(levels)) {
        const polygons = materialize(world.arcs, rings, level, ends);
        if (polygons.polygonEnd.length > 0) yield { name: `${world.name}: ${id} at ${level}`, level, polygons };
      }
    }
  }
}

const touchesPole = ({ coords }: Polygons) => coords.some((value, i) => i % 2 === 1 && Math.abs(value) === 900_000_000);

/** Writes shapes in every format, reads them, and expects each to be valid. Returns the number of shapes. */
async function expectValidFiles(world: World, most: number): Promise<number> {
  const features: Feature[] = [];
  const names: string[] = [];
  for (const { name, level, polygons } of shapesOf(world, most)) {
    for (const format of TEXTS) {
      const bytes = writeDocument(format, polygons, documentOf({ digits: writerDigits(format, level) }));
      const { features: read } = await readDocument(format, bytes);
      expect(await isValid(asRead(read.flatMap((one) => one.polygons))), `${format}, ${name}`).toBeNull();
    }
    const digits = writerDigits('svg', level);
    // A picture of a pole is seen from above it: it is for the eye.
    if (!touchesPole(polygons)) {
      const svg = text(writeDocument('svg', polygons, documentOf({ digits })));
      expect(await isValid(ofPicture(svg, digits)), `svg, ${name}`).toBeNull();
    }
    features.push({ values: [`${features.length}: ${name}`], polygons, box: polygonsBox(polygons) });
    names.push(name);
  }
  const columns = [{ name: 'id', type: 'string' }] as const;
  const about = { name: 'areas', attribution: '', columns, box: null, digits: 7, geometry: true };
  for (const [i, feature] of features.entries()) {
    const { features: read } = await readDocument(
      'topojson',
      writeTopology([feature], about, { maxBytes: 1e8, isCanceled: () => false }),
    );
    expect(await isValid(asRead(read.flatMap((one) => one.polygons))), `topojson, ${names[i]}`).toBeNull();
  }
  for (const [format, writer] of Object.entries(WRITERS) as [Readable, CollectionWriter][]) {
    const parts: Uint8Array[] = [];
    for await (const part of writer(each(features), columns, { name: 'areas', count: features.length })) {
      parts.push(Uint8Array.from(part));
    }
    const { features: read } = await readDocument(format, Buffer.concat(parts));
    expect(read, format).toHaveLength(features.length);
    for (const [i, one] of read.entries()) {
      expect(await isValid(asRead(one.polygons)), `${format}, ${names[i]}`).toBeNull();
    }
  }
  return features.length;
}

describe('what is written', () => {
  it('is valid in every format at every detail and tolerance', { timeout: 240_000 }, async () => {
    let count = 0;
    for (let seed = 1; seed <= 4; seed++) count += await expectValidFiles(randomWorld(seed), 6);
    expect(count).toBeGreaterThan(100);
  });

  it('is valid in the seed data, too', { timeout: 240_000 }, async () => {
    const sets = await seedBoundaries(undefined, cleanCoverage, ['countries', 'es-atlas']);
    for (const { source, boundaries } of sets) {
      const large = boundaries.filter(({ adminLevel }) => adminLevel !== 8);
      expect(await expectValidFiles(madeWorld(source.id, large), 6)).toBeGreaterThan(6);
    }
  });

  it.skipIf(!REAL_DATA_DIR)('is valid in real data, too (REAL_DATA_DIR)', { timeout: 240_000 }, async () => {
    const europe = await realWorlds(REAL_DATA_DIR!).europe!();
    expect(await expectValidFiles(europe, 8)).toBeGreaterThan(20);
  });
});
