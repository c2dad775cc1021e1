import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, Failure } from './api.ts';
import {
  type AreaPlan,
  type AreaRequest,
  addressHere,
  addressOf,
  inputOf,
  isTooLong,
  MOST_CHARACTERS,
  parseRequest,
  stepsOf,
  withMember,
} from './area/plan.ts';
import { Result } from './area/result.tsx';
import { Refused, Steps } from './area/steps.tsx';
import type { Atlas } from './atlas.ts';
import { Choose, type Chosen, type Point } from './choose.tsx';
import { pageTitle } from './format.ts';
import { t, useLanguage } from './language.ts';
import { currentRoute, go, href, type Route } from './route.ts';
import { useAccount } from './session.ts';
import { Problem, SignIn, Skeleton, useLoad } from './ui.tsx';

const EXAMPLES = ['area.exampleWithout', 'area.exampleCoast', 'area.exampleNeighbors', 'area.exampleNorth'] as const;

type Click = { current: (place: Point) => void };

function Understood({ asked, atlas, click }: { asked: AreaRequest; atlas: Atlas | null; click: Click }): JSX.Element {
  const lang = useLanguage();
  const input = inputOf(asked);
  const key = JSON.stringify(input);
  const [point, setPoint] = useState<Point | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const planned = useLoad(`plan ${lang} ${key}`, (signal) =>
    ask<{ plan: AreaPlan }>('/areas', { method: 'POST', body: { ...input, lang, dry_run: true }, signal }),
  );
  click.current = setPoint;
  if (planned.state === 'loading') return <Skeleton lines={5} />;
  const words = asked.steps && asked.words && (
    <p class="flag">
      {t('area.byHand')} <a href={addressHere(asked.words)}>{t('area.theDescriptionAlone')}</a>
    </p>
  );
  if (planned.state === 'failed') {
    return (
      <>
        {words}
        <Refused asked={asked} failure={planned.failure} again={planned.again} />
        {planned.failure.code === 'could_not_map' && planned.failure.rewording === null && (
          <>
            <p class="soft small">{t('area.canBeWritten')}</p>
            <Examples />
          </>
        )}
      </>
    );
  }
  const { plan } = planned.value;
  const add = (one: Chosen, side: 'include' | 'exclude'): void => {
    const steps = withMember(stepsOf(asked, plan), one, side);
    if (isTooLong(steps)) {
      const message = t('area.withAnotherCorrectionThe');
      setFailure(new Failure(message, { code: 'plan_too_long' }));
      return;
    }
    setPoint(null);
    go(addressHere(asked.words, steps));
  };
  return (
    <>
      {failure && <Problem failure={failure} />}
      {point && <Choose point={point} atlas={atlas} onAdd={add} onClose={() => setPoint(null)} />}
      <section aria-label={t('word.plan')}>
        <h2>{t('area.understoodAs')}</h2>
        <p role="status">{plan.reading}</p>
        {words}
        {plan.planner === 'model' && <p class="flag">{t('area.aModelReadThis')}</p>}
        {plan.choices.map((choice) => (
          <p key={choice} class="flag">
            {choice}.
          </p>
        ))}
        <Steps asked={asked} plan={plan} />
        <p class="soft small">{t('area.clickTheMapTo')}</p>
      </section>
      <Result key={key} asked={asked} plan={plan} atlas={atlas} />
    </>
  );
}

/** Descriptions to begin with. */
const Examples = (): JSX.Element => (
  <p class="row">
    {EXAMPLES.map((example) => (
      <a key={example} class="chip" href={addressOf(t(example))}>
        {t(example)}
      </a>
    ))}
  </p>
);

/** Panel of `/area`: a description in words, how it was understood, and the area on the map. */
export default function AreaPanel({
  route,
  atlas,
  click,
}: {
  route: Route;
  atlas: Atlas | null;
  click: Click;
}): JSX.Element {
  const account = useAccount();
  const asked = parseRequest(route.query);
  const { words, steps } = asked;
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  useEffect(() => {
    document.title = pageTitle(words ? words.slice(0, 60) : t('page.area'));
  }, [words]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== '') go(addressHere(text.trim()));
  };
  // Until there is a description to correct, a click shows the boundaries at the point.
  click.current = ({ lat, lon }) =>
    go(href('/', { at: `${lat},${lon}`, map: currentRoute().query.get('map') ?? undefined }));
  return (
    <div class="scroll">
      <h1>{t('page.area')}</h1>
      <form class="describe" onSubmit={submit}>
        <label class="wide">
          {t('area.descriptionInEnglishSpanish')}
          <textarea
            rows={3}
            maxLength={MOST_CHARACTERS}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey) submit(event);
            }}
          />
        </label>
        <p class="row">
          <button type="submit" disabled={text.trim() === ''}>
            {t('word.show')}
          </button>
        </p>
      </form>
      {words === '' && !steps ? (
        <Examples />
      ) : account === undefined ? (
        <Skeleton />
      ) : account === null ? (
        <SignIn>{t('area.signIn')}</SignIn>
      ) : (
        <Understood asked={asked} atlas={atlas} click={click} />
      )}
    </div>
  );
}
