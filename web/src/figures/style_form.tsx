import type { JSX } from 'preact';
import { SCHEMES } from '../../../workers/maps/schemes.ts';
import { openSign } from '../../../workers/notation.ts';
import { number } from '../format.ts';
import { t } from '../language.ts';
import type { Class, Legend } from './classed.ts';
import type { Figures } from './state.ts';

const METHODS = ['quantile', 'equal', 'natural', 'given'] as const;

/** Chooses whether a number such as `338.211` has thousands or decimals. */
function Thousands({
  cell,
  decimal,
  set,
}: {
  cell: string;
  decimal: '.' | ',';
  set: (change: Partial<Figures>) => void;
}): JSX.Element {
  const sign = openSign(cell) ?? '.';
  return (
    <label>
      {t('figures.cellIs', { cell })}
      <select
        value={decimal === sign ? 'decimals' : 'thousands'}
        onChange={(event) =>
          set({ decimal: (event.currentTarget.value === 'decimals') === (sign === '.') ? '.' : ',' })
        }
      >
        <option value="decimals">{t('figures.withDecimals')}</option>
        <option value="thousands">{t('figures.withThousands')}</option>
      </select>
    </label>
  );
}

/** The fields that say how a map of figures is drawn. */
export function StyleForm({
  figures,
  columns,
  doubt,
  set,
}: {
  figures: Figures;
  columns: readonly string[];
  /** A cell that may have thousands or decimals. */
  doubt: string | null;
  set: (change: Partial<Figures>) => void;
}): JSX.Element {
  const [method = '', rest = ''] = figures.classes.split(':');
  const text = (name: 'title' | 'unit' | 'source', label: string, most: number): JSX.Element => (
    <label class="full">
      {label}
      <input maxLength={most} value={figures[name]} onInput={(event) => set({ [name]: event.currentTarget.value })} />
    </label>
  );
  return (
    <div class="fields">
      <label>
        {t('figures.figures')}
        <select value={figures.value} onChange={(event) => set({ value: event.currentTarget.value })}>
          {columns.map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
        </select>
      </label>
      {doubt !== null && <Thousands cell={doubt} decimal={figures.decimal || '.'} set={set} />}
      <label>
        {t('figures.classes')}
        <select
          value={method}
          onChange={(event) => {
            const to = event.currentTarget.value;
            set({ classes: to === 'given' ? 'given:0' : `${to}:${/^[2-9]$/.test(rest) ? rest : 5}` });
          }}
        >
          {METHODS.map((name) => (
            <option key={name} value={name}>
              {t(`classes.${name}`)}
            </option>
          ))}
        </select>
      </label>
      {method === 'given' ? (
        <label>
          {t('figures.bounds')}
          <input
            size={12}
            maxLength={300}
            value={rest}
            placeholder="10,20,50"
            onInput={(event) => set({ classes: `given:${event.currentTarget.value.replace(/\s/g, '')}` })}
          />
        </label>
      ) : (
        <label>
          {t('figures.number')}
          <select value={rest} onChange={(event) => set({ classes: `${method}:${event.currentTarget.value}` })}>
            {[2, 3, 4, 5, 6, 7, 8, 9].map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {t('figures.colors')}
        <select
          value={figures.colors}
          onChange={(event) => set({ colors: SCHEMES.find((one) => one === event.currentTarget.value) })}
        >
          {SCHEMES.map((scheme) => (
            <option key={scheme} value={scheme}>
              {t(`scheme.${scheme}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="checked">
        <input
          type="checkbox"
          checked={figures.reverse}
          onChange={(event) => set({ reverse: event.currentTarget.checked })}
        />{' '}
        {t('figures.otherOrder')}
      </label>
      <label>
        {t('figures.labelsOfThePicture')}
        <select
          value={figures.labels}
          onChange={(event) => set({ labels: event.currentTarget.value as Figures['labels'] })}
        >
          <option value="names">{t('figures.names')}</option>
          <option value="values">{t('figures.values')}</option>
          <option value="none">{t('figures.noLabels')}</option>
        </select>
      </label>
      {text('title', t('word.title'), 200)}
      {text('unit', t('figures.whatTheFiguresAre'), 200)}
      {text('source', t('figures.theirSource'), 300)}
    </div>
  );
}

/** A class in words. */
export const classText = ({ from, to }: Class): string =>
  from === null && to === null
    ? t('figures.all')
    : from === null
      ? t('figures.under', { to: number(to ?? 0) })
      : to === null
        ? t('figures.orMore', { from: number(from) })
        : t('figures.fromTo', { from: number(from), to: number(to) });

/** The classes with their colors and the number of areas in each. */
export function LegendList({ legend, none }: { legend: Legend; none: number }): JSX.Element {
  return (
    <ul class="legend classes" aria-label={t('figures.legend')}>
      {legend.classes.map((one) => (
        <li key={one.color}>
          <span class="swatch" style={{ background: one.color }} aria-hidden="true" />
          {classText(one)} <span class="soft">{one.count}</span>
        </li>
      ))}
      {none > 0 && (
        <li>
          <span class="swatch none" aria-hidden="true" />
          {t('figures.none')} <span class="soft">{none}</span>
        </li>
      )}
    </ul>
  );
}
