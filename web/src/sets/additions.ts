import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLoad } from '../ui.tsx';
import type { Opened } from './area_set.ts';
import { type MemberShape, shapesOf, sortOut } from './overlaps.ts';
import { say } from './say.ts';

/** A boundary that cannot be added, and the sentence that says why. */
interface Refused {
  readonly name: string;
  readonly why: string;
}

const isRefused = (one: MemberShape | Refused | undefined): one is Refused => one !== undefined && 'why' in one;
const isShape = (one: MemberShape | Refused | undefined): one is MemberShape => one !== undefined && !isRefused(one);

/** Looks up the boundaries that an address adds. @throws like ask() */
async function readAdded(
  ids: readonly string[],
  members: readonly MemberShape[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, MemberShape | Refused>> {
  const found = await shapesOf(ids, signal);
  const { free, taken } = await sortOut([...found.values()], members);
  const isFree = new Set(free);
  const result = (id: string): MemberShape | Refused => {
    const shape = found.get(id);
    if (!shape) return { name: id, why: say('noShape', { members: id }) };
    if (isFree.has(shape)) return shape;
    const { name } = shape.properties;
    const other = taken.get(id)?.properties.name ?? '';
    return { name, why: say('overlapsMember', { member: name, other }) };
  };
  return new Map(ids.map((id) => [id, result(id)]));
}

/** The shapes of new members: those that were looked up to add them, and those that the address has. */
export function useAdditions(added: ReadonlyMap<string, string>, members: readonly MemberShape[]) {
  const [known, setKnown] = useState<ReadonlyMap<string, MemberShape | Refused>>(new Map());
  const missing = [...added.keys()].filter((id) => !known.has(id));
  const loaded = useLoad(missing.length > 0 ? `added ${missing}` : null, (signal) =>
    readAdded(missing, members, signal),
  );
  const learn = (more: Iterable<readonly [string, MemberShape | Refused]>): void =>
    setKnown((before) => new Map([...before, ...more]));
  useEffect(() => {
    if (loaded.state === 'done') learn(loaded.value);
  }, [loaded.state]);
  const all = [...added.keys()].map((id) => known.get(id));
  const shapes = useMemo(() => all.filter(isShape), [known, [...added.keys()].join()]);
  return {
    shapes,
    /** Why some of them cannot be added. */
    problems: all.filter(isRefused).map(({ why }) => why),
    nameOf: (id: string): string => {
      const one = known.get(id);
      return one === undefined ? id : isRefused(one) ? one.name : one.properties.name;
    },
    isKnown: missing.length === 0,
    failed: loaded.state === 'failed' ? loaded : null,
    keep: (found: readonly MemberShape[]): void => learn(found.map((one) => [one.properties.id, one] as const)),
  };
}

/** A version as if its new members were among the others. */
export function withAdded(opened: Opened, added: readonly MemberShape[]): Opened {
  if (opened.members === null || opened.shapes === null || added.length === 0) return opened;
  const features = [...opened.shapes.features, ...added];
  const members = new Map(features.map(({ properties }) => [properties.id, properties]));
  return { ...opened, members, shapes: { ...opened.shapes, features } };
}
