/** Names of columns as those of data attributes: lowercase letters, digits, _, . and -, each once. */
export function svgNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const clean = name.toLowerCase().replace(/[^a-z0-9_.-]/g, '-');
    let free = clean;
    for (let n = 2; taken.has(free); n++) free = `${clean}_${n}`;
    taken.add(free);
    return free;
  });
}
