import { problem } from '../core/errors.ts';
import type { Level } from '../sources/coverage/levels.ts';
import type { CoverageOptions } from '../sources/coverage/options.ts';
import type { FetchFlags } from './fetched.ts';

/** Options that flags give as text, or not at all, or that FetchFlags has. */
type OtherwiseGiven = 'map' | 'adminLevel' | 'levels' | 'values' | 'where' | keyof FetchFlags;

/** Flags of `boundary import`: the options of a file of areas, some as text, and what becomes of it. */
export interface ImportFlags extends FetchFlags, Partial<Omit<CoverageOptions, OtherwiseGiven>> {
  readonly map?: string;
  readonly adminLevel?: string;
  readonly levels?: string;
  readonly validFrom?: string;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
  readonly accept?: readonly string[];
  readonly land?: boolean;
  /** A file of inland water. */
  readonly water?: boolean;
  /** Of a file of OpenStreetMap: true, or the least area in km2. */
  readonly inlandWater?: boolean | number;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Parses `id=code,name=nom`. */
export function readMap(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [key = '', ...rest] = part.split('=');
      return [key.trim(), rest.join('=').trim()];
    }),
  );
}

/**
 * Parses `2=GID_0:NAME_0,4=GID_1:NAME_1`: for each admin_level the columns of the id and the name.
 * @throws invalid_input
 */
export function readLevels(text: string): readonly Level[] {
  return text.split(',').map((part) => {
    const [, level, id, name] = /^\s*(\d{1,2})\s*=([^:]+):(.+)$/.exec(part) ?? [];
    if (level !== undefined && id !== undefined && name !== undefined) {
      return { adminLevel: Number(level), id: id.trim(), name: name.trim() };
    }
    throw problem(
      'invalid_input',
      `--levels ${text}: write ADMIN_LEVEL=ID:NAME, such as 2=GID_0:NAME_0,4=GID_1:NAME_1.`,
    );
  });
}

/** Whether `--levels` only names admin_levels: `4,6`. */
export const isOnlyLevels = (text: string): boolean => /^\s*\d+\s*(,\s*\d+\s*)*$/.test(text);

/**
 * How a file of areas is read: as the flags say, else as `base` says.
 * @param base of the catalog or of a proposal; null: the flags say all
 * @throws invalid_input
 */
export function coverageOf(flags: ImportFlags, base: CoverageOptions | null): CoverageOptions {
  const {
    json: _json,
    accept: _accept,
    dryRun: _dryRun,
    verbose: _verbose,
    yes: _yes,
    validFrom: _validFrom,
    land: _land,
    water: _water,
    inlandWater: _inlandWater,
    ...file
  } = flags;
  const { from: _from, keep: _keep, maxBytes: _max, sha256: _sha256, allowPrivate: _private, ...known } = file;
  const { map, adminLevel, levels, ...given } = known;
  const source = given.source ?? base?.source ?? '';
  const isChosen = levels !== undefined && base?.levels !== undefined && isOnlyLevels(levels);
  return {
    license: 'unknown',
    attribution: flags.name ?? source,
    ...base,
    ...given,
    source,
    ...(map === undefined ? {} : { map: { ...base?.map, ...readMap(map) } }),
    ...(adminLevel === undefined ? {} : { adminLevel: Number(adminLevel) }),
    ...(levels === undefined || isChosen ? {} : { levels: readLevels(levels) }),
  };
}
