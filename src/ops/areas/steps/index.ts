import type { Step } from '../../../domain/areas/algebra.ts';
import type { Region } from '../execution/region.ts';
import { around } from './around.ts';
import { at } from './at.ts';
import { bordered } from './bordered.ts';
import { buffer } from './buffer.ts';
import { capital } from './capital.ts';
import { children } from './children.ts';
import { clip } from './clip.ts';
import { coast } from './coast.ts';
import { compared } from './compared.ts';
import { containing } from './containing.ts';
import { counted } from './counted.ts';
import { difference } from './difference.ts';
import { group } from './group.ts';
import { intersection } from './intersection.ts';
import { measured } from './measured.ts';
import { named } from './named.ts';
import { neighbors } from './neighbors.ts';
import { place } from './place.ts';
import { rank } from './rank.ts';
import { side } from './side.ts';
import type { Execute, StepContext } from './step.ts';
import { touching } from './touching.ts';
import { union } from './union.ts';
import { within } from './within.ts';

/** The function of each kind of step. */
const STEPS: { readonly [Op in Step['op']]: Execute<Op> } = {
  place,
  at,
  group,
  capital,
  union,
  difference,
  intersection,
  children,
  containing,
  neighbors,
  touching,
  around,
  within,
  buffer,
  side,
  clip,
  bordered,
  coast,
  rank,
  counted,
  measured,
  compared,
  named,
};

/** Executes a step whose parts have been executed. @throws could_not_map, which quotes the words of the step */
export const executeStep = (context: StepContext, step: Step): Region | Promise<Region> =>
  (STEPS[step.op] as Execute<Step['op']>)(context, step as never);
