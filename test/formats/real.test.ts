import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import wkx from 'wkx';
import { defined } from '../../src/common/elements.ts';
import { ringsBox } from '../../workers/arcs/box.ts';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { levelFor, writerDigits } from '../../workers/arcs/levels.ts';
import { locate } from '../../workers/arcs/locate.ts';
import type { Detail, Document, Polygons, Rings } from '../../workers/contract.ts';
import { FORMATS, writeDocument } from '../../workers/formats/registry.ts';
import { coverageWorld, osmWorld, type World } from '../proof/worlds.ts';
import { leading } from '../setup/elements.ts';
import { degreesOf, gdalFeature, gdalLayer, hasGdal, multiOf } from './gdal.ts';
import { gmlFaults, kmlFaults } from './structure.ts';
import { documentOf, text } from './support.ts';

const dir = process.env.REAL_DATA_DIR;
const hasChromium = spawnSync('chromium', ['--version']).status === 0;
// It has no types of its own.
const togeojson: { kml(dom: unknown): GeoJSON.FeatureCollection } = createRequire(import.meta.url)('@mapbox/togeojson');

interface Area {
  readonly name: string;
  readonly world: World;
  readonly rings: Rings;
  readonly polygons: Polygons;
  readonly document: Document;
}

/** A boundary or a union as an answer has it. */
function areaOf(name: string, world: World, rings: Rings, detail: Detail, svg = false): Area {
  const box = ringsBox(world.arcs, rings);
  if (!box) throw new Error(`${name} is empty`);
  const level = levelFor(detail, box);
  const bbox = [box[0] / 1e7, box[1] / 1e7, box[2] / 1e7, box[3] / 1e7] as const;
  const document = documentOf({ id: null, name, bbox, digits: writerDigits(svg ? 'svg' : 'gml', level) });
  return { name, world, rings, polygons: materialize(world.arcs, rings, level, 12), document };
}

function boundary(world: World, id: string): Rings {
  const found = world.boundaries.find((one) => one.id === id);
  if (!found) throw new Error(`${world.name} has no ${id}`);
  return found.rings;
}

function merged(world: World, include: (id: string, level: number) => boolean, exclude: string[] = []): Rings {
  const numbers = (is: (id: string, level: number) => boolean) =>
    world.boundaries.flatMap(({ id, adminLevel }, i) => (is(id, adminLevel) ? [i] : []));
  const refs = world.boundaries.map(({ rings }) => rings.refs);
  const result = mergeBoundaries(
    world.arcs,
    refs,
    numbers(include),
    numbers((id) => exclude.includes(id)),
  );
  if ('trouble' in result) throw new Error(result.trouble.reason);
  return result.rings;
}

describe.skipIf(!dir)('real boundaries and unions (REAL_DATA_DIR)', () => {
  let directory: string;
  let worlds: { liechtenstein: World; malta: World; baarle: World; countries: World };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'formats-'));
    const file = (name: string) => join(dir as string, name);
    worlds = {
      liechtenstein: await osmWorld('Liechtenstein', file('osm/liechtenstein-2024.boundaries.osm.pbf')),
      malta: await osmWorld('Malta', file('osm/malta-2018.boundaries.osm.pbf')),
      baarle: await osmWorld('Baarle-Nassau', file('overpass/baarle-nassau.json')),
      countries: await coverageWorld('countries', {
        file: file('coverage/world-countries-10m.topo.json'),
        object: 'countries',
        map: { id: 'name', name: 'name' },
        adminLevel: 2,
      }),
    };
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function areas(): Area[] {
    const { liechtenstein, malta, baarle, countries } = worlds;
    return [
      ...liechtenstein.boundaries.map(({ id, rings }) => areaOf(id, liechtenstein, rings, 'full')),
      areaOf(
        'the communes less one',
        liechtenstein,
        merged(liechtenstein, (_, level) => level === 8, ['r1155956']),
        'full',
      ),
      areaOf(
        'the councils of Malta',
        malta,
        merged(malta, (_, level) => level === 8),
        'medium',
      ),
      areaOf('Baarle-Nassau', baarle, defined(baarle.boundaries[0]).rings, 'full'),
      areaOf('South Africa', countries, boundary(countries, 'South Africa'), 'high'),
      areaOf('Fiji', countries, boundary(countries, 'Fiji'), 'full'),
      areaOf(
        'two across the seam',
        countries,
        merged(countries, (id) => /^(Russia|Fiji)$/.test(id)),
        'low',
      ),
      areaOf(
        'all but one',
        countries,
        merged(countries, () => true, ['Lesotho']),
        'low',
      ),
    ];
  }

  it.skipIf(!hasGdal)(
    'come back from GDAL as they were, and its ogrinfo says the same of them',
    { timeout: 300_000 },
    () => {
      for (const { name, polygons, document } of areas()) {
        const expected = degreesOf(polygons);
        const extent = expected
          .flat(2)
          .reduce(
            ([w, s, e, n], [x, y]) => [
              Math.min(defined(w), defined(x)),
              Math.min(defined(s), defined(y)),
              Math.max(defined(e), defined(x)),
              Math.max(defined(n), defined(y)),
            ],
            [180, 90, -180, -90],
          );
        for (const format of ['geojson', 'kml', 'gml'] as const) {
          expect(multiOf(gdalFeature(format, polygons, document, directory).geometry), `${name}, ${format}`).toEqual(
            expected,
          );
          const layer = gdalLayer(format, polygons, document, directory);
          expect(layer, `${name}, ${format}`).toMatchObject({ layers: 1, isWgs84: true });
          // ogrinfo prints six digits; longitude first, whatever the order in the file.
          for (const [i, degrees] of (layer.extent as number[]).entries())
            expect(degrees, `${name}, ${format}`).toBeCloseTo(defined(extent[i]), 5);
        }
      }
    },
  );

  it('pass the structural checks, and wkx and togeojson read them', () => {
    for (const { name, polygons, document } of areas()) {
      const written = Object.fromEntries(
        FORMATS.map((format) => [format, text(writeDocument(format, polygons, document))]),
      );
      const bbox = document.bbox;
      // Rounding may move what simplification left of an extreme; the box is that of the full shape.
      const box = bbox && ([bbox[0] - 0.2, bbox[1] - 0.2, bbox[2] + 0.2, bbox[3] + 0.2] as const);
      expect(gmlFaults(defined(written.gml), box), name).toEqual([]);
      expect(kmlFaults(defined(written.kml), box), name).toEqual([]);
      const expected = degreesOf(polygons);
      expect(multiOf(wkx.Geometry.parse(defined(written.wkt)).toGeoJSON() as GeoJSON.Geometry), name).toEqual(expected);
      const [{ geometry }] = leading(
        togeojson.kml(new DOMParser().parseFromString(defined(written.kml), 'text/xml')).features,
        1,
      );
      const parts = geometry.type === 'GeometryCollection' ? geometry.geometries : [geometry];
      expect(
        parts.flatMap((part) => multiOf(part)),
        name,
      ).toEqual(expected);
      expect(multiOf(JSON.parse(defined(written.geojson)).geometry), name).toEqual(expected);
    }
  });

  it.skipIf(!hasChromium)('are filled in a browser where they are, and nowhere else', { timeout: 120_000 }, () => {
    const { malta, baarle, countries } = worlds;
    const pictures = [
      areaOf(
        'Malta',
        malta,
        merged(malta, (_, level) => level === 8),
        'medium',
        true,
      ),
      areaOf('Baarle-Nassau', baarle, defined(baarle.boundaries[0]).rings, 'full', true),
      areaOf('South Africa', countries, boundary(countries, 'South Africa'), 'medium', true),
      areaOf('Fiji', countries, boundary(countries, 'Fiji'), 'full', true),
      areaOf('Russia', countries, boundary(countries, 'Russia'), 'medium', true),
    ].map((area) => ({ ...area, svg: text(writeDocument('svg', area.polygons, area.document)) }));
    // A grid of points of each picture, asked of the browser in the picture's units and of the kernel in degrees.
    const points = Array.from({ length: 40 * 40 }, (_, i) => [((i % 40) + 0.5) / 40, (Math.floor(i / 40) + 0.5) / 40]);
    const script = `const fractions = ${JSON.stringify(points)};
      const said = [...document.querySelectorAll('svg')].map((svg) => {
        const { x, y, width, height } = svg.viewBox.baseVal;
        const paths = [...svg.querySelectorAll('path')].filter((path) => path.getAttribute('fill') !== 'none');
        return fractions.map(([u, v]) => {
          const point = svg.createSVGPoint();
          [point.x, point.y] = [x + u * width, y + v * height];
          return paths.some((path) => {
            const own = svg.createSVGPoint();
            const { transform: { baseVal } } = path;
            [own.x, own.y] = [point.x / (baseVal.numberOfItems ? baseVal.getItem(0).matrix.a : 1), point.y];
            return path.isPointInFill(own);
          }) ? 1 : 0;
        }).join('');
      });
      document.body.textContent = said.join(' ');`;
    const page = join(directory, 'page.html');
    const inline = pictures.map(({ svg }) => svg.replace(/^<\?xml.*\?>/, '')).join('');
    writeFileSync(page, `<!doctype html><meta charset="utf-8"><body>${inline}<script>${script}</script></body>`);
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${directory}`, '--dump-dom'];
    const { stdout } = spawnSync('chromium', [...flags, `file://${page}`], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const said = (/<body>([01 ]+)<\/body>/.exec(stdout)?.[1] ?? '').split(' ');
    expect(said).toHaveLength(pictures.length);
    for (const [i, { name, world, rings, svg, document }] of pictures.entries()) {
      const [x, y, width, height] = leading((/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number), 4);
      const [west, south, east, north] = leading(document.bbox as readonly number[], 4);
      const turn = west > east ? 360 : 0;
      // The picture's margins lie outside of the box on all sides.
      const across = (east + turn - west) / (width + 2 * x);
      const up = (north - south) / (height + 2 * y);
      let wrong = 0;
      points.forEach(([u, v], p) => {
        const lon = west + (x + defined(u) * width) * across;
        const lat = north - (y + defined(v) * height) * up;
        const place = locate(
          world.arcs,
          rings.refs,
          Math.round((lon > 180 ? lon - 360 : lon) * 1e7),
          Math.round(lat * 1e7),
        );
        if ((place >= 0 ? '1' : '0') !== defined(said[i])[p]) wrong++;
      });
      // Simplification moves the border by a 5,000th of the picture.
      expect(wrong, name).toBeLessThanOrEqual(8);
      expect([...defined(said[i])].filter((one) => one === '1').length, name).toBeGreaterThan(10);
    }
  });
});
