import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Answer, ask, type Failure, type Hit } from './api.ts';
import { countryName, kindName } from './format.ts';
import { language, t } from './language.ts';
import { SIDE, useOutlines } from './small_outline.ts';
import type { Key } from './texts/en.ts';
import { asFailure, Problem } from './ui.tsx';

const WAIT_MS = 140;
const MOST = 8;

/** The results for a query. */
interface SearchResults {
  readonly q: string;
  readonly items: readonly Hit[];
  /** Countries that the query names and of which no subdivisions are stored. */
  readonly missing: readonly Missing[];
}

type Missing = NonNullable<Answer<'search_boundaries'>['not_stored']>[number];

/** Names that start with the query as typed; if there are none, similar names. */
async function find(q: string, signal: AbortSignal): Promise<SearchResults> {
  const query = { q, limit: MOST };
  const search = (more: object) =>
    ask<{ items: Hit[]; not_stored?: Missing[] }>('/boundaries/search', { query: { ...query, ...more }, signal });
  const first = await search({ prefix: true });
  if (first.items.length > 0) return { q, items: first.items, missing: [] };
  const { items, not_stored: missing = [] } = await search({});
  return { q, items, missing };
}

/** The parents of a boundary, nearest first, as one line. */
export function context({ parents, country }: Pick<Hit, 'parents' | 'country'>): string {
  const names = parents.map(({ name }) => name).reverse();
  return names.length > 0 ? names.join(', ') : country ? countryName(country) : '';
}

const MATCH: Partial<Record<Hit['match'], Key>> = {
  alias: 'search.alias',
  around: 'search.around',
  fuzzy: 'search.fuzzy',
};

/** How the service understood the query, if as more than a name. */
function Understood({ found }: { found: SearchResults }): JSX.Element | null {
  const first = found.items[0]?.interpretation;
  if (!first || (!first.within && !first.kind && !first.ignored)) return null;
  const parts = [
    t('search.understood', { name: first.name }),
    ...(first.kind ? [t('search.kind', { kind: kindName(first.kind) })] : []),
    ...(first.within ? [t('search.within', { name: first.within.name })] : []),
    ...(first.ignored ? [t('search.ignored', { words: first.ignored })] : []),
  ];
  return <p class="understood">{parts.join(', ')}</p>;
}

/**
 * A search box with a list of matches, by the ARIA combobox pattern: arrow keys move, Enter selects, Escape closes.
 * `initial` is its first value.
 */
export function Search({
  label,
  initial = '',
  autoFocus = false,
  onPick,
  onQuery,
}: {
  label: string;
  initial?: string;
  autoFocus?: boolean;
  onPick: (hit: Hit) => void;
  onQuery?: (q: string) => void;
}): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [q, setQ] = useState(initial);
  const [found, setFound] = useState<SearchResults | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [open, setOpen] = useState(initial !== '');
  const [active, setActive] = useState(-1);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    const wanted = q.trim();
    onQuery?.(wanted);
    setFailure(null);
    if (wanted === '') {
      setFound(null);
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      find(wanted.slice(0, 200), stop.signal).then(
        (next) => {
          setFound(next);
          setActive(-1);
        },
        (error) => !stop.signal.aborted && setFailure(asFailure(error)),
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [q, tries]);

  useEffect(() => {
    if (initial === '') return;
    setQ(initial);
    setOpen(true);
    input.current?.focus();
  }, [initial]);

  useEffect(() => {
    if (autoFocus && matchMedia('(pointer: fine)').matches) input.current?.focus();
  }, [autoFocus]);

  const items = found?.items ?? [];
  const outlines = useOutlines(open ? items.map(({ id }) => id) : []);
  const pick = (hit: Hit): void => {
    setOpen(false);
    setQ('');
    onPick(hit);
  };
  // The retry button disappears when pressed: move the focus to the search field.
  const retry = (): void => {
    input.current?.focus();
    setTries((n) => n + 1);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && items.length > 0) {
      event.preventDefault();
      setOpen(true);
      setActive((at) => (at < 0 && step < 0 ? items.length - 1 : (at + step + items.length) % items.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const hit = items[Math.max(active, 0)];
      if (hit && found?.q === q.trim()) pick(hit);
    } else if (event.key === 'Escape') {
      if (open && q !== '') setOpen(false);
      else setQ('');
    }
  };
  const expanded = open && q.trim() !== '' && found !== null;
  const waiting = q.trim() !== '' && found?.q !== q.trim().slice(0, 200) && !failure;
  return (
    <search class="search" lang={language()} onFocusOut={(event) => leaves(event) && setOpen(false)}>
      <label class="hidden" for={`${id}-box`}>
        {label}
      </label>
      <input
        ref={input}
        id={`${id}-box`}
        type="text"
        enterkeyhint="search"
        role="combobox"
        placeholder={label}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={200}
        value={q}
        aria-expanded={expanded}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={expanded && active >= 0 ? `${id}-${active}` : undefined}
        aria-busy={waiting}
        onInput={(event) => {
          setQ(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={keys}
      />
      <span class={waiting ? 'busy on' : 'busy'} aria-hidden="true" />
      <p class="hidden" role="status">
        {expanded && !waiting && (items.length > 0 ? t('search.results', { n: items.length }) : t('search.none'))}
      </p>
      <div class="results" hidden={!(expanded || failure)}>
        {found && expanded && <Understood found={found} />}
        <div id={`${id}-list`} role="listbox" aria-label={t('search.boundaries')} hidden={items.length === 0}>
          {items.map((hit, i) => {
            const match = MATCH[hit.match];
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text field's.
              <div
                key={hit.id}
                id={`${id}-${i}`}
                role="option"
                tabIndex={-1}
                aria-selected={i === active}
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setActive(i)}
                onClick={() => pick(hit)}
              >
                <svg class="outline" width={SIDE} height={SIDE} viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
                  <path d={outlines.get(hit.id) ?? ''} />
                </svg>
                <span class="name">
                  {hit.name}
                  {hit.local_name !== hit.name && <span class="soft"> {hit.local_name}</span>}
                </span>
                <span class="kind">
                  {kindName(hit.kind)}
                  {hit.admin_level !== null && `, ${t('search.level', { level: String(hit.admin_level) })}`}
                </span>
                <span class="where">
                  {context(hit)}
                  {match && <i> · {t(match)}</i>}
                </span>
              </div>
            );
          })}
        </div>
        {found?.missing.map(({ country, command }) => (
          <p class="nothing" key={country}>
            {t('search.notStored', { country: countryName(country) })}
            {command && (
              <>
                {' '}
                {t('search.brings')} <code>{command}</code>
              </>
            )}
          </p>
        ))}
        {found && items.length === 0 && <p class="nothing">{t('search.noneFor', { q: found.q })}</p>}
        {failure && <Problem failure={failure} again={retry} />}
      </div>
    </search>
  );
}

/** Whether the focus moves outside the element. */
function leaves(event: FocusEvent): boolean {
  const { currentTarget, relatedTarget } = event;
  return !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget));
}
