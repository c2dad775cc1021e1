/** The value that Natural Earth, and files made from it, write for "no code". */
const NO_CODE = '-99';

/** Collects the values of mapped properties, such as codes and levels, that are not valid. */
export class Codes {
  private readonly good = new Set<string>();
  private readonly odd = new Map<string, { key: string; value: string; trouble: string; ids: string[] }>();

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
    return [...this.odd.values()].map(
      ({ key, value, trouble, ids }) => `${key} "${value}" is not an ${trouble}: left out of ${listed(ids)}`,
    );
  }
}

/** The first `most` ids as text, and how many more there are: `a, b and 3 more`. */
export function listed(ids: readonly string[], most = 10): string {
  const more = ids.length > most ? ` and ${ids.length - most} more` : '';
  return `${ids.slice(0, most).join(', ')}${more}`;
}
