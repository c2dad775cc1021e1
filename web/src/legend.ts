import { useEffect, useState } from 'preact/hooks';

/** What the colors of the map mean, for a picture or a print of it. */
export interface MapLegend {
  readonly title: string;
  readonly entries: readonly LegendEntry[];
}

export interface LegendEntry {
  /** As CSS has it; null: hatched. */
  readonly color: string | null;
  readonly label: string;
}

/** What each component says, in the order in which they began to. */
const parts = new Map<object, MapLegend>();
const listeners = new Set<() => void>();

function whole(): MapLegend {
  const all = [...parts.values()];
  return {
    title: all.findLast(({ title }) => title !== '')?.title ?? '',
    entries: all.flatMap(({ entries }) => entries),
  };
}

/** Says what is on the map while the component is there. */
export function useMapLegend(title: string, entries: readonly LegendEntry[]): void {
  const [owner] = useState(() => ({}));
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const key = JSON.stringify([title, entries]);
  useEffect(() => {
    parts.set(owner, { title, entries });
    tell();
  }, [key]);
  useEffect(
    () => () => {
      parts.delete(owner);
      tell();
    },
    [],
  );
}

/** What is on the map. */
export function useShownLegend(): MapLegend {
  const [legend, show] = useState(whole);
  useEffect(() => {
    const listener = (): void => show(whole());
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return legend;
}
