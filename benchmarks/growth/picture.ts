import type { Growth } from './measured.ts';

const [PANEL_WIDTH, PANEL_HEIGHT] = [230, 150];
const [LEFT, TOP, GAP_X, GAP_Y] = [64, 62, 78, 66];
const OURS = '#0b6e4f';
const THEIRS = '#b3541e';

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** One or two curves by a growing quantity. */
export interface Panel {
  readonly title: string;
  /** The label of the horizontal axis. */
  readonly of: string;
  /** The quantity on the vertical axis. */
  readonly unit: 'time' | 'size';
  readonly ours: readonly { readonly x: number; readonly y: number | null }[];
  readonly theirs: readonly { readonly x: number; readonly y: number | null }[];
}

/** An SVG with two rows of panels, time and memory, and a column per growing quantity; both axes are logarithmic. */
export function drawGrowth(growths: readonly Growth[]): string {
  const rows = (['time', 'size'] as const).map((unit) =>
    growths.map((growth): Panel => {
      const value = ({ x, ms, bytes }: Growth['ours'][number]) => ({ x, y: unit === 'time' ? ms : bytes });
      return {
        title: unit === 'time' ? `Time: ${growth.work}` : `Memory: ${growth.memory}`,
        of: growth.of,
        unit,
        ours: growth.ours.map(value),
        theirs: growth.theirs.map(value),
      };
    }),
  );
  return drawPanels('Growth of time and memory', 'PostGIS (ST_Union)', rows);
}

/** Rows of panels with one legend: ours and a rival. */
export function drawPanels(title: string, rival: string, rows: readonly (readonly Panel[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const width = LEFT + columns * (PANEL_WIDTH + GAP_X) - GAP_X + 20;
  const height = TOP + rows.length * (PANEL_HEIGHT + GAP_Y) - 10;
  const panels = rows.flatMap((row, r) =>
    row.map((one, c) => panel(one, LEFT + c * (PANEL_WIDTH + GAP_X), TOP + r * (PANEL_HEIGHT + GAP_Y))),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11" fill="#222">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    legend(LEFT, 20, OURS, 'Boundary Lookup'),
    legend(LEFT + 130, 20, THEIRS, rival),
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function legend(x: number, y: number, color: string, name: string): string {
  return `<line x1="${x}" y1="${y - 4}" x2="${x + 18}" y2="${y - 4}" stroke="${color}" stroke-width="2"/><text x="${x + 24}" y="${y}">${name}</text>`;
}

function panel({ title, of, unit, ours, theirs }: Panel, left: number, top: number): string {
  const series = [ours, theirs].map((points) => points.flatMap(({ x, y }) => (y === null || y <= 0 ? [] : [{ x, y }])));
  const all = series.flat();
  const label = unit === 'time' ? timeLabel : sizeLabel;
  const out = [
    `<text x="${left}" y="${top - 10}" font-size="10" fill="#555">${escaped(title)}</text>`,
    `<rect x="${left}" y="${top}" width="${PANEL_WIDTH}" height="${PANEL_HEIGHT}" fill="none" stroke="#999"/>`,
    `<text x="${left + PANEL_WIDTH / 2}" y="${top + PANEL_HEIGHT + 30}" text-anchor="middle">${escaped(of)}</text>`,
  ];
  if (all.length === 0) return out.join('\n');
  const across = axis(all.map(({ x }) => x));
  const up = axis(all.map(({ y }) => y));
  const px = (x: number) => left + PANEL_WIDTH * share(across, x);
  const py = (y: number) => top + PANEL_HEIGHT * (1 - share(up, y));
  for (const tick of across.ticks) {
    const x = px(tick).toFixed(1);
    out.push(`<line x1="${x}" y1="${top}" x2="${x}" y2="${top + PANEL_HEIGHT}" stroke="#e4e4e4"/>`);
    out.push(`<text x="${x}" y="${top + PANEL_HEIGHT + 14}" text-anchor="middle">${countLabel(tick)}</text>`);
  }
  for (const tick of up.ticks) {
    const y = py(tick).toFixed(1);
    out.push(`<line x1="${left}" y1="${y}" x2="${left + PANEL_WIDTH}" y2="${y}" stroke="#e4e4e4"/>`);
    out.push(`<text x="${left - 5}" y="${(py(tick) + 4).toFixed(1)}" text-anchor="end">${label(tick)}</text>`);
  }
  series.forEach((points, k) => {
    const color = k === 0 ? OURS : THEIRS;
    const path = points.map(({ x, y }) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`);
    out.push(`<polyline points="${path.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`);
    for (const one of path) {
      const [x, y] = one.split(',');
      out.push(`<circle cx="${x}" cy="${y}" r="2.5" fill="${color}"/>`);
    }
  });
  return out.join('\n');
}

/** An axis from a power of ten below all values to one above; with few powers, ticks at 2 and 5 as well. */
function axis(values: readonly number[]): Axis {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const steps = [1, 2, 5].flatMap((digit) => Array.from({ length: 16 }, (_, k) => digit * 10 ** (k - 4)));
  const sorted = steps.sort((a, b) => a - b);
  const low = sorted.findLast((step) => step <= least * 1.0001) ?? least;
  const high = sorted.find((step) => step >= most * 0.9999) ?? most;
  const decades = Math.log10(high / low);
  const every = decades > 4 ? 2 : 1;
  const ticks = sorted.filter((step) => {
    if (step < low || step > high) return false;
    const power = Math.log10(step);
    const whole = Math.abs(power - Math.round(power)) < 1e-9;
    return decades <= 1.7 ? true : whole && Math.round(power) % every === 0;
  });
  return { low, high: high > low ? high : 10 * low, ticks };
}

const share = ({ low, high }: Axis, value: number) => Math.log(value / low) / Math.log(high / low);

const countLabel = (n: number) =>
  n >= 1e6 ? `${n / 1e6} M` : n >= 1e3 ? `${n / 1e3} k` : String(Number(n.toPrecision(3)));

function timeLabel(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toPrecision(3))} s`;
  return ms >= 1 ? `${Number(ms.toPrecision(3))} ms` : `${Number((ms * 1000).toPrecision(3))} µs`;
}

function sizeLabel(bytes: number): string {
  return bytes >= 1e9 ? `${Number((bytes / 1e9).toPrecision(3))} GB` : `${Number((bytes / 1e6).toPrecision(3))} MB`;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
