import type { ImportSummary } from '../../sources/import_summary.ts';
import type { Preview } from '../../sources/preview.ts';
import { visible } from '../../transports/visible.ts';

const NO_LAND: ImportSummary['land'] = { worked: 0, unknown: 0, gaps: [], broken: [] };

/** Summarizes an import in one line. */
export function summaryLine(summary: Omit<ImportSummary, 'land'> & Partial<Pick<ImportSummary, 'land'>>): string {
  const parts = [
    `${summary.read} read`,
    `${summary.added} added`,
    `${summary.replaced} replaced`,
    `${summary.unchanged} unchanged`,
  ];
  if (summary.older > 0) parts.push(`${summary.older} older than the stored version`);
  if (summary.reassembled > 0) parts.push(`${summary.reassembled} reassembled`);
  if (summary.retiered > 0) parts.push(`${summary.retiered} arcs near them simplified again`);
  if (summary.repairs > 0) parts.push(`${summary.repairs} repaired`);
  if (summary.overlaps.length > 0) parts.push(`${summary.overlaps.length} overlaps kept`);
  if (summary.aliased > 0) parts.push(`${summary.aliased} seed shapes replaced`);
  if (summary.restored > 0) parts.push(`${summary.restored} seed shapes back`);
  if (summary.doubles > 0)
    parts.push(
      `${summary.doubles} seed shapes stay beside them: not the same place by code, or by name and 80 % of the area`,
    );
  if (summary.skipped.length > 0) parts.push(`${summary.skipped.length} skipped`);
  if (summary.broken.length > 0) parts.push(`${summary.broken.length} without a polygon`);
  if (summary.validFrom !== undefined) {
    parts.push(
      `edition of ${summary.validFrom} with ${summary.inEdition} boundaries, ${summary.newStates} of them new`,
    );
  }
  // A server of an older release says nothing of land.
  const { worked, unknown, gaps, removed = 0, kept = [] } = summary.land ?? NO_LAND;
  if (worked > 0) parts.push(`land of ${worked - unknown} worked out`);
  if (unknown > 0) parts.push(`land of ${unknown} unknown`);
  if (gaps.length > 0) parts.push(`${gaps.length} gaps of the coast closed`);
  if (removed > 0) parts.push(`${removed} coastlines deleted`);
  if (kept.length > 0) parts.push(`${kept.length} coastlines kept that the file lacks`);
  if (summary.inland) parts.push(`inland water of ${summary.inland.known} boundaries known`);
  if (summary.inland && summary.inland.unknown > 0) parts.push(`of ${summary.inland.unknown} unknown`);
  const memory = Math.round(summary.peakRss / 2 ** 20);
  return `${summary.file}: ${parts.join(', ')}; ${summary.arcs} new arcs, ${summary.seconds} s, peak memory ${memory} MiB`;
}

/**
 * Whether a boundary is broken only because the file lacks some of its objects: an extract cuts what crosses its edge.
 */
const isCut = ({ reason }: { readonly reason: string }) => /\bmissing (way|node) \d+$/.test(reason);

/**
 * Lists what an import left out and why: each boundary once, with the place to repair. Boundaries that the extract cuts
 * share one line unless `verbose`.
 */
function omissionLines({ broken, skipped }: Pick<ImportSummary, 'broken' | 'skipped'>, verbose: boolean): string {
  const cut = verbose ? [] : broken.filter(isCut);
  const lines = (verbose ? broken : broken.filter((one) => !isCut(one))).map(({ id, name, reason, lat, lon }) => {
    const place = lat === null || lon === null ? '' : ` at ${lat},${lon}`;
    return `  ${id} ${name}: ${reason}${place}`;
  });
  for (const { id, reason } of skipped) lines.push(`  ${id} skipped: ${reason}`);
  const most = verbose ? lines.length : 20;
  if (lines.length > most)
    lines.splice(most, lines.length, `  … and ${lines.length - most} more (--verbose lists all)`);
  if (cut.length > 0) {
    lines.push(`  ${cut.length} incomplete because the extract cuts them (normal at its edge); --verbose lists them`);
  }
  return written(lines);
}

/** Joins lines for a terminal; text from a file cannot control it. */
const written = (lines: readonly string[]) => lines.map((line) => `${visible(line, true)}\n`).join('');

/** Number of repairs of a coverage that are shown. */
const SHOWN = 10;

/** Lists suspicious findings in a coverage, the repairs with the largest changes, and the largest kept overlaps. */
function repairs({ notices, repaired, overlaps }: Pick<ImportSummary, 'notices' | 'repaired' | 'overlaps'>): string {
  const lines = notices.slice(0, SHOWN).map((notice) => `  ${notice}`);
  if (notices.length > SHOWN) lines.push(`  … and ${notices.length - SHOWN} more notices (--json lists all)`);
  const repairs = repaired.slice(0, SHOWN).map(({ id, reason, km2Before, km2After }) => {
    const [before, after] = [km2Text(km2Before), km2Text(km2After)];
    const km2 = before === after ? after : `${before} -> ${after}`;
    return `  ${id} repaired: ${reason} (${km2} km2)`;
  });
  lines.push(...repairs);
  if (repaired.length > SHOWN)
    lines.push(`  … and ${repaired.length - SHOWN} repaired with smaller changes (--json lists all)`);
  for (const { a, b, km2 } of overlaps.slice(0, SHOWN))
    lines.push(`  ${a} and ${b} overlap by ${km2Text(km2)} km2: kept`);
  if (overlaps.length > SHOWN)
    lines.push(`  … and ${overlaps.length - SHOWN} smaller overlaps kept (--json lists all)`);
  return written(lines);
}

/** Lists the areas that stand beside a seed boundary of the same name, country and place, and says how to replace it. */
export function namesakeNote({ namesakes }: Pick<ImportSummary, 'namesakes'>): string {
  const lines = namesakes
    .slice(0, SHOWN)
    .map(({ id, name, seed, seedName }) => `  ${id} ${name} stands beside ${seed} ${seedName} of the seed data`);
  if (namesakes.length > SHOWN) lines.push(`  … and ${namesakes.length - SHOWN} more (--json lists all)`);
  lines.push('  Only name, country and place match, no code: --replace lets the areas of the file take their place');
  return written(lines);
}

/** Square kilometers, rounded to the square meter. */
const km2Text = (km2: number) => String(Math.round(km2 * 1e6) / 1e6);

/** The notes of an import for a person: what was left out, repaired and kept. */
export function importNotes(
  summary: Pick<ImportSummary, 'notices' | 'repaired' | 'overlaps' | 'broken' | 'skipped'> &
    Partial<Pick<ImportSummary, 'land' | 'inland'>>,
  verbose: boolean,
): string {
  return (
    repairs(summary) + omissionLines(summary, verbose) + landLines(summary.land ?? NO_LAND, summary.inland, verbose)
  );
}

/** Lists where the land of boundaries is unknown, the coastlines that stay, and the gaps that were closed. */
function landLines(
  { broken, gaps, kept = [] }: ImportSummary['land'],
  inland: ImportSummary['inland'],
  verbose: boolean,
): string {
  const lines = [
    ...broken.map(({ id, reason, lat, lon }) => `  land of ${id} unknown: ${reason} at ${lat},${lon}`),
    ...(inland?.broken ?? []).map(
      ({ id, reason, lat, lon }) => `  inland water of ${id} unknown: ${reason} at ${lat},${lon}`,
    ),
    ...kept.map(({ way, reason, lat, lon }) => `  coastline w${way} kept: ${reason}, at ${lat},${lon}`),
    ...gaps.map(({ lat, lon, meters }) => `  gap of the coast closed: ${meters} m at ${lat},${lon}`),
  ];
  const more = lines.length - SHOWN;
  if (!verbose && more > 0) lines.splice(SHOWN, more, `  … and ${more} more (--verbose lists all)`);
  return written(lines);
}

/**
 * Shows a file that has not been imported.
 * @param isWhole whether all of it was read, as for --dry-run
 */
export function previewText(preview: Preview, isWhole = true): string {
  const count = isWhole ? `${preview.read} would be stored; the first of them:` : 'its first areas would be stored so:';
  const lines = [`${preview.file}: ${count}`];
  for (const one of preview.first) {
    const { lat, lon } = one.centroid ?? {};
    const place = one.broken ?? `${km2Text(one.area_km2 ?? 0)} km2 around ${lat},${lon}`;
    lines.push(`  ${one.source_id}: ${one.name}; ${place}`);
    const { source_id: _id, name: _name, area_km2: _area, centroid: _centroid, broken: _broken, names, ...rest } = one;
    const fields = Object.entries(rest).map(([key, value]) => `${key} ${value === null ? '-' : String(value)}`);
    for (const [language, name] of Object.entries(names)) fields.push(`name:${language} ${name}`);
    lines.push(`    ${fields.join(', ')}`);
  }
  return written(lines);
}
