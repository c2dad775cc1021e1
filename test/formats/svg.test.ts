import { describe, expect, it } from 'vitest';
import type { Document, Polygons } from '../../workers/contract.ts';
import { writeSvg } from '../../workers/formats/svg/write.ts';
import { documentOf, HOSTILE, HOSTILE_READ, NESTED, polygonsOf, square, text } from './support.ts';
import { all, one, readXml } from './xml_tree.ts';

type Line = { points: [number, number][]; closed: boolean };

/** The lines of a path of M, l and z, in absolute numbers. */
function lines(d: string): Line[] {
  const found: Line[] = [];
  for (const [, start, steps, z] of d.matchAll(/M([^lzM]*)(?:l([^zM]*))?(z?)/g)) {
    let [x, y] = start.split(' ').map(Number);
    const points: [number, number][] = [[x, y]];
    const numbers = [...(steps ?? '').matchAll(/-?\d+/g)].map(Number);
    for (let i = 0; i < numbers.length; i += 2) {
      x += numbers[i];
      y += numbers[i + 1];
      points.push([x, y]);
    }
    found.push({ points, closed: z === 'z' });
  }
  expect(d.replace(/[Mlz]|[ -]?\d+/g, '')).toBe('');
  return found;
}

function draw(polygons: Polygons, given: Partial<Document> = {}) {
  const svg = readXml(text(writeSvg(polygons, documentOf(given))));
  const paths = all(svg, 'path').map(({ attributes }) => ({ attributes, lines: lines(attributes.d) }));
  const box = svg.attributes.viewBox.split(' ').map(Number);
  return { svg, paths, box, width: Number(svg.attributes.width), height: Number(svg.attributes.height) };
}

describe('svg', () => {
  it('draws a square at the equator as a square, y down, inside the view box', () => {
    const { paths, box, width, height } = draw(polygonsOf([[square(1, 0, 1)]]), { digits: 0 });
    expect(paths).toHaveLength(1);
    expect(paths[0].attributes).toMatchObject({ 'fill-rule': 'evenodd', 'vector-effect': 'non-scaling-stroke' });
    expect(paths[0].lines).toEqual([
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

  it('squeezes longitudes by the cosine of the middle latitude', () => {
    const { paths } = draw(polygonsOf([[square(10, 60, 1)]]), { digits: 4 });
    expect(paths[0].lines[0].points).toEqual([
      [0, 20_000],
      [10_000, 20_000],
      [10_000, 0],
      [0, 0],
    ]);
  });

  it('draws holes and islands in them in one path', () => {
    const { paths } = draw(NESTED, { digits: 1 });
    expect(paths[0].lines.map(({ points, closed }) => [points[0], closed])).toEqual([
      [[0, 200], true],
      [[40, 160], true],
      [[75, 125], true],
    ]);
  });

  it('has a grid that 32-bit floats hold, whatever the digits', () => {
    const { paths } = draw(polygonsOf([[square(0, 0, 80)]]), { digits: 7 });
    const numbers = paths.flatMap((path) => path.lines.flatMap(({ points }) => points.flat()));
    expect(Math.max(...numbers)).toBe(2 ** 23);
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
    const [whole, fill, border] = paths;
    expect(whole.lines[0].points[0]).toEqual([35, 15]);
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
    const along = cut.paths[1].lines.map(({ points }) => points).filter((p) => p.every(([x]) => x === 1));
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
    expect(alone.paths[0].attributes.stroke).toMatch(/^#/);
  });

  it('looks at an area round a pole from above it', () => {
    const ring = Array.from({ length: 37 }, (_, i) => [-180 + 10 * i, -70]);
    const cap = [...ring.reverse(), [-180, -90], [180, -90], [180, -70]];
    const { paths, box } = draw(polygonsOf([[cap]]), { digits: 2, bbox: [-180, -90, 180, -70] });
    expect(box[2]).toBe(box[3]);
    const [fill, border] = paths;
    const radii = fill.lines[0].points.map(([x, y]) => Math.round(Math.hypot(x - 2000, y - 2000)));
    expect(new Set(radii)).toEqual(new Set([2000, 0]));
    expect(border.lines).toHaveLength(1);
    expect(border.lines[0].points).toHaveLength(37);
    // Greenwich is up in the south, and east of it to the right.
    const [x, y] = border.lines[0].points[18];
    expect([x, y]).toEqual([2000, 0]);
    expect(border.lines[0].points[17][0]).toBeGreaterThan(2000);
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
    expect(box[2]).toBeGreaterThan(2 * box[3]);
    expect(paths[1].lines).toHaveLength(1);
    expect(paths[1].lines[0].points).toHaveLength(2);
  });

  it('leaves a valid path where an island is smaller than the grid', () => {
    const { paths } = draw(polygonsOf([[square(0, 0, 10)], [square(3, 3, 0.01)]]), { digits: 0 });
    expect(paths[0].attributes.d).toMatch(/M13 7z$/);
  });

  it('has a size without polygons', () => {
    const { paths, box, width, height } = draw(polygonsOf([]));
    expect(paths).toEqual([]);
    expect(Math.min(box[2], box[3], width, height)).toBeGreaterThan(0);
  });

  it('has a title and a description that are nothing but text', () => {
    const { svg } = draw(NESTED, { name: HOSTILE, attribution: HOSTILE });
    expect(one(svg, 'title').text).toBe(HOSTILE_READ);
    expect(one(svg, 'desc').text).toBe(HOSTILE_READ);
    expect(Object.keys(svg.attributes)).toEqual(['xmlns', 'version', 'width', 'height', 'viewBox']);
    expect(svg.children.map(({ name }) => name)).toEqual(['title', 'desc', 'path']);
  });
});
