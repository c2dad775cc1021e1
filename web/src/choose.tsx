import type { JSX } from 'preact';
import { type AtPoint, ask, type BoundaryAtPoint } from './api.ts';
import type { Atlas, TileBoundary } from './atlas.ts';
import { kindAtPoint } from './format.ts';
import { t } from './language.ts';
import { useAccount } from './session.ts';
import { Show, useLoad } from './ui.tsx';

/** A clicked point, in degrees. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** A boundary chosen by the visitor. */
export interface Chosen {
  readonly id: string;
  readonly name: string;
}

/** The boundaries at a point, each with buttons to add it or cut it out. */
export function Choose({
  point,
  atlas,
  onAdd,
  onClose,
}: {
  point: Point;
  atlas: Atlas | null;
  onAdd: (one: Chosen, side: 'include' | 'exclude') => void;
  onClose: () => void;
}): JSX.Element {
  const account = useAccount();
  const { lat, lon } = point;
  const found = useLoad<readonly (BoundaryAtPoint | TileBoundary)[]>(`choose ${lat},${lon}`, async (signal) => {
    if (!account) return (await atlas?.under(lat, lon)) ?? [];
    const { items, nearby = [] } = await ask<AtPoint>('/boundaries/reverse', { query: { lat, lon }, signal });
    return [...items, ...nearby];
  });
  return (
    <section class="choose" aria-label={t('word.atThisPoint')}>
      <h2>
        {t('word.atThisPoint')}
        <button type="button" class="quiet small" onClick={onClose}>
          {t('word.close')}
        </button>
      </h2>
      <Show of={found} lines={3}>
        {(items) => (
          <>
            {items.length === 0 && <p class="nothing">{t('word.noBoundaryIsDrawn')}</p>}
            <ul class="members">
              {items.map((one) => (
                <li key={one.id}>
                  <span class="grow">
                    {one.name} <span class="soft">{kindAtPoint(one)}</span>
                  </span>
                  <button type="button" class="quiet small" onClick={() => onAdd(one, 'include')}>
                    {t('word.add')}
                    <span class="hidden"> {one.name}</span>
                  </button>
                  <button type="button" class="quiet small" onClick={() => onAdd(one, 'exclude')}>
                    {t('word.cutOut')}
                    <span class="hidden"> {one.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
    </section>
  );
}
