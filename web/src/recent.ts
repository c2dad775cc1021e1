/** The places opened last in this browser. Areas of sets are left out: others may use it after their owner. */

/** A place that was opened. */
export interface Recent {
  readonly id: string;
  readonly name: string;
  /** What it lies in, as one line. */
  readonly where: string;
}

const KEY = 'boundary-recent';
const MOST = 8;

const isRecent = (value: unknown): value is Recent => {
  const { id, name, where } = (value ?? {}) as Record<string, unknown>;
  return [id, name, where].every((text) => typeof text === 'string' && text.length <= 300);
};

/** Up to eight places, the last one first. */
export function recentPlaces(): readonly Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MOST) : [];
  } catch {
    // Storage may be disabled, or hold something else.
    return [];
  }
}

/** Puts a place first. */
export function rememberPlace({ id, name, where }: Recent): void {
  if (id.startsWith('set:')) return;
  const others = recentPlaces().filter((one) => one.id !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ id, name, where }, ...others].slice(0, MOST)));
  } catch {
    // Without storage nothing is remembered.
  }
}
