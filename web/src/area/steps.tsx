import type { JSX } from 'preact';
import type { Failure } from '../api.ts';
import { kindName } from '../format.ts';
import { t, textOr } from '../language.ts';

import { href } from '../route.ts';
import { Problem, said } from '../ui.tsx';
import {
  type AreaPlan,
  type AreaRequest,
  addressHere,
  addressOf,
  type Candidate,
  replaceSpan,
  stepsOf,
  type TextSpan,
  withPlace,
} from './plan.ts';

/** The label of an operation; those that are within a distance have one. */
const labelOf = (op: string): string => textOr(`step.${op === 'within' ? 'around' : op}`, op);

/** A part of a description that was not understood, with candidates. */
interface Unmapped extends TextSpan {
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

const parentsOf = ({ parents }: Candidate): string => parents.map(({ name }) => name).join(', ');

/** Alternative meanings, each a link to the corrected description. */
function Candidates({ list, to }: { list: readonly Candidate[]; to: (one: Candidate) => string }): JSX.Element {
  return (
    <ul class="places">
      {list.map((one) => (
        <li key={one.id}>
          <a href={to(one)}>
            <span>
              {one.name} <span class="soft">{one.id}</span>
            </span>
            <span class="soft">{[kindName(one.kind), parentsOf(one)].filter(Boolean).join(', ')}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Explains why a description has no area: each part that could not be mapped, with candidates. */
export function Refused({
  asked,
  failure,
  again,
}: {
  asked: AreaRequest;
  failure: Failure;
  again: () => void;
}): JSX.Element {
  const { words, steps } = asked;
  const places = failure.places as readonly Unmapped[];
  if (failure.code !== 'could_not_map' || places.length === 0) return <Problem failure={failure} again={again} />;
  return (
    <section class="problem" role="alert" aria-label={t('area.notUnderstood')}>
      {places.map((place) => (
        <div key={`${place.from} ${place.text}`}>
          <p>{place.reason}</p>
          {!steps && place.candidates.length > 0 && place.from !== null && (
            <>
              <p class="soft small">{t('area.meantIs')}</p>
              <Candidates list={place.candidates} to={({ id }) => addressOf(replaceSpan(words, place, id))} />
            </>
          )}
        </div>
      ))}
      {!steps && failure.rewording !== null && (
        <p>
          {t('area.try')}{' '}
          <a class="chip" href={addressOf(failure.rewording)}>
            {failure.rewording}
          </a>{' '}
          {failure.leftOut.length > 0 && (
            <span class="soft small">{t('area.leftOut', { words: failure.leftOut.join(' … ') })}</span>
          )}
        </p>
      )}
    </section>
  );
}

/** The steps of a plan, each with its alternatives. */
export function Steps({ asked, plan }: { asked: AreaRequest; plan: AreaPlan }): JSX.Element {
  return (
    <ol class="steps">
      {plan.steps.map((step, i) => {
        const { members, place, rivals, because, notes } = step.found;
        return (
          <li key={i}>
            <span class="line">
              <span>
                {step.words
                  ? said('area.stepOf', { step: labelOf(step.op), words: <q>{step.words.text}</q> })
                  : labelOf(step.op)}
                {place && (
                  <>
                    {' '}
                    <a href={href('/', { id: place.id })}>{place.name}</a>
                  </>
                )}
              </span>
              {!place && <span class="soft">{t('word.nBoundaries', { n: members })}</span>}
            </span>
            {because && <p class="soft small"> {t('area.because', { reason: because })} </p>}
            {notes?.map((note) => (
              <p key={note} class="soft small">
                {note}
              </p>
            ))}
            {rivals && rivals.length > 0 && (
              <details>
                <summary class="small">{t('area.chooseAnotherMeaning')}</summary>
                <Candidates
                  list={rivals}
                  to={(one) => addressHere(asked.words, withPlace(stepsOf(asked, plan), i, one))}
                />
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}
