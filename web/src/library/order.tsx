import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count } from '../format.ts';
import { t } from '../language.ts';

/** What a list of files is asked for. */
export interface Asked {
  readonly q: string;
  /** '' for any. */
  readonly tag: string;
  readonly sort: string;
}

export const NEWEST: Asked = { q: '', tag: '', sort: 'newest' };

const ORDERS = [
  ['newest', 'library.newest'],
  ['oldest', 'library.oldest'],
  ['name', 'library.byName'],
  ['largest', 'library.largest'],
] as const;
/** Time without a key after which files are searched, in milliseconds. */
const TYPED_MS = 250;

/** A search over the names of files, their order, and the tag that they have. */
export function Order({
  asked,
  ask,
  tags,
}: {
  asked: Asked;
  ask: (asked: Asked) => void;
  /** All tags of the files, those of most files first. */
  tags: { readonly items: readonly { readonly tag: string; readonly files: number }[]; readonly total: number };
}): JSX.Element {
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
        {t('library.searchFiles')}
        <input type="search" value={text} maxLength={100} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <label>
        {t('word.order')}
        <select value={asked.sort} onChange={(event) => ask({ ...asked, sort: event.currentTarget.value })}>
          {ORDERS.map(([value, label]) => (
            <option key={value} value={value}>
              {t(label)}
            </option>
          ))}
        </select>
      </label>
      {tags.items.length > 0 && (
        <label>
          {t('library.tags')}
          <select value={asked.tag} onChange={(event) => ask({ ...asked, tag: event.currentTarget.value })}>
            <option value="">{t('word.all')}</option>
            {tags.items.map(({ tag, files }) => (
              <option key={tag} value={tag}>
                {tag} ({count(files)})
              </option>
            ))}
          </select>
        </label>
      )}
      {tags.total > tags.items.length && (
        <span class="soft small">{t('word.firstOf', { shown: tags.items.length, total: tags.total })}</span>
      )}
      {asked.tag !== '' && (
        <button type="button" class="quiet" onClick={() => ask({ ...asked, tag: '' })}>
          {t('library.tagged', { tag: asked.tag })} ×<span class="hidden"> {t('library.showAll')}</span>
        </button>
      )}
    </search>
  );
}
