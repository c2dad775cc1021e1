import type { JSX } from 'preact';
import { SCHEMES } from '../../../workers/maps/schemes.ts';
import { number } from '../format.ts';
import type { Class, Legend } from './classed.ts';
import type { Figures } from './state.ts';

const METHODS: Readonly<Record<string, string>> = {
  quantile: 'As many areas in each',
  equal: 'As wide as each other',
  natural: 'Natural breaks',
  given: 'Bounds of my own',
};
const SCHEME_NAMES: Readonly<Record<string, string>> = {
  ...{ blues: 'Blues', greens: 'Greens', oranges: 'Oranges', purples: 'Purples' },
  ...{ ylgnbu: 'Yellow to blue', ylorrd: 'Yellow to red', viridis: 'Viridis', cividis: 'Cividis' },
  ...{ brbg: 'Brown, green', prgn: 'Purple, green', puor: 'Orange, purple' },
  ...{ rdbu: 'Red, blue', rdylbu: 'Red, yellow, blue' },
};

/** The fields that say how a map of figures is drawn. */
export function StyleForm({
  figures,
  columns,
  set,
}: {
  figures: Figures;
  columns: readonly string[];
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
        Figures
        <select value={figures.value} onChange={(event) => set({ value: event.currentTarget.value })}>
          {columns.map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
        </select>
      </label>
      <label>
        Classes
        <select
          value={method}
          onChange={(event) => {
            const to = event.currentTarget.value;
            set({ classes: to === 'given' ? 'given:0' : `${to}:${/^[2-9]$/.test(rest) ? rest : 5}` });
          }}
        >
          {Object.entries(METHODS).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {method === 'given' ? (
        <label>
          Bounds
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
          Number
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
        Colors
        <select
          value={figures.colors}
          onChange={(event) => set({ colors: SCHEMES.find((one) => one === event.currentTarget.value) })}
        >
          {SCHEMES.map((scheme) => (
            <option key={scheme} value={scheme}>
              {SCHEME_NAMES[scheme] ?? scheme}
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
        In the other order
      </label>
      <label>
        Labels of the picture
        <select
          value={figures.labels}
          onChange={(event) => set({ labels: event.currentTarget.value as Figures['labels'] })}
        >
          <option value="names">names</option>
          <option value="values">figures</option>
          <option value="none">none</option>
        </select>
      </label>
      {text('title', 'Title', 200)}
      {text('unit', 'What the figures are', 200)}
      {text('source', 'Their source', 300)}
    </div>
  );
}

/** A class in words. */
export const classText = ({ from, to }: Class): string =>
  from === null && to === null
    ? 'All'
    : from === null
      ? `under ${number(to ?? 0)}`
      : to === null
        ? `${number(from)} or more`
        : `${number(from)} to ${number(to)}`;

/** The classes with their colors and the number of areas in each. */
export function LegendList({ legend, none }: { legend: Legend; none: number }): JSX.Element {
  return (
    <ul class="legend classes" aria-label="Legend">
      {legend.classes.map((one) => (
        <li key={one.color}>
          <span class="swatch" style={{ background: one.color }} aria-hidden="true" />
          {classText(one)} <span class="soft">{one.count}</span>
        </li>
      ))}
      {none > 0 && (
        <li>
          <span class="swatch none" aria-hidden="true" />
          no figure <span class="soft">{none}</span>
        </li>
      )}
    </ul>
  );
}
