/** Converts a file in a worker of the page, by the code of `boundary convert`. */
import { type ConvertTask, convertFile } from '../../workers/convert.ts';
import type { AreaRepair } from '../../workers/convert_repairs.ts';
import type { Readable } from '../../workers/formats/registry.ts';
import type { Asked, Reply, Wanted } from './preview.ts';

/** Most bytes that are written: what a page can hold and save. */
const MOST_WRITTEN = 500e6;
/** Most repairs that are listed. */
const MOST_LISTED = 20;

const repairText = ({ area, action, reason, lat, lon, km2_before, km2_after }: AreaRepair): string => {
  const size = km2_after === null ? '' : `, ${km2_before} → ${km2_after} km²`;
  return `${area} ${action}: ${reason} near ${lat},${lon}${size}`;
};

/** The file in the wanted format, or why it cannot be written. */
export async function converted(
  { name, bytes, beside, layer, crs }: Pick<Asked, 'name' | 'bytes' | 'beside' | 'layer' | 'crs'>,
  from: Readable,
  { format, merge, repair }: Wanted,
): Promise<Reply> {
  const result = await convertFile(
    {
      ...{ bytes, from, to: format as ConvertTask['to'], beside, dissolve: merge, detail: 'full' },
      ...{ invalid: repair ? 'repair' : 'refuse', name: name.replace(/\.[^.]*$/, ''), maxBytes: MOST_WRITTEN },
      reading: { ...(layer !== undefined && { layer }), ...(crs !== undefined && { crs }) },
    },
    // The page ends the worker.
    () => false,
  );
  if (result.kind === 'too_large') return { failed: `it would have more than ${MOST_WRITTEN / 1e6} MB as ${format}.` };
  if (result.kind === 'unreadable') return { failed: `${result.reason}.`, isInvalid: result.isInvalid === true };
  const { features, empty, left, collapsed, changes, repairs } = result;
  const listed = repairs.slice(0, MOST_LISTED).map(repairText);
  if (repairs.length > MOST_LISTED) listed.push(`and ${repairs.length - MOST_LISTED} more`);
  // In a buffer of its own, which is handed over.
  const own = new Uint8Array(result.bytes);
  return { converted: { bytes: own, features, empty, left, collapsed, changes, repairs: listed } };
}
