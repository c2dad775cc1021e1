import type { Direction } from '../../../domain/areas/algebra.ts';
import { beyond, joined, Said, said, term } from '../../../domain/areas/wording/said.ts';
import { beyondLine, beyondOf, halfOf } from '../execution/boxes.ts';
import { middleOf } from '../execution/middle.ts';
import { membersOf, type Region } from '../execution/region.ts';
import type { Execute, StepContext, StepOf } from './step.ts';

/**
 * A half or a quarter of a region, cut at the middle of its bounding box; or what of it lies beyond a place, from the
 * parallel or meridian through the end of that place.
 * @throws could_not_map without an extent, or if nothing lies there
 */
export const clip: Execute<'clip'> = async (context, step) => {
  const { run, i, notes } = context;
  const of = run.regionAt(step.of);
  if (step.at !== undefined) return alongLine(context, step);
  const place = step.from === undefined ? null : run.regionAt(step.from);
  if (place !== null && !isWhole(place))
    throw run.fail(i, said`${run.quote(i)} asks for what lies beyond a cut area; name whole boundaries.`);
  const from = place === null ? null : membersOf(place);
  if (from === null) return half(context, step);
  const boxes = beyondOf(membersOf(of), from, step.direction);
  if (boxes === null) throw run.fail(i, said`${run.quote(i)} has no extent.`);
  if (boxes.length === 0)
    throw run.fail(i, said`${run.quote(i)}: nothing of it lies ${beyond(step.direction, term('that place'))}.`);
  const named = from.length === 1 && from[0] ? from[0].name : said`${from.length} boundaries`;
  notes.push(said`cut along ${lines(step.direction)} through the ${ends(step.direction)} of ${named}`);
  return { op: 'clip', of, boxes };
};

/** A half or a quarter, cut in the middle; says where if only main parts count. @throws could_not_map without an extent */
async function half({ run, i, notes }: StepContext, { of, direction }: StepOf<'clip'>): Promise<Region> {
  const members = membersOf(run.regionAt(of));
  const middle = await middleOf(run, i, members, direction);
  const boxes = middle && halfOf(members, direction, middle);
  if (middle === null || boxes === null) throw run.fail(i, said`${run.quote(i)} has no extent.`);
  notes.push('cut at the middle of the bounding box, along a parallel or a meridian');
  for (const axis of middle.main)
    run.choices.push(
      said`${run.quote(i)} is cut at ${degrees((axis === 'north' ? middle.y : middle.x) / 1e7, axis)}, the middle of its main part; parts apart from it do not move it`,
    );
  return { op: 'clip', of: run.regionAt(of), boxes };
}

/**
 * What of a region lies on one side of a parallel or a meridian.
 * @throws could_not_map if the line does not cross it, or may be in either hemisphere
 */
function alongLine({ run, i, notes }: StepContext, { of, at = 0, signed, direction }: StepOf<'clip'>): Region {
  const members = membersOf(run.regionAt(of));
  const axis = /^(?:north|south)$/.test(direction) ? 'north' : 'east';
  const lines = signed === false ? [at, -at] : [at];
  const crossing = lines.filter((line) => {
    const here = beyondLine(members, direction, line);
    return here.length > 0 && beyondLine(members, OPPOSITE[direction] ?? direction, line).length > 0;
  });
  const [line, ...others] = crossing;
  if (line === undefined)
    throw run.fail(
      i,
      said`${run.quote(i)}: ${joined(
        lines.map((one) => degrees(one, axis)),
        term(' and '),
      )} does not cross it.`,
    );
  if (others.length > 0)
    throw run.fail(
      i,
      said`${run.quote(i)}: ${degrees(at, axis)} and ${degrees(-at, axis)} cross it; say which is meant.`,
    );
  notes.push(said`cut at ${degrees(line, axis)}`);
  return { op: 'clip', of: run.regionAt(of), boxes: beyondLine(members, direction, line) };
}
const OPPOSITE: Partial<Record<Direction, Direction>> = { north: 'south', south: 'north', east: 'west', west: 'east' };

/** Whether a region is made of whole boundaries. */
const isWhole = (region: Region): boolean => region.op === 'set' || (region.op === 'union' && region.of.every(isWhole));

/** A latitude or longitude, to a tenth of a degree: "35.7° north". */
function degrees(value: number, axis: 'north' | 'east'): Said {
  const turned = value > 180 ? value - 360 : value;
  const side = turned >= 0 ? axis : axis === 'north' ? 'south' : 'west';
  return new Said(['', `° ${side}`], [Math.abs(Math.round(10 * turned) / 10)]);
}

const parallel = (direction: Direction): string => (/^(?:north|south)/.exec(direction) ?? [''])[0];
const meridian = (direction: Direction): string => (/(?:east|west)$/.exec(direction) ?? [''])[0];

function lines(direction: Direction): Said {
  const both = [parallel(direction) && 'the parallel', meridian(direction) && 'the meridian'];
  return term(both.filter((line) => line !== '').join(' and '));
}

function ends(direction: Direction): Said {
  const both = [parallel(direction), meridian(direction)].filter((end) => end !== '').map((end) => `${end}ern`);
  const named = `${both.join(' and ')} end${both.length > 1 ? 's' : ''}`;
  return term(named);
}
