import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { polygonsBox } from '../../workers/arcs/box.ts';
import type { Document, Polygons } from '../../workers/contract.ts';
import { ByteWriter } from '../../workers/formats/bytes.ts';
import { textHead, textTail, writeText } from '../../workers/formats/registry.ts';
import { writeSvg } from '../../workers/formats/svg/write.ts';
import { leading } from '../setup/elements.ts';
import { documentOf, HOSTILE, HOSTILE_READ, NESTED, polygonsOf, square, text } from './support.ts';
import { lines, ringsOfSvg } from './svg_lines.ts';
import { all, one, readXml } from './xml_tree.ts';

function draw(polygons: Polygons, given: Partial<Document> = {}) {
  const svg = readXml(text(writeSvg(polygons, documentOf(given))));
  const paths = all(svg, 'path').map(({ attributes }) => ({ attributes, lines: lines(defined(attributes.d)) }));
  const box = defined(svg.attributes.viewBox).split(' ').map(Number);
  return { svg, paths, box, width: Number(svg.attributes.width), height: Number(svg.attributes.height) };
}

describe('svg', () => {
  it('draws a square at the equator as a square, y down, inside the view box', () => {
    const { paths, box, width, height } = draw(polygonsOf([[square(1, 0, 1)]]), { digits: 0 });
    expect(paths).toHaveLength(1);
    expect(defined(paths[0]).attributes).toMatchObject({
      'fill-rule': 'evenodd',
      'vector-effect': 'non-scaling-stroke',
    });
    expect(defined(paths[0]).lines).toEqual([
      {
        points: [
          [0, 2],
          [2, 2],
          [2, 0],
          [0, 0],
        ],
        closed: true,
      },
    ]);
    expect(box).toEqual([-1, -1, 4, 4]);
    expect([width, height]).toEqual([1000, 1000]);
  });

  it('squeezes longitudes by the cosine of the middle latitude, and leaves the coordinates as they are', () => {
    const { paths, box } = draw(polygonsOf([[square(10, 60, 1)]]), { digits: 4 });
    expect(defined(defined(paths[0]).lines[0]).points).toEqual([
      [0, 20_000],
      [20_000, 20_000],
      [20_000, 0],
      [0, 0],
    ]);
    expect(defined(paths[0]).attributes.transform).toBe('scale(0.5,1)');
    expect(box).toEqual([-400, -400, 10_800, 20_800]);
  });

  it('keeps the digits that a vertex has beyond those of its level', () => {
    const { paths } = draw(polygonsOf([[square(10, 60, 0.0012345)]]), { digits: 4 });
    expect(defined(paths[0]).attributes.d).toMatch(/^M0\.655 25\.345l 24\.69 0 0-24\.69/);
  });

  it('draws holes and islands in them in one path', () => {
    const { paths } = draw(NESTED, { digits: 1 });
    expect(defined(paths[0]).lines.map(({ points, closed }) => [points[0], closed])).toEqual([
      [[0, 200], true],
      [[40, 160], true],
      [[75, 125], true],
    ]);
  });

  it('gives the areas of a collection the same vertices where they meet', () => {
    const border = Array.from({ length: 50 }, (_, i): [number, number] => [10 + 0.001 * Math.sin(i), 60 + 0.0031 * i]);
    const [first, last] = [defined(border[0]), defined(border[49])];
    const west = [first, ...border.slice(1), [9, last[1]], [9, first[1]], first];
    const east = [...border.toReversed(), [11, first[1]], [11, last[1]], last];
    const columns = [{ name: 'id', type: 'string' }] as const;
    const box = [90_000_001, 600_000_000, 110_000_000, 601_519_000] as const;
    const about = { name: 'two', attribution: '', columns, box, digits: 4, geometry: true };
    const out = new ByteWriter(64);
    out.utf8(textHead('svg', about));
    for (const [i, ring] of [west, east].entries()) {
      const polygons = polygonsOf([[ring]]);
      writeText(out, 'svg', { values: [`a${i}`], polygons, box: polygonsBox(polygons) }, { about, first: i === 0 });
    }
    out.utf8(textTail('svg'));
    const rings = ringsOfSvg(text(out.finish()), 4);
    const [one, other] = rings.map((ring) => new Set(ring.map(String)));
    expect([...(one ?? [])].filter((point) => other?.has(point))).toHaveLength(50);
  });

  it('puts what lies east of the antimeridian to the right, without a border at the cut', () => {
    const west = [
      [179, -1],
      [180, -1],
      [180, 1],
      [179, 1],
      [179, -1],
    ];
    const east = [
      [-180, -1],
      [-178, -1],
      [-178, 1],
      [-180, 1],
      [-180, -1],
    ];
    const island = square(-177, 0, 0.5);
    const { paths } = draw(polygonsOf([[west], [east], [island]]), { digits: 1, bbox: [179, -1, -176.5, 1] });
    const [whole, fill, border] = leading(paths, 3);
    expect(defined(whole.lines[0]).points[0]).toEqual([35, 15]);
    expect(fill.attributes).not.toHaveProperty('stroke');
    expect(fill.lines.map(({ points }) => points)).toEqual([
      [
        [0, 20],
        [10, 20],
        [10, 0],
        [0, 0],
      ],
      [
        [10, 20],
        [30, 20],
        [30, 0],
        [10, 0],
      ],
    ]);
    expect(border.attributes.fill).toBe('none');
    expect(border.lines.map(({ points }) => points)).toEqual([
      [
        [0, 20],
        [10, 20],
      ],
      [
        [10, 0],
        [0, 0],
        [0, 20],
      ],
      [
        [10, 20],
        [30, 20],
        [30, 0],
        [10, 0],
      ],
    ]);
  });

  it('draws the border along ±180 where nothing lies beyond it', () => {
    const west = [
      [179, -2],
      [180, -2],
      [180, 2],
      [179, 2],
      [179, -2],
    ];
    const east = [
      [-180, -1],
      [-179, -1],
      [-179, 1],
      [-180, 1],
      [-180, -1],
    ];
    const cut = draw(polygonsOf([[west], [east]]), { digits: 0, bbox: [179, -2, -179, 2] });
    const along = defined(cut.paths[1])
      .lines.map(({ points }) => points)
      .filter((p) => p.every(([x]) => x === 1));
    expect(along).toEqual([
      [
        [1, 4],
        [1, 3],
      ],
      [
        [1, 1],
        [1, 0],
      ],
    ]);
    const alone = draw(polygonsOf([[west]]), { digits: 0 });
    expect(alone.paths).toHaveLength(1);
    expect(defined(alone.paths[0]).attributes.stroke).toMatch(/^#/);
  });

  it('looks at an area round a pole from above it', () => {
    const ring = Array.from({ length: 37 }, (_, i) => [-180 + 10 * i, -70]);
    const cap = [...ring.reverse(), [-180, -90], [180, -90], [180, -70]];
    const { paths, box } = draw(polygonsOf([[cap]]), { digits: 2, bbox: [-180, -90, 180, -70] });
    expect(box[2]).toBe(box[3]);
    const [fill, border] = leading(paths, 2);
    const radii = defined(fill.lines[0]).points.map(([x, y]) => Math.round(Math.hypot(x - 2000, y - 2000)));
    expect(new Set(radii)).toEqual(new Set([2000, 0]));
    expect(border.lines).toHaveLength(1);
    expect(defined(border.lines[0]).points).toHaveLength(37);
    // Greenwich is up in the south, and east of it to the right.
    const [x, y] = defined(defined(border.lines[0]).points[18]);
    expect([x, y]).toEqual([2000, 0]);
    expect(defined(defined(border.lines[0]).points[17])[0]).toBeGreaterThan(2000);
  });

  it('does not bend edges: a rectangle round a pole stays one', () => {
    const cap = [
      [-180, -90],
      [180, -90],
      [180, -60],
      [-180, -60],
      [-180, -90],
    ];
    const { paths, box } = draw(polygonsOf([[cap]]), { digits: 0, bbox: [-180, -90, 180, -60] });
    expect(box[2]).toBeGreaterThan(2 * defined(box[3]));
    expect(defined(paths[1]).lines).toHaveLength(1);
    expect(defined(defined(paths[1]).lines[0]).points).toHaveLength(2);
  });

  it('has a size without polygons', () => {
    const { paths, box, width, height } = draw(polygonsOf([]));
    expect(paths).toEqual([]);
    expect(Math.min(defined(box[2]), defined(box[3]), width, height)).toBeGreaterThan(0);
  });

  it('has a title and a description that are nothing but text', () => {
    const { svg } = draw(NESTED, { name: HOSTILE, attribution: HOSTILE });
    expect(one(svg, 'title').text).toBe(HOSTILE_READ);
    expect(one(svg, 'desc').text).toBe(HOSTILE_READ);
    expect(Object.keys(svg.attributes)).toEqual(['xmlns', 'version', 'width', 'height', 'viewBox']);
    expect(svg.children.map(({ name }) => name)).toEqual(['title', 'desc', 'path']);
  });
});
