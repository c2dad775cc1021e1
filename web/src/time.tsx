import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TileBoundary } from './atlas.ts';
import { day, kindName, pageTitle } from './format.ts';
import { t } from './language.ts';
import type { PanelProps } from './panel.ts';
import { currentRoute, go, href } from './route.ts';
import { useAccount } from './session.ts';
import { ChangeList } from './time/changes.tsx';
import { type DatedSource, datedSources, dateIn } from './time/editions.ts';
import { Show, SignIn, said, useLoad } from './ui.tsx';

/** Time in milliseconds for which a date stays before the map shows it. */
const WAIT_MS = 250;

/** The map as of a date, or of two dates with a divider, and what changed between them. */
export default function TimePanel({ route, atlas, click }: PanelProps): JSX.Element {
  const account = useAccount();
  const sources = useLoad('editions', datedSources);
  const asOf = dateIn(route.query, 'as_of');
  const against = dateIn(route.query, 'with');
  const [from, to] = asOf && against ? [asOf, against].sort() : [];
  const [under, setUnder] = useState<readonly TileBoundary[]>([]);
  const set = (change: Readonly<Record<string, string | undefined>>): void => {
    const query = Object.fromEntries(currentRoute().query);
    go(href('/map', { ...query, ...change }));
  };
  useEffect(() => {
    document.title = pageTitle(asOf ? t('time.asOfDay', { day: asOf }) : t('time.throughTime'));
    setUnder([]);
    // A slider passes over dates that no one stays at.
    const timer = setTimeout(() => void atlas?.setDate(asOf), WAIT_MS);
    return () => clearTimeout(timer);
  }, [atlas, asOf]);
  useEffect(() => {
    if (!atlas) return;
    const label = t('time.dividerBetweenTheTwo');
    void atlas.compare(against ?? undefined, label);
    return () => void atlas.compare(undefined, label);
  }, [atlas, against]);
  useEffect(
    () => () => {
      void atlas?.setDate(null);
    },
    [atlas],
  );
  click.current = async ({ lat, lon }) => setUnder((await atlas?.under(lat, lon)) ?? []);
  return (
    <div class="scroll">
      <h1 tabIndex={-1}>{t('time.throughTime')}</h1>
      <p>{t('time.theBordersAsOf')}</p>
      <Show of={sources} lines={5}>
        {(all) =>
          all.length === 0 ? (
            <p class="nothing">
              {said('time.nothing', {
                command: <code>boundary import FILE --valid-from 2015-01-01</code>,
                link: <a href={href('/docs')}>{t('page.docs')}</a>,
              })}
            </p>
          ) : (
            <Dates sources={all} query={route.query} asOf={asOf} against={against} set={set} />
          )
        }
      </Show>
      {under.length > 0 && (
        <section aria-label={t('word.whatIsAtThis')}>
          <h2>{asOf ? t('time.atPointOn', { day: day(asOf) }) : t('word.atThisPoint')}</h2>
          <ul class="places">
            {under.map(({ id, name, kind }) => (
              <li key={id}>
                <a href={href('/', { id: asOf ? `${id}@${asOf}` : id })}>
                  {name} <span class="soft">{kindName(kind)}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {sources.state === 'done' && from && to && from !== to && account && (
        <ChangeList
          key={[from, to, route.query.get('source'), route.query.get('level')].join()}
          from={from}
          to={to}
          source={route.query.get('source') ?? sources.value[0]?.id ?? ''}
          level={route.query.get('level') ?? ''}
          atlas={atlas}
        />
      )}
      {asOf && against && account === null && <SignIn>{t('time.signIn')}</SignIn>}
    </div>
  );
}

/** The choice of the source, the level, and one or two of the dates on which something changes. */
function Dates({
  sources,
  query,
  asOf,
  against,
  set,
}: {
  sources: readonly DatedSource[];
  query: URLSearchParams;
  asOf: string | null;
  against: string | null;
  set: (change: Readonly<Record<string, string | undefined>>) => void;
}): JSX.Element {
  const source = sources.find(({ id }) => id === query.get('source')) ?? sources[0];
  const dates = source?.dates ?? [];
  const at = asOf === null ? dates.length : dates.filter((date) => date <= asOf).length - 1;
  return (
    <>
      <div class="fields">
        {sources.length > 1 && (
          <label class="full">
            {t('word.source')}
            <select
              value={source?.id}
              onChange={(event) => set({ source: event.currentTarget.value, level: undefined })}
            >
              {sources.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="slider full">
          {asOf === null ? t('time.today') : t('time.asOfDay', { day: day(asOf) })}
          <input
            type="range"
            min={0}
            max={dates.length}
            step={1}
            value={Math.max(at, 0)}
            aria-label={t('time.dateOfTheMap')}
            aria-valuetext={asOf === null ? t('time.today') : day(asOf)}
            onInput={(event) => set({ as_of: dates[Number(event.currentTarget.value)] })}
          />
        </label>
        <label>
          {t('download.asOf')}
          <input type="date" value={asOf ?? ''} onChange={(event) => set({ as_of: event.currentTarget.value })} />
        </label>
        <label>
          {t('time.besideIt')}
          <input
            type="date"
            list="dates"
            value={against ?? ''}
            onChange={(event) => set({ with: event.currentTarget.value })}
          />
        </label>
        <label>
          {t('time.changesOfLevel')}
          <select value={query.get('level') ?? ''} onChange={(event) => set({ level: event.currentTarget.value })}>
            <option value="">{t('word.all')}</option>
            {source?.levels.map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset class="groups">
        <legend class="soft small">{t('time.besideItBordersThat')}</legend>
        <div class="row">
          {dates.map((date) => (
            <button
              key={date}
              type="button"
              class="quiet small"
              aria-pressed={against === date}
              onClick={() => set({ with: against === date ? undefined : date, ...(asOf ? {} : { as_of: dates[0] }) })}
            >
              {day(date)}
            </button>
          ))}
        </div>
      </fieldset>
      {asOf && against && (
        <p class="sides small" role="status">
          <span>← {day(asOf)}</span>
          <span>{day(against)} →</span>
        </p>
      )}
      {asOf && at < 0 && <p class="flag">{t('time.noEdition', { source: source?.name ?? '' })}</p>}
    </>
  );
}
