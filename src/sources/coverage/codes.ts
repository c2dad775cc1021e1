/** The value that Natural Earth, and files made from it, write for "no code". */
const NO_CODE = '-99';

/** Codes that are numbers have lost leading zeros most likely if they have this many digits or one less. */
const FEWEST_DIGITS = 4;

/** Collects the values of mapped properties, such as codes and levels, that are not valid. */
export class Codes {
  private readonly good = new Set<string>();
  private readonly odd = new Map<string, { key: string; value: string; trouble: string; ids: string[] }>();

  /** By column of codes that are numbers: how many values have how many digits; null where a value is not a number. */
  private readonly digits = new Map<string, Map<number, number> | null>();

  /** Notes a value of a column of codes, in which a number has no leading zeros. */
  seeCode(column: string, value: unknown): void {
    const known = this.digits.get(column);
    if (value === null || value === undefined || known === null) return;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      this.digits.set(column, null);
      return;
    }
    const counts = known ?? new Map<number, number>();
    const length = String(value).length;
    this.digits.set(column, counts.set(length, (counts.get(length) ?? 0) + 1));
  }

  /** A notice for each column of numbers of n digits and of one digit less, as numbers of codes such as 01001 are. */
  private zeroNotices(): string[] {
    return [...this.digits].flatMap(([column, counts]) => {
      const lengths = [...(counts ?? [])].sort(([a], [b]) => a - b);
      const [[less, many] = [0, 0], [all] = [0]] = lengths;
      if (lengths.length !== 2 || all !== less + 1 || all < FEWEST_DIGITS) return [];
      return [
        `${column} has numbers of ${less} and of ${all} digits: if its codes have ${all} digits, ${many} of them have lost a ` +
          'leading zero; write them as text in the file then',
      ];
    });
  }

  see(key: string, value: string, trouble: string | null, sourceId: string): void {
    if (trouble === null) {
      this.good.add(key);
      return;
    }
    const name = `${key} ${value}`;
    const known = this.odd.get(name);
    if (known === undefined) this.odd.set(name, { key, value, trouble, ids: [sourceId] });
    else known.ids.push(sourceId);
  }

  /**
   * Checks that the map is right.
   * @throws Error if all values of a key are invalid: then the map is wrong, not a single value
   */
  check(): void {
    for (const { key, value, trouble, ids } of this.odd.values()) {
      if (this.good.has(key) || value === NO_CODE) continue;
      throw new Error(
        `feature ${ids[0]}: "${value}" is not an ${trouble}, nor is any other ${key}: is --map ${key} right?`,
      );
    }
  }

  notices(): string[] {
    const odd = [...this.odd.values()].map(
      ({ key, value, trouble, ids }) => `${key} "${value}" is not an ${trouble}: left out of ${listed(ids)}`,
    );
    return [...odd, ...this.zeroNotices()];
  }
}

/** The first `most` ids as text, and how many more there are: `a, b and 3 more`. */
export function listed(ids: readonly string[], most = 10): string {
  const more = ids.length > most ? ` and ${ids.length - most} more` : '';
  return `${ids.slice(0, most).join(', ')}${more}`;
}
