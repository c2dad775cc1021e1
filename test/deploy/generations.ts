/** The boundaries of a generated country, west to east. */
export const CELLS = ['r10', 'r11', 'r12', 'r13'] as const;

const WEST = -30;
const SOUTH = 30;
/** Degrees by which each generation is shifted east. */
const STEP = 0.001;

const node = (column: number, row: number) => 1 + 2 * column + row;
const southOf = (i: number) => 100 + i;
const northOf = (i: number) => 200 + i;
const westOf = (i: number) => 300 + i;

/**
 * A country (r9) of four cells in a row as an OpenStreetMap file. Each generation has other names (`Cell 0 #3`) and
 * other coordinates for every boundary.
 */
export function generation(n: number): string {
  const version = `version="${n + 1}"`;
  const columns = [...CELLS.keys(), CELLS.length];
  const nodes = columns.flatMap((i) =>
    [0, 1].map(
      (row) => `<node id="${node(i, row)}" ${version} lat="${SOUTH + row}" lon="${(WEST + i + STEP * n).toFixed(7)}"/>`,
    ),
  );
  const way = (id: number, ...ends: number[]) =>
    `<way id="${id}" ${version}>${ends.map((ref) => `<nd ref="${ref}"/>`).join('')}</way>`;
  const ways = [
    ...[...CELLS.keys()].flatMap((i) => [
      way(southOf(i), node(i, 0), node(i + 1, 0)),
      way(northOf(i), node(i, 1), node(i + 1, 1)),
    ]),
    ...columns.map((i) => way(westOf(i), node(i, 0), node(i, 1))),
  ];
  const relation = (id: number, members: number[], tags: Record<string, string>) =>
    [
      `<relation id="${id}" ${version}>`,
      ...members.map((ref) => `<member type="way" ref="${ref}" role="outer"/>`),
      ...Object.entries({ type: 'boundary', boundary: 'administrative', ...tags }).map(
        ([k, v]) => `<tag k="${k}" v="${v}"/>`,
      ),
      '</relation>',
    ].join('');
  const all = [...CELLS.keys()];
  const relations = [
    relation(9, [...all.map(southOf), ...all.map(northOf), westOf(0), westOf(CELLS.length)], {
      admin_level: '2',
      name: `Land #${n}`,
      'ISO3166-1': 'XA',
    }),
    ...all.map((i) =>
      relation(10 + i, [southOf(i), westOf(i + 1), northOf(i), westOf(i)], {
        admin_level: '8',
        name: `Cell ${i} #${n}`,
      }),
    ),
  ];
  return `<?xml version="1.0"?>\n<osm version="0.6">\n${[...nodes, ...ways, ...relations].join('\n')}\n</osm>\n`;
}

/** The generations that a response contains, by its names and shapes; only one if it is consistent. */
export function generationsIn(answer: unknown): number[] {
  const found = new Set<number>();
  const look = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      if (name === 'bbox') found.add(generationAt(value[0]));
      else if (name === 'coordinates') for (const lon of longitudes(value)) found.add(generationAt(lon));
      else for (const one of value) look(one, name);
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, one] of Object.entries(value)) if (member !== 'interpretation') look(one, member);
    } else if (typeof value === 'string' && name === 'name') {
      const [, n] = /#(\d+)$/.exec(value) ?? [];
      if (n !== undefined) found.add(Number(n));
    }
  };
  look(answer, '');
  return [...found];
}

/** The generation with a border at this longitude. */
const generationAt = (lon: number): number => Math.round((((lon % 1) + 1) % 1) / STEP);

function longitudes(value: readonly unknown[]): number[] {
  if (typeof value[0] === 'number') return [value[0]];
  return value.flatMap((one) => longitudes(one as unknown[]));
}
