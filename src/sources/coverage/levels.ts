import type { Coords } from '../../../workers/contract.ts';
import type { Cleaner } from './cleaner.ts';
import { listed } from './codes.ts';
import { type Description, type Properties, textOf } from './properties.ts';

/** A level of a file whose rows name the areas that they are parts of: GADM has GID_0 … GID_3. */
export interface Level {
  readonly adminLevel: number;
  /** The columns of its id and name. */
  readonly id: string;
  readonly name: string;
}

/** An area with its cleaned rings. */
export interface Area {
  readonly sourceId: string;
  readonly description: Description;
  readonly rings: readonly Coords[];
}

/** An area of an upper level, before its parts are merged. */
interface Upper {
  readonly sourceId: string;
  readonly description: Description;
  readonly firstRow: number;
  /** Ids of the rows that are its parts. */
  readonly parts: Set<string>;
}

/** The map of a level: that of all, with its own id and name. A country has its code as ISO code too. */
export function mapOfLevel(
  map: Readonly<Record<string, string>>,
  { adminLevel, id, name }: Level,
): Record<string, string> {
  const isCountry = adminLevel === 2 && map.country !== undefined;
  return { ...map, id, name, ...(isCountry && { iso: map.country }) };
}

/** What a row says of one of its levels. */
export type DescribeLevel = (level: Level, sourceId: string) => Description;

/** The levels of a file, coarse to fine, and the areas of each but the finest that its rows name. */
export class Levels {
  readonly all: readonly Level[];
  private readonly uppers = new Map<number, Map<string, Upper>>();
  /** For each row's id, the areas that it is a part of, as text: rows of one area must agree. */
  private readonly parentsOf = new Map<string, { readonly row: number; readonly parents: string }>();

  /** @throws Error for levels that are not one for each admin_level */
  constructor(levels: readonly Level[]) {
    this.all = levels.toSorted((a, b) => a.adminLevel - b.adminLevel);
    const twice = this.all.find((one, i) => this.all[i + 1]?.adminLevel === one.adminLevel);
    if (twice !== undefined) throw new Error(`--levels names admin_level ${twice.adminLevel} twice`);
  }

  /** The finest level of which a row has an id: that of the row itself; undefined if it has none. */
  of(properties: Properties): Level | undefined {
    return this.all.findLast(({ id }) => textOf(properties, id) !== null);
  }

  /**
   * Notes the areas that a row is a part of.
   * @param row its number in the file, for errors
   * @throws Error if another row names an area of the same id otherwise, or rows of one area are parts of several
   */
  add(properties: Properties, own: Level, sourceId: string, row: number, describe: DescribeLevel): void {
    const parents: string[] = [];
    for (const level of this.all) {
      const id = level.adminLevel < own.adminLevel ? textOf(properties, level.id) : null;
      if (id === null) continue;
      parents.push(id);
      const ofLevel = this.uppers.get(level.adminLevel) ?? new Map<string, Upper>();
      this.uppers.set(level.adminLevel, ofLevel);
      const known = ofLevel.get(id);
      if (known === undefined) {
        const description = describe(level, id);
        if (description.name === '') throw new Error(`row ${row} has no ${level.name} for ${level.id} ${id}`);
        ofLevel.set(id, { sourceId: id, description, firstRow: row, parts: new Set([sourceId]) });
        continue;
      }
      known.parts.add(sourceId);
      const name = textOf(properties, level.name);
      if (name === null || name === known.description.name) continue;
      throw new Error(
        `rows ${known.firstRow} and ${row} have the same ${level.id} ${id} and differ in ${level.name} ` +
          `("${known.description.name}" and "${name}")`,
      );
    }
    const said = this.parentsOf.get(sourceId);
    const mine = JSON.stringify(parents);
    if (said === undefined) this.parentsOf.set(sourceId, { row, parents: mine });
    else if (said.parents !== mine) {
      throw new Error(`rows ${said.row} and ${row} have the same id ${sourceId} and are parts of different areas`);
    }
  }

  /**
   * The areas of all levels. An upper one is the union of its parts, so that they fit it to the vertex: the rows are
   * cleaned before, and overlaps that they keep are kept.
   * @param rows the cleaned rows; those without rings take no part
   * @throws Error if areas of two levels have the same id
   */
  async dissolved(rows: readonly Area[], clean: Cleaner): Promise<Area[]> {
    const byId = new Map(rows.map((row) => [row.sourceId, row]));
    const merged: (Upper & { readonly adminLevel: number; readonly areas: readonly Area[] })[] = [];
    const seen = new Map<string, number>();
    for (const [adminLevel, ofLevel] of this.uppers) {
      for (const upper of ofLevel.values()) {
        const own = byId.get(upper.sourceId);
        const other = seen.get(upper.sourceId) ?? own?.description.adminLevel ?? adminLevel;
        if (other !== adminLevel) {
          throw new Error(`${upper.sourceId} is an id of admin_level ${adminLevel} and of admin_level ${other}`);
        }
        seen.set(upper.sourceId, adminLevel);
        const parts = [...upper.parts].map((id) => byId.get(id));
        const areas = [own, ...parts].filter((one) => one !== undefined).filter(({ rings }) => rings.length > 0);
        if (areas.length > 0) merged.push({ ...upper, adminLevel, areas });
      }
    }
    const { features } = await clean(
      merged.map(({ adminLevel, areas }) => ({
        rings: areas.flatMap(({ rings }) => rings),
        polygonEnd: ends(areas),
        layer: adminLevel,
      })),
      // The parts have been cleaned: what they overlap by is theirs.
      { meters: 0, share: 0 },
    );
    const uppers = merged.map(
      ({ sourceId, description }, i): Area => ({ sourceId, description, rings: features[i]?.rings ?? [] }),
    );
    const replaced = new Set(merged.map(({ sourceId }) => sourceId));
    return [...uppers, ...rows.filter(({ sourceId }) => !replaced.has(sourceId))];
  }

  /** What was made, for the person. */
  notice(): string {
    const parts = [...this.uppers]
      .sort(([a], [b]) => a - b)
      .map(([adminLevel, areas]) => `${areas.size} of admin_level ${adminLevel}`);
    return `areas were made of their parts by --levels: ${listed(parts)}`;
  }
}

/** The number of rings up to the end of each area. */
function ends(areas: readonly Area[]): number[] {
  let end = 0;
  return areas.map(({ rings }) => (end += rings.length));
}
