import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What a list of files is asked for. */
export interface Asked {
  readonly q: string;
  /** '' for any. */
  readonly tag: string;
  readonly sort: string;
}

export const NEWEST: Asked = { q: '', tag: '', sort: 'newest' };

const ORDERS = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['name', 'By name'],
  ['largest', 'Largest first'],
] as const;
/** Time without a key after which files are searched, in milliseconds. */
const TYPED_MS = 250;

/** A search over the names of files, their order, and the tag that they have. */
export function Order({ asked, ask }: { asked: Asked; ask: (asked: Asked) => void }): JSX.Element {
  const [text, setText] = useState(asked.q);
  useEffect(() => {
    const q = text.trim();
    if (q === asked.q) return;
    const timer = setTimeout(() => ask({ ...asked, q }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, asked, ask]);
  return (
    <search class="row order">
      <label class="grow">
        Search files
        <input type="search" value={text} maxLength={100} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <label>
        Order
        <select value={asked.sort} onChange={(event) => ask({ ...asked, sort: event.currentTarget.value })}>
          {ORDERS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {asked.tag !== '' && (
        <button type="button" class="quiet" onClick={() => ask({ ...asked, tag: '' })}>
          Tag: {asked.tag} ×<span class="hidden"> Show all</span>
        </button>
      )}
    </search>
  );
}
