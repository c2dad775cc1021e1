import type { JSX } from 'preact';
import { t } from '../language.ts';
import { href } from '../route.ts';
import { said } from '../ui.tsx';
import type { Selection } from './chosen.ts';

/** The shapes of what is selected, with the names. */
export type Shapes = GeoJSON.FeatureCollection<GeoJSON.Geometry, { readonly id: string; readonly name: string }>;

/** Most selected boundaries that are listed by themselves. */
const MOST_LISTED = 100;

/** What is selected, each with a button that takes it out. */
export function Members({
  selection,
  shapes,
  write,
}: {
  selection: Selection;
  shapes: Shapes | null;
  write: (next: Selection) => void;
}): JSX.Element {
  const { ids, levels } = selection;
  const names = new Map(shapes?.features.map(({ properties: { id, name } }) => [id, name]) ?? []);
  return (
    <details class="fold">
      <summary>{t('select.listOfWhatIs')}</summary>
      <ul class="members">
        {levels.map((one) => (
          <li key={`${one.of}*${one.level}`}>
            <span class="grow">
              {said('select.allOfLevel', { level: one.level, link: <a href={href('/', { id: one.of })}>{one.of}</a> })}
              {one.without.length > 0 && <span class="soft"> {t('select.without', { n: one.without.length })}</span>}
            </span>
            <button
              type="button"
              class="quiet small"
              aria-label={t('word.removeOne', {
                name: t('select.allOfLevel', { level: String(one.level), link: one.of }),
              })}
              onClick={() => write({ ids, levels: levels.filter((each) => each !== one) })}
            >
              ×
            </button>
          </li>
        ))}
        {ids.slice(0, MOST_LISTED).map((id) => (
          <li key={id}>
            <a class="grow" href={href('/', { id })}>
              {names.get(id) ?? id}
            </a>
            <button
              type="button"
              class="quiet small"
              aria-label={t('word.removeOne', { name: names.get(id) ?? id })}
              onClick={() => write({ ids: ids.filter((one) => one !== id), levels })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {ids.length > MOST_LISTED && (
        <p class="soft small">{t('word.firstOf', { shown: MOST_LISTED, total: ids.length })}</p>
      )}
    </details>
  );
}
