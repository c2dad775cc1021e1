/** The cell of a point, as programs that know nothing of this project find it. */
import { latLngToCell } from 'h3-js';
import { s2 } from 's2js';
import type { GridName } from '../../workers/cells/sizes.ts';

const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz';

/** By halving, as geohash.org describes it. */
function geohashOf(lon: number, lat: number, length: number): string {
  const [x, y] = [
    [-180, 180],
    [-90, 90],
  ] as [[number, number], [number, number]];
  let name = '';
  let bits = 0;
  for (let bit = 0; name.length < length; bit++) {
    const [range, value] = bit % 2 === 0 ? [x, lon] : [y, lat];
    const middle = (range[0] + range[1]) / 2;
    bits *= 2;
    if (value >= middle) {
      bits++;
      range[0] = middle;
    } else range[1] = middle;
    if (bit % 5 < 4) continue;
    name += DIGITS[bits];
    bits = 0;
  }
  return name;
}

/** As Microsoft's description of Bing's tiles has it. */
function quadkeyOf(lon: number, lat: number, level: number): string {
  const clipped = Math.max(-85.05112878, Math.min(85.05112878, lat));
  const sine = Math.sin((clipped * Math.PI) / 180);
  const size = 2 ** level;
  const tile = (part: number) => Math.max(0, Math.min(size - 1, Math.floor(part * size)));
  const x = tile((lon + 180) / 360);
  const y = tile(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI));
  let name = '';
  for (let bit = size / 2; bit >= 1; bit /= 2) name += (Math.floor(x / bit) % 2) + 2 * (Math.floor(y / bit) % 2);
  return name;
}

/** The cell of a point in degrees. */
export function cellOf(grid: GridName, lon: number, lat: number, resolution: number): string {
  if (grid === 'h3') return latLngToCell(lat, lon, resolution);
  if (grid === 'geohash') return geohashOf(lon, lat, resolution);
  if (grid === 'quadkey') return quadkeyOf(lon, lat, resolution);
  return s2.cellid.toToken(s2.cellid.parent(s2.cellid.fromLatLng(s2.LatLng.fromDegrees(lat, lon)), resolution));
}
