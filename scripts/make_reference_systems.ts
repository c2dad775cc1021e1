/**
 * Makes data/reference_systems.tsv: the reference systems of EPSG's dataset and ESRI's, from the database of PROJ.
 *
 *   apt-get install proj-bin sqlite3
 *   npx tsx scripts/make_reference_systems.ts /usr/share/proj/proj.db
 *
 * Facts only: names, parameters, areas of use, and for each datum the published transformations to WGS 84 that need no
 * grid, as `projinfo` lists them. workers/projections/table.ts reads the file and describes its columns.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { plain, projectionOf } from '../workers/projections/methods.ts';

const [, , database = '/usr/share/proj/proj.db'] = process.argv;

type Row = Readonly<Record<string, string | number | null>>;

const run = (command: string, args: readonly string[]): string => {
  const { stdout, status, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
};
const query = (sql: string): Row[] => JSON.parse(run('sqlite3', ['-json', database, sql]) || '[]') as Row[];

/** Factors to meters, degrees, or 1. */
const units = new Map<string, number>(
  query('select auth_name, code, type, conv_factor from unit_of_measure').map(
    ({ auth_name, code, type, conv_factor }) =>
      [
        `${auth_name}:${code}`,
        type === 'angle' ? Number(((Number(conv_factor) * 180) / Math.PI).toPrecision(13)) : Number(conv_factor),
      ] as const,
  ),
);

/** A value of a unit; sexagesimal degrees (9110) are DDD.MMSSsss. */
function inUnit(value: number, unit: string): number {
  if (unit === 'EPSG:9110') {
    const [, sign = '', degrees = '', digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
    const padded = digits.padEnd(4, '0');
    const seconds = Number(`${padded.slice(2, 4)}.${padded.slice(4) || '0'}`);
    const all = Number(degrees) + Number(padded.slice(0, 2)) / 60 + seconds / 3600;
    return sign === '-' ? -all : all;
  }
  const factor = units.get(unit);
  if (factor === undefined) throw new Error(`no factor of ${unit}`);
  return rounded(value * factor);
}

const rounded = (value: number): number => Number(value.toPrecision(15));

/** The order and direction of axes: letters of E, N, W and S; of polar systems, "E" for the axis named E or X. */
const axes = new Map<string, string>();
const axisUnits = new Map<string, string>();
for (const row of query(
  'select * from axis order by coordinate_system_auth_name, coordinate_system_code, coordinate_system_order',
)) {
  const key = `${row.coordinate_system_auth_name}:${row.coordinate_system_code}`;
  const orientation = String(row.orientation).toLowerCase();
  if (orientation === 'up') continue;
  const direction = /^(east|north|west|south)$/.test(orientation)
    ? orientation.slice(0, 1).toUpperCase()
    : /^[NY]/.test(String(row.abbrev))
      ? 'N'
      : 'E';
  axes.set(key, (axes.get(key) ?? '') + direction);
  axisUnits.set(key, `${row.uom_auth_name}:${row.uom_code}`);
}

/** The box of each system's area of use: west, south, east, north. */
const boxes = new Map<string, string>();
const DECIMALS = 2;
for (const row of query(`select u.object_auth_name || ':' || u.object_code as object, e.* from usage u
    join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
    where u.object_table_name in ('projected_crs', 'geodetic_crs')`)) {
  if (row.south_lat === null) continue;
  boxes.set(
    String(row.object),
    [row.west_lon, row.south_lat, row.east_lon, row.north_lat]
      .map((one) => Number(Number(one).toFixed(DECIMALS)))
      .join(','),
  );
}

const names = new Map<string, Set<string>>();
const addName = (name: unknown, code: string): void => {
  const key = plain(String(name));
  names.set(key, (names.get(key) ?? new Set()).add(code));
};

/** What EPSG withdrew for one other system. */
const heirs = new Map(
  query(`select deprecated_auth_name || ':' || deprecated_code as old, min(replacement_auth_name || ':' || replacement_code) as new
    from deprecation where table_name in ('projected_crs', 'geodetic_crs') and deprecated_auth_name = 'EPSG'
    group by 1 having count(*) = 1`).map((row) => [String(row.old), String(row.new)] as const),
);

const lines: string[] = [];
const geographic =
  query(`select g.*, d.name datum, d.ensemble_accuracy, e.semi_major_axis a, e.uom_auth_name || ':' || e.uom_code e_unit,
    e.inv_flattening rf, e.semi_minor_axis b, m.longitude, m.uom_auth_name || ':' || m.uom_code m_unit
  from geodetic_crs g
  join geodetic_datum d on d.auth_name = g.datum_auth_name and d.code = g.datum_code
  join ellipsoid e on e.auth_name = d.ellipsoid_auth_name and e.code = d.ellipsoid_code
  join prime_meridian m on m.auth_name = d.prime_meridian_auth_name and m.code = d.prime_meridian_code
  where g.type = 'geographic 2D' and g.auth_name in ('EPSG', 'ESRI') and e.semi_major_axis > 6000000
    and e.celestial_body_code like 'Earth'
  order by g.deprecated, g.auth_name, g.code`);

/** The published transformations of a system to WGS 84: those without grids, best of those with one. */
function operationsOf(code: string): { shifts: string; grid: string } {
  const { stdout } = spawnSync(
    'projinfo',
    [
      '-s',
      code,
      '-t',
      'EPSG:4326',
      '--grid-check',
      'none',
      '--spatial-test',
      'intersects',
      '-o',
      'PROJ,WKT2:2019',
      '--single-line',
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const shifts: string[] = [];
  const grids: { grid: string; accuracy: number }[] = [];
  for (const text of stdout.split(/^Operation No\. \d+:$/m).slice(1)) {
    const [, accuracy] = /, ([\d.]+) m, /.exec(text) ?? [];
    const [, pipeline] = /^PROJ string:\n(.*)$/m.exec(text) ?? [];
    if (pipeline === undefined || accuracy === undefined || /ballpark/i.test(text.split('\n')[2] ?? '')) continue;
    const [, grid] = /\+(?:grids|model)=(\S+)/.exec(pipeline) ?? [];
    if (grid !== undefined) {
      grids.push({ grid, accuracy: Number(accuracy) });
      continue;
    }
    const steps = stepsOf(pipeline);
    if (steps === null) {
      process.stderr.write(`${code}: left out ${pipeline}\n`);
      continue;
    }
    const box = [...text.matchAll(/BBOX\[([-\d.,]+)\]/g)].at(-1)?.[1] ?? '-90,-180,90,180';
    const [south, west, north, east] = box.split(',').map((one) => Number(Number(one).toFixed(DECIMALS)));
    shifts.push([Number(accuracy), [west, south, east, north].join(','), ...steps].join('/'));
  }
  const [best] = grids.sort((p, q) => p.accuracy - q.accuracy);
  return { shifts: shifts.join(';'), grid: best ? `${best.accuracy},${best.grid}` : '' };
}

/** The Helmert steps of a pipeline, in the convention of position vectors; null when it has others. */
function stepsOf(pipeline: string): string[] | null {
  const steps: string[] = [];
  for (const step of pipeline.split(' +step ')) {
    const keys = new Map(step.split(/\s+/).map((one) => one.replace(/^\+/, '').split('=') as [string, string]));
    const proj = keys.get('proj');
    if (/^(?:pipeline|noop|axisswap|unitconvert|push|pop|cart|longlat)$/.test(proj ?? '')) continue;
    if (proj === 'geogoffset' && steps.length === 0) {
      steps.push(`o${keys.get('dlat')},${keys.get('dlon')}`);
      continue;
    }
    if (proj !== 'helmert' && proj !== 'molobadekas') return null;
    const [x, y, z, rx, ry, rz, s, px, py, pz] = ['x', 'y', 'z', 'rx', 'ry', 'rz', 's', 'px', 'py', 'pz'].map((key) =>
      Number(keys.get(key) ?? 0),
    ) as [number, number, number, number, number, number, number, number, number, number];
    const sign = keys.get('convention') === 'coordinate_frame' ? -1 : 1;
    const second = Math.PI / 648000;
    const [a, b, c] = [sign * rx * second, sign * ry * second, sign * rz * second];
    const scale = 1 + s * 1e-6;
    // The point of rotation becomes part of the translation: P - scale R P.
    const moved = [
      x + px - scale * (px - c * py + b * pz),
      y + py - scale * (c * px + py - a * pz),
      z + pz - scale * (-b * px + a * py + pz),
    ];
    const values = [...moved, sign * rx, sign * ry, sign * rz, s].map((one) => Number(one.toPrecision(12)) + 0);
    while (values.length > 3 && values.at(-1) === 0) values.pop();
    steps.push((keys.has('inv') ? 'i' : '') + values.join(','));
  }
  // Another ellipsoid under the same axes changes latitudes.
  if (!steps.some((step) => !step.startsWith('o')) && pipeline.includes('+proj=cart')) steps.push('0');
  return steps;
}

const existing = new Set(
  query(`select auth_name || ':' || code as code from crs_view where type in ('projected', 'geographic 2D')`).map(
    (row) => String(row.code),
  ),
);
/** The row of a withdrawn system, or null. */
const heirOf = (code: string): string | null => {
  const heir = heirs.get(code);
  return heir !== undefined && existing.has(heir) && !heirs.has(heir) ? `${code}\t>${heir}` : null;
};

for (const row of geographic) {
  const code = `${row.auth_name}:${row.code}`;
  const heir = heirOf(code);
  if (heir !== null) {
    lines.push(heir);
    continue;
  }
  const system = `${row.coordinate_system_auth_name}:${row.coordinate_system_code}`;
  const a = inUnit(Number(row.a), String(row.e_unit));
  const b = row.b === null ? null : inUnit(Number(row.b), String(row.e_unit));
  const rf = row.rf !== null ? Number(row.rf) : b === null || b === a ? 0 : rounded(a / (a - b));
  const { shifts, grid } = operationsOf(code);
  // Degrees, minutes and seconds are one unit without a factor, which coordinates in files do not have.
  const unit = units.get(axisUnits.get(system) ?? '') || 1;
  const meridian = inUnit(Number(row.longitude), String(row.m_unit));
  lines.push(
    [
      code,
      row.name,
      '',
      '',
      rounded(unit),
      axes.get(system) ?? 'NE',
      boxes.get(code) ?? '',
      a,
      rf,
      meridian,
      shifts,
      grid,
    ].join('\t'),
  );
  addName(row.name, code);
  if (Number(row.longitude) === 0) addName(row.datum, code);
}
const known = new Set(geographic.map((row) => `${row.auth_name}:${row.code}`));

const refused = new Map<string, number>();
const parameters = [1, 2, 3, 4, 5, 6, 7];
const projected =
  query(`select p.*, c.method_code, c.method_name, ${parameters.map((n) => `c.param${n}_code, c.param${n}_value, c.param${n}_uom_auth_name || ':' || c.param${n}_uom_code as param${n}_unit`).join(', ')}
  from projected_crs p join conversion c on c.auth_name = p.conversion_auth_name and c.code = p.conversion_code
  where p.auth_name in ('EPSG', 'ESRI') order by p.deprecated, p.auth_name, p.code`);
for (const row of projected) {
  const code = `${row.auth_name}:${row.code}`;
  const base = `${row.geodetic_crs_auth_name}:${row.geodetic_crs_code}`;
  if (!known.has(base)) continue;
  const heir = heirOf(code);
  if (heir !== null) {
    lines.push(heir);
    continue;
  }
  const system = `${row.coordinate_system_auth_name}:${row.coordinate_system_code}`;
  const values = parameters
    .filter((n) => row[`param${n}_code`] !== null)
    .map(
      (n) =>
        [String(row[`param${n}_code`]), inUnit(Number(row[`param${n}_value`]), String(row[`param${n}_unit`]))] as const,
    );
  const projection = projectionOf(String(row.method_code), values);
  if (projection === null) refused.set(String(row.method_name), (refused.get(String(row.method_name)) ?? 0) + 1);
  const unit = units.get(axisUnits.get(system) ?? '') ?? 1;
  lines.push(
    [
      code,
      row.name,
      base,
      projection ?? `?${row.method_name}`,
      rounded(unit),
      axes.get(system) ?? 'EN',
      boxes.get(code) ?? '',
    ].join('\t'),
  );
  addName(row.name, code);
}
const written = new Set(lines.map((line) => line.slice(0, line.indexOf('\t'))));
// Systems with heights stand for their horizontal part: EPSG:4979 for EPSG:4326.
for (const { code, heir } of query(`select code, heir from (
    select g3.auth_name || ':' || g3.code as code, 'EPSG:' || min(cast(g2.code as integer)) as heir from geodetic_crs g3
    join geodetic_crs g2 on g2.datum_auth_name = g3.datum_auth_name and g2.datum_code = g3.datum_code
      and g2.type = 'geographic 2D' and g2.auth_name = 'EPSG' and g2.deprecated = 0
    where g3.type = 'geographic 3D' and g3.auth_name = 'EPSG' group by 1
    union all
    select auth_name || ':' || code, horiz_crs_auth_name || ':' || horiz_crs_code from compound_crs where auth_name = 'EPSG')
    order by cast(substr(code, 6) as integer)`)) {
  if (!written.has(String(code)) && written.has(String(heir))) lines.push(`${code}\t>${heir}`);
}
const listed = new Set(lines.map((line) => line.slice(0, line.indexOf('\t'))));
for (const row of query(`select table_name, auth_name || ':' || code as code, alt_name from alias_name
    where table_name in ('geodetic_crs', 'projected_crs') and auth_name in ('EPSG', 'ESRI')`)) {
  if (listed.has(String(row.code))) addName(row.alt_name, String(row.code));
}
for (const row of query(`select a.alt_name, g.auth_name || ':' || g.code as code from alias_name a
    join geodetic_crs g on g.datum_auth_name = a.auth_name and g.datum_code = a.code and g.type = 'geographic 2D'
    where a.table_name = 'geodetic_datum'`)) {
  if (listed.has(String(row.code))) addName(row.alt_name, String(row.code));
}
const order = [...listed];
const rank = new Map(order.map((code, i) => [code, i]));
const first = (codes: Iterable<string>): string =>
  [...codes].sort((p, q) => (rank.get(p) ?? 0) - (rank.get(q) ?? 0))[0] ?? '';
const dictionary = [...names].map(([name, codes]) => `=${name}\t${first(codes)}`).sort();
writeFileSync('data/reference_systems.tsv', `${[...lines, ...dictionary].join('\n')}\n`);
process.stdout.write(
  `${lines.length} systems, ${dictionary.length} names; not transformed: ${JSON.stringify([...refused])}\n`,
);
