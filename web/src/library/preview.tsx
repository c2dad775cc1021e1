import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { useLoad } from '../ui.tsx';

/** Width and height of a preview in pixels. */
const WIDTH = 64;
const HEIGHT = 48;
/** GeoJSON files up to this many bytes are drawn directly. */
const MOST_BYTES = 400_000;

type Position = readonly number[];

interface Previewed {
  readonly id: string;
  readonly boundary_id: string | null;
  readonly format: string;
  readonly bytes: number;
}

function ringsOf(data: GeoJSON.GeoJSON): readonly (readonly Position[])[] {
  switch (data.type) {
    case 'FeatureCollection':
      return data.features.flatMap(ringsOf);
    case 'Feature':
      return data.geometry ? ringsOf(data.geometry) : [];
    case 'Polygon':
      return data.coordinates;
    case 'MultiPolygon':
      return data.coordinates.flat();
    default:
      return [];
  }
}

/** The polygons of GeoJSON as an SVG path of WIDTH x HEIGHT pixels, rounded to half pixels; '' without polygons. */
export function pathOf(data: GeoJSON.GeoJSON): string {
  const rings = ringsOf(data);
  const points = rings.flat();
  const range = (of: readonly number[]): [number, number] =>
    of.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  let [west, east] = range(points.map(([lon = 0]) => lon));
  // Draw a shape that crosses the antimeridian in one piece.
  const turned = east - west > 300;
  const eastward = (lon: number): number => (turned && lon < 0 ? lon + 360 : lon);
  if (turned) [west, east] = range(points.map(([lon = 0]) => eastward(lon)));
  const [south, north] = range(points.map(([, lat = 0]) => lat));
  if (!(east > west) || !(north > south)) return '';
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.min((WIDTH - 4) / ((east - west) * narrow), (HEIGHT - 4) / (north - south));
  const left = (WIDTH - (east - west) * narrow * scale) / 2;
  const top = (HEIGHT - (north - south) * scale) / 2;
  const half = (value: number): number => Math.round(value * 2) / 2;
  const place = ([lon = 0, lat = 0]: Position): string =>
    `${half(left + (eastward(lon) - west) * narrow * scale)} ${half(top + (north - lat) * scale)}`;
  return rings
    .map((ring) => ring.map(place).filter((text, i, all) => text !== all[i - 1]))
    .filter((ring) => ring.length > 2)
    .map((ring) => `M${ring.join('L')}Z`)
    .join('');
}

/** The path to draw a preview from: the boundary at low detail, which is free, or a small GeoJSON file; else null. */
function sourceOf({ id, boundary_id, format, bytes }: Previewed): string | null {
  if (boundary_id) return `/boundaries/${encodeURIComponent(boundary_id)}?detail=low`;
  return format === 'geojson' && bytes <= MOST_BYTES ? `/files/${id}/content` : null;
}

/** The shape of a library file, drawn when it scrolls into view; a file without a shape shows its format. */
export function Preview({ file }: { file: Previewed }): JSX.Element {
  const frame = useRef<HTMLSpanElement>(null);
  const [visible, setVisible] = useState(false);
  const source = sourceOf(file);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setVisible(true));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const path = useLoad(visible && source ? `preview ${source}` : null, async (signal) =>
    pathOf(await ask<GeoJSON.GeoJSON>(source ?? '', { signal })),
  );
  const drawn = path.state === 'done' ? path.value : '';
  return (
    <span class="preview" ref={frame} aria-hidden="true">
      {drawn ? (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
          <path d={drawn} fill-rule="evenodd" />
        </svg>
      ) : (
        source === null && <span class="soft small">{file.format}</span>
      )}
    </span>
  );
}
