import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Failure } from '../api.ts';
import { size } from '../format.ts';
import { ground } from '../ground.tsx';
import { t, textOr } from '../language.ts';
import { href } from '../route.ts';
import { useAccount } from '../session.ts';
import { asFailure, Problem, SignIn, useLoad } from '../ui.tsx';
import { Code } from './code.tsx';
import { DETAILS, type Detail, FORMATS, isSingle } from './formats.ts';
import { featuresOf, isThere, make, saveMade } from './made.ts';
import { describe, leftOutText, makeOrQueue, useMeasure } from './measure.ts';
import {
  type Choice,
  callOf,
  type FileCall,
  fileKey,
  fileName,
  hasLand,
  type Offer,
  savingOf,
  takesFormat,
} from './offer.ts';

/** Most boundaries that are measured before anyone asks for it. */
const MOST_MEASURED = 400;
/** Time after which the seconds are shown, in milliseconds. */
const SLOW_MS = 1000;

type Work =
  | { readonly state: 'idle' }
  | { readonly state: 'working'; readonly since: number; readonly stop: AbortController }
  | { readonly state: 'done'; readonly text: string; readonly library: boolean }
  | { readonly state: 'failed'; readonly failure: Failure; readonly keeps: boolean };

/** The choices of a download, with the size and the shapes of the file before it is downloaded. */
export default function Form({
  offers,
  onShape = () => undefined,
}: {
  offers: readonly Offer[];
  onShape?: (shapes: GeoJSON.FeatureCollection | null) => void;
}): JSX.Element | null {
  const account = useAccount();
  const member = Boolean(account);
  const [key, setKey] = useState(offers[0]?.key);
  const [wanted, setChoice] = useState<Choice>({
    ...{ format: 'geojson', detail: 'medium', area: ground(), asOf: '', names: '', each: false },
  });
  const [work, setWork] = useState<Work>({ state: 'idle' });
  const offer = offers.find((one) => one.key === key) ?? offers[0];
  const usage = useLoad(member ? 'usage' : null, (signal) => ask<{ limit: number | null }>('/usage', { signal }));
  const unlimited = usage.state === 'done' && usage.value.limit === null;
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const choice: Choice = {
    ...wanted,
    ...(member ? {} : { detail: 'low' as const }),
    format: offer && takesFormat(offer, wanted.format, member) ? wanted.format : 'geojson',
    area: offer && hasLand(offer) ? wanted.area : 'all',
  };
  const set = (change: Partial<Choice>): void => {
    setChoice({ ...wanted, ...change });
    if (work.state !== 'working') setWork({ state: 'idle' });
  };
  const name = offer ? fileName(offer, choice) : '';
  const call = async (one: Offer, of: Choice = choice): Promise<FileCall> => callOf(one, await one.input(), of, member);
  const isFree = unlimited || (choice.detail === 'low' && (!member || offer?.op === 'export_collection'));
  const asked = offer ? fileKey(offer, choice) : '';
  const measure = useMeasure({
    key: asked,
    can: isFree && offer !== undefined && (offer.count ?? Infinity) <= (member ? MOST_MEASURED : 100),
    work: async (signal) => {
      if (!offer) throw new Error();
      const made = await make(await call(offer), signal);
      const plain: Choice = { ...choice, format: 'geojson', each: false, names: '' };
      const drawn = choice.format === 'geojson' && !choice.each ? made : await make(await call(offer, plain), signal);
      const shapes = await featuresOf(drawn, signal);
      return { made, shapes };
    },
    onShape,
  });

  if (!offer) return null;
  const run = async (keeps: boolean): Promise<void> => {
    if (work.state === 'working') return;
    const stop = new AbortController();
    running.current = stop;
    setWork({ state: 'working', since: performance.now(), stop });
    try {
      const saving = keeps ? savingOf(await call(offer)) : null;
      if (saving) {
        await ask(saving.path, { method: 'POST', body: saving.body, signal: stop.signal });
        const text = saving.path === '/files' ? t('download.saved') : t('download.job');
        return setWork({ state: 'done', text, library: true });
      }
      const known = measure.value?.made;
      const made = known && (await isThere(known)) ? known : await makeOrQueue(await call(offer), member, stop.signal);
      if (made === 'job') {
        setWork({
          state: 'done',
          text: t('download.slow'),
          library: true,
        });
      } else {
        saveMade(made, name);
        setWork({ state: 'done', text: `${name}, ${size(made.bytes)}.${leftOutText(made)}`, library: false });
      }
    } catch (error) {
      if (stop.signal.aborted) setWork({ state: 'idle' });
      else setWork({ state: 'failed', failure: asFailure(error), keeps });
    }
  };
  const units = member && !isFree ? ` (${t('download.units', { n: offer.units })})` : '';
  const saves = member && savingOf(callOf(offer, {}, choice, member)) !== null;
  return (
    <div class="download">
      <div class="fields">
        {offers.length > 1 && (
          <label class="full">
            {t('download.what')}
            <select value={offer.key} onChange={(event) => setKey(event.currentTarget.value)}>
              {offers.map((one) => (
                <option key={one.key} value={one.key}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {t('download.format')}
          <select value={choice.format} onChange={(event) => set({ format: event.currentTarget.value })}>
            {Object.entries(FORMATS)
              .filter(([format]) => takesFormat(offer, format, member))
              .map(([format, { label }]) => (
                <option key={format} value={format}>
                  {textOr(`format.${format}`, label)}
                </option>
              ))}
          </select>
        </label>
        {member && <DetailSlider detail={choice.detail} set={(detail) => set({ detail })} />}
        {hasLand(offer) && (
          <label>
            {t('download.area')}
            <select
              value={choice.area}
              onChange={(event) => set({ area: event.currentTarget.value as Choice['area'] })}
            >
              <option value="all">{t('download.all')}</option>
              <option value="land">{t('download.land')}</option>
              <option value="water">{t('download.water')}</option>
            </select>
          </label>
        )}
        <label>
          {t('download.asOf')}
          <input type="date" value={choice.asOf} onInput={(event) => set({ asOf: event.currentTarget.value })} />
        </label>
        {(offer.op === 'export_collection' || offer.op === 'export_boundary') && (
          <label>
            {t('download.names')}
            <input
              size={8}
              maxLength={80}
              placeholder="en,fr"
              value={choice.names}
              onInput={(event) => set({ names: event.currentTarget.value.replace(/\s/g, '') })}
            />
          </label>
        )}
        {(offer.op === 'export_collection' || offer.op === 'dissolve') && isSingle(choice.format) && (
          <label class="checked">
            <input
              type="checkbox"
              checked={choice.each}
              onChange={(event) => set({ each: event.currentTarget.checked })}
            />{' '}
            {t('download.each')}
          </label>
        )}
      </div>
      <p class="small measure" role="status">
        {measure.state === 'working' && t('download.measuring')}
        {measure.value && describe(measure.value)}
        {measure.state === 'idle' && !measure.value && units !== '' && t('download.later')}
      </p>
      {measure.failure && <Problem failure={measure.failure} />}
      {measure.failure?.code === 'no_geometry' && choice.area !== 'all' && <p>{t('download.takeAll')}</p>}
      <div class="row">
        <button type="button" onClick={() => run(false)} aria-disabled={work.state === 'working'}>
          {work.state === 'working' ? t('download.working') : `${t('download.title')}${units}`}
        </button>
        {saves && (
          <button type="button" class="quiet" onClick={() => run(true)} aria-disabled={work.state === 'working'}>
            {t('download.save')}
          </button>
        )}
        {member && !saves && choice.asOf !== '' && <span class="soft small">{t('download.notAsOf')}</span>}
        {work.state === 'working' && <Waiting since={work.since} stop={work.stop} />}
      </div>
      <div role="status">
        {work.state === 'done' && (
          <p>
            {work.text} {work.library && <a href={href('/library')}>{t('download.open')}</a>}
          </p>
        )}
      </div>
      {work.state === 'failed' && <Problem failure={work.failure} again={() => run(work.keeps)} />}
      {account === null && <SignIn>{t('download.forDetail')}</SignIn>}
      <Code of={asked} call={() => call(offer)} name={name} member={member} />
    </div>
  );
}

function DetailSlider({ detail, set }: { detail: Detail; set: (detail: Detail) => void }): JSX.Element {
  return (
    <label class="slider">
      {t('download.detail')}: {t(`download.${detail}`)}
      <input
        type="range"
        min={0}
        max={DETAILS.length - 1}
        step={1}
        value={DETAILS.indexOf(detail)}
        aria-label={t('download.detail')}
        aria-valuetext={t(`download.${detail}`)}
        onInput={(event) => set(DETAILS[Number(event.currentTarget.value)] ?? 'medium')}
      />
    </label>
  );
}

/** The seconds since a start, and a button that stops the work. */
function Waiting({ since, stop }: { since: number; stop: AbortController }): JSX.Element | null {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  if (now - since < SLOW_MS) return null;
  return (
    <>
      <span class="soft">{t('download.seconds', { n: Math.round((now - since) / 1000) })}</span>
      <button type="button" class="quiet small" onClick={() => stop.abort()}>
        {t('download.stop')}
      </button>
    </>
  );
}
