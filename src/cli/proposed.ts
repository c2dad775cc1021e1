import { stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { problem } from '../core/errors.ts';
import type { CoverageOptions } from '../sources/coverage/options.ts';
import type { Proposal } from '../sources/proposal/proposal.ts';
import { visible } from '../transports/visible.ts';
import type { FileInput } from './fetched.ts';
import { coverageOf, type ImportFlags, isOnlyLevels, readLevels, readMap } from './import_flags.ts';
import { previewText } from './render/import_report.ts';
import { ask, hasTerminal, saysYes } from './render/terminal.ts';

/**
 * How a file without `--source` is imported: its columns are understood, shown with the first areas as they would be
 * stored, and a person agrees, or has said so with --yes. Null for a file that has no areas, as those of OpenStreetMap.
 * @throws invalid_input with the command that says all, if no one agrees
 */
export async function agreedCoverage(input: FileInput, flags: ImportFlags): Promise<CoverageOptions | null> {
  const path = resolve(input.path);
  const { areasIn } = await import('../sources/check_file.ts');
  const isThere = await stat(path).catch(() => null);
  if (!isThere || (await areasIn(path)) === null) return null;
  const proposal = await asInput(() => propose(path, input, flags));
  const canAsk = hasTerminal() && !flags.json;
  let coverage = coverageOf(flags, proposal.coverage);
  process.stderr.write(await headText(input, proposal));
  if (proposal.lacksLevel) {
    const level = canAsk && !flags.yes ? await ask(LEVEL_QUESTION) : '';
    if (!/^([1-9]|1[0-2])$/.test(level)) throw notAgreed(input, flags, proposal, coverage);
    coverage = { ...coverage, adminLevel: Number(level) };
  }
  if (flags.dryRun) return coverage;
  const { FIRST, previewCoverage } = await import('../sources/preview.ts');
  const preview = await asInput(() => previewCoverage(path, coverage, FIRST));
  process.stderr.write(previewText({ ...preview, file: input.named }, false));
  if (flags.yes || (canAsk && (await saysYes('Import it so? [y/N] ')))) return coverage;
  throw notAgreed(input, flags, proposal, coverage);
}

const LEVEL_QUESTION = 'admin_level of its areas (2 country, 4 state, 6 county, 8 municipality; 1 … 12): ';

/** @throws invalid_input with the message of an error about the file */
async function asInput<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw problem('invalid_input', visible((error as Error).message, true));
  }
}

async function propose(path: string, { named }: FileInput, flags: ImportFlags): Promise<Proposal> {
  const { proposalOf } = await import('../sources/proposal/proposal.ts');
  const { adminLevel, levels, map, country, type, encoding, geometry, crs, layer = flags.object } = flags;
  const isOnly = levels !== undefined && isOnlyLevels(levels);
  const given = {
    fileName: posix.basename(named.replace(/^([a-z]+:\/\/[^?#]*).*/i, '$1').replaceAll('\\', '/')),
    ...(adminLevel !== undefined && { adminLevel: Number(adminLevel) }),
    ...(isOnly && { onlyLevels: levels.split(',').map(Number) }),
    ...(levels !== undefined && !isOnly && { levels: readLevels(levels) }),
    ...(map !== undefined && { map: readMap(map) }),
    ...(country !== undefined && { country }),
    ...(type !== undefined && { type }),
  };
  const reading = { ...(encoding && { encoding }), ...(geometry && { geometry }), ...(layer && { layer }) };
  return proposalOf(path, given, { ...reading, crs });
}

/** What the file is taken for. */
async function headText({ named }: FileInput, { recipe, notes }: Proposal): Promise<string> {
  const lines = notes.map((note) => `${visible(`${named}: ${note}`, true)}\n`);
  if (recipe === null) return lines.join('');
  const { licenseText } = await import('./catalog.ts');
  return `${visible(`${named}: its columns are those of @${recipe.name}`, true)}\n${lines.join('')}${licenseText(recipe)}`;
}

function notAgreed(input: FileInput, flags: ImportFlags, proposal: Proposal, coverage: CoverageOptions): Error {
  const { lacksLevel } = proposal;
  const command = visible(commandOf(input, flags, proposal, coverage), true);
  const reason = lacksLevel
    ? 'nothing in it tells the admin_level. Say it (2 is a country, 4 a state, 6 a county, 8 a municipality):'
    : 'nothing was imported. To import it as shown, add --yes, or change what is not right in this command:';
  return problem('invalid_input', `${visible(input.named, true)}: ${reason} ${command}`);
}

/** The command that imports a file as proposed, with all flags. */
function commandOf(
  { named }: FileInput,
  flags: ImportFlags,
  { recipe, lacksLevel }: Proposal,
  coverage: CoverageOptions,
): string {
  const { map = {}, levels = [], adminLevel } = coverage;
  const own: readonly (readonly [string, string | undefined])[] = recipe
    ? [['from', named]]
    : [
        ['source', coverage.source],
        [
          'map',
          Object.entries(map)
            .map(([key, column]) => `${key}=${column}`)
            .join(',') || undefined,
        ],
        ['levels', levels.map((one) => `${one.adminLevel}=${one.id}:${one.name}`).join(',') || undefined],
        ['admin-level', adminLevel === undefined ? (lacksLevel ? 'LEVEL' : undefined) : String(adminLevel)],
        ['country', coverage.country],
      ];
  const { name, url, license, attribution, edition, type, layer = flags.object, geometry, encoding, crs } = flags;
  const given = Object.entries({ name, url, license, attribution, edition, type, layer, geometry, encoding, crs });
  const words = [...own, ...given].flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, word(value)]));
  const switches = [flags.strict && '--strict', flags.replace && '--replace'].filter((one) => typeof one === 'string');
  return ['boundary import', recipe ? `@${recipe.name}` : word(named), ...words, ...switches].join(' ');
}

/** A word for a POSIX shell. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
