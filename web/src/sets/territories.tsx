import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { area, count, number, percent } from '../format.ts';
import { t } from '../language.ts';
import { Wide } from '../ui.tsx';
import type { Member, Territory } from './area_set.ts';
import { say } from './say.ts';

/** Most characters of the name of a new territory: those of the code of an area. */
const MOST_NAME = 100;
/** Most territories and members of one that are listed. */
const MOST_ROWS = 500;
/** Most choices of all rows together that are in the page before a row is used. */
const MOST_CHOICES = 10_000;

function Color({ color }: { color: string }): JSX.Element {
  return (
    <svg width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" fill={color} />
    </svg>
  );
}

/** The choice of the territory into which a click on the map moves a member, and a field for a new one. */
export function Targets({
  names,
  target,
  onTarget,
  onNew,
}: {
  names: readonly string[];
  target: string;
  onTarget: (name: string) => void;
  onNew: (name: string) => void;
}): JSX.Element {
  return (
    <div class="fields">
      <label class="grow">
        {t('sets.aClickOnThe')}
        <select value={target} onChange={(event) => onTarget(event.currentTarget.value)}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem('territory') as HTMLInputElement;
          const name = field.value.trim();
          if (name === '') return;
          if (names.includes(name)) onTarget(name);
          else onNew(name);
          field.value = '';
        }}
      >
        <label>
          {t('sets.anotherTerritory')}
          <input name="territory" size={10} maxLength={MOST_NAME} autocomplete="off" />
        </label>
        <button type="submit" class="quiet">
          {t('word.add')}
        </button>
      </form>
    </div>
  );
}

const MEASURES = [
  ['population', 'word.population'],
  ['km2', 'word.area'],
  ['members', 'word.members'],
] as const;
type Measure = (typeof MEASURES)[number][0];

const figureOf = (one: Territory, by: Measure): number => (by === 'members' ? (one.members?.length ?? 0) : one[by]);
/** Whether the population of no part of a territory is known. */
const isUnknown = ({ members, unknown }: Territory): boolean => unknown > 0 && unknown === (members?.length ?? 1);

/** A table of the territories: area, population, members, and the share of each of one of them. */
export function Balance({
  territories,
  colorOf,
}: {
  territories: readonly Territory[];
  colorOf: (name: string) => string;
}): JSX.Element {
  const hasMembers = territories.some(({ members }) => members !== null);
  const hasPeople = territories.some(({ population }) => population > 0);
  const [wanted, setBy] = useState<Measure>(hasPeople ? 'population' : 'km2');
  const measures = MEASURES.filter(([by]) => (by === 'members' ? hasMembers : by === 'km2' || hasPeople));
  const by = measures.find(([one]) => one === wanted)?.[0] ?? 'km2';
  const values = territories.map((one) => figureOf(one, by));
  const total = values.reduce((sum, value) => sum + value, 0);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const unknown = territories.reduce((sum, one) => sum + one.unknown, 0);
  const label = t(measures.find(([one]) => one === by)?.[1] ?? 'word.area');
  return (
    <section aria-label={t('sets.balanceBetweenTerritories')}>
      <h2>{t('sets.balance')}</h2>
      <div class="fields">
        <label>
          {t('sets.shareOf')}
          <select value={by} onChange={(event) => setBy(event.currentTarget.value as Measure)}>
            {measures.map(([one, key]) => (
              <option key={one} value={one}>
                {t(key)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Wide label={t('sets.figuresOfTheTerritories')}>
        <table class="table territories">
          <thead>
            <tr>
              <th scope="col">{t('sets.territory')}</th>
              <th scope="col">{t('sets.share')}</th>
              <th scope="col">{t('word.area')}</th>
              {hasPeople && <th scope="col">{t('word.population')}</th>}
              {hasMembers && <th scope="col">{t('word.members')}</th>}
            </tr>
          </thead>
          <tbody>
            {territories.slice(0, MOST_ROWS).map((one) => (
              <tr key={one.name}>
                <th scope="row">
                  <Color color={colorOf(one.name)} /> {one.name}
                </th>
                <td>{total > 0 ? percent(figureOf(one, by) / total) : '–'}</td>
                <td>{area(one.km2)}</td>
                {hasPeople && <td>{isUnknown(one) ? '–' : count(one.population)}</td>}
                {hasMembers && <td>{count(one.members?.length ?? 0)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {territories.length > MOST_ROWS && (
        <p class="soft small">{t('word.firstOf', { shown: MOST_ROWS, total: territories.length })}</p>
      )}
      {territories.length > 1 && total > 0 && (
        <p class="soft small" role="status">
          {least > 0
            ? t('sets.largest', { measure: label, times: number(Math.round((most / least) * 100) / 100) })
            : t('sets.hasNothing', { measure: label })}
        </p>
      )}
      {unknown > 0 && hasPeople && (
        <p class="soft small">{t(hasMembers ? 'sets.unknownMembers' : 'sets.unknownAreas', { n: unknown })}</p>
      )}
    </section>
  );
}

/** All members by name, each with a choice of its territory; it stays where it is in the list when it moves. */
export function MemberList({
  territories,
  names,
  colorOf,
  members,
  moved,
  added,
  onMove,
}: {
  territories: readonly Territory[];
  names: readonly string[];
  colorOf: (name: string) => string;
  members: ReadonlyMap<string, Member>;
  moved: ReadonlyMap<string, string>;
  added: ReadonlyMap<string, string>;
  onMove: (id: string, name: string) => void;
}): JSX.Element {
  const [wanted, setWanted] = useState('');
  const all = territories
    .flatMap(({ name, members: ids }) => (ids ?? []).map((id) => ({ id, name, label: members.get(id)?.name ?? id })))
    .sort((a, b) => a.label.localeCompare(b.label));
  // What was found once stays in the list, so that a member that moves out of what is looked for keeps its row and focus.
  const shown = useMemo(() => new Set<string>(), [wanted]);
  for (const { id, label, name } of all) {
    if (`${label} ${name}`.toLowerCase().includes(wanted.toLowerCase())) shown.add(id);
  }
  const found = all.filter(({ id }) => shown.has(id));
  // Of many territories only the row that is used has all choices.
  const [used, setUsed] = useState('');
  const isShort = Math.min(found.length, MOST_ROWS) * names.length <= MOST_CHOICES;
  return (
    <section aria-label={t('word.members')}>
      <h2>{t('word.members')}</h2>
      <input
        class="filter"
        type="search"
        aria-label={t('sets.findMembersByTheir')}
        placeholder={t('sets.find')}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <ul class="members settle">
        {found.slice(0, MOST_ROWS).map(({ id, name, label }) => (
          <li key={id}>
            <span class="grow">
              <Color color={colorOf(name)} /> {label}
              {moved.has(id) && <span class="soft"> {t('sets.isMoved')}</span>}
              {added.has(id) && <span class="soft"> {say('new')}</span>}
            </span>
            <select
              aria-label={t('sets.territoryOf', { member: label })}
              value={name}
              onPointerDown={() => setUsed(id)}
              onFocus={() => setUsed(id)}
              onChange={({ currentTarget }) => {
                const to = currentTarget.value;
                // It shows what is so, also where the move is refused.
                currentTarget.value = name;
                onMove(id, to);
              }}
            >
              {(isShort || used === id ? names : [name]).map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="nothing">{t('sets.noMemberHasThis')}</p>}
      {found.length > MOST_ROWS && (
        <p class="soft small">{t('word.firstOf', { shown: MOST_ROWS, total: found.length })}</p>
      )}
    </section>
  );
}
