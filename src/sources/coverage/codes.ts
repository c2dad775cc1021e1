/** What Natural Earth, and files made of it, write where there is no code. */
const NO_CODE = '-99';

/** Which values of mapped codes were none. */
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

  /** Throws when a kind has values and none of them is good: then the map is wrong, and not a code. */
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

/** The first `most` of a list, and how many more there are. */
export function listed(ids: readonly string[], most = 10): string {
  const more = ids.length > most ? ` and ${ids.length - most} more` : '';
  return `${ids.slice(0, most).join(', ')}${more}`;
}
