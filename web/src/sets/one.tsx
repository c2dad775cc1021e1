import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import type { Failure } from '../api.ts';
import { day, pageTitle } from '../format.ts';
import { t } from '../language.ts';
import type { PanelProps } from '../panel.ts';
import { href } from '../route.ts';
import { UndoRedo } from '../select/undo.tsx';
import { dateIn } from '../time/editions.ts';
import { asFailure, Problem, Show, said, useLoad } from '../ui.tsx';
import { groupsText } from '../union/address.ts';
import { colorsOf, csvOf } from '../union/groups.ts';
import { NewMembers, useAddMembers } from './add_members.tsx';
import { useAdditions, withAdded } from './additions.ts';
import { type Opened, openSet, ownersOf, type Territory, territoriesOf } from './area_set.ts';
import { Editor } from './editor.tsx';
import { type Moves, NONE, readMoves, sizeOf } from './moves.ts';
import { usualLevel } from './overlaps.ts';
import { Save } from './save.tsx';
import { say as sayOfNew } from './say.ts';
import { Sharing } from './sharing.tsx';
import { useShown } from './shown.ts';
import { TakeSet } from './take.tsx';
import { Balance, MemberList, Targets } from './territories.tsx';
import { writeMoves } from './write_moves.ts';

/** Most reasons that are listed. */
const MOST_PROBLEMS = 5;

/** One set on the map with the figures of its areas; its members move between them. */
export function OneSet({ name, ...props }: PanelProps & { name: string }): JSX.Element {
  const [round, setRound] = useState(0);
  const [saved, setSaved] = useState('');
  const note = useRef<HTMLParagraphElement>(null);
  const on = dateIn(props.route.query, 'as_of') ?? undefined;
  const opened = useLoad(`set ${name} ${on} ${round}`, (signal) => openSet(name, on, signal));
  useEffect(() => {
    document.title = pageTitle(name);
  }, [name]);
  useEffect(() => {
    // The form that was saved is replaced by that of the new version.
    if (saved !== '' && opened.state === 'done' && document.activeElement === document.body) note.current?.focus();
  }, [saved, opened.state]);
  const again = (said = ''): void => {
    setSaved(said);
    setRound((n) => n + 1);
  };
  return (
    <div class="scroll">
      <p class="crumbs">
        <a href={href('/sets')}>{t('page.sets')}</a>
      </p>
      <p ref={note} role="status" tabIndex={-1} class={saved === '' ? 'hidden' : 'flag'}>
        {saved}
      </p>
      {opened.state === 'failed' && <h1>{t('page.sets')}</h1>}
      <Show of={opened} lines={8}>
        {(value) => (
          <OneVersion key={`${value.newest} ${value.version.valid_from}`} opened={value} again={again} {...props} />
        )}
      </Show>
    </div>
  );
}

function OneVersion({
  opened,
  again,
  route,
  atlas,
  click,
}: PanelProps & { opened: Opened; again: (said?: string) => void }): JSX.Element {
  const { set, version, areas, newest, why } = opened;
  const moves = useMemo(() => readMoves(route.fragment), [route.fragment]);
  const owners = useMemo(() => ownersOf(areas), [areas]);
  const [made, setMade] = useState<readonly string[]>([]);
  const [target, setTarget] = useState(areas[0]?.name ?? '');
  const [status, say] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const saving = useAction(() => undefined);
  const canMove = opened.members !== null && set.access !== 'read';
  /** Those of the address that are moves in this version. */
  const to = useMemo(
    () => new Map([...moves.to].filter(([id, name]) => owners.has(id) && owners.get(id) !== name)),
    [moves, owners],
  );
  /** Those of the address that are not members of this version. */
  const added = useMemo(
    () => new Map([...moves.added].filter(([id]) => canMove && !owners.has(id))),
    [moves, owners, canMove],
  );
  const changes = { to, added };
  const latest = useRef(changes);
  latest.current = changes;
  const changed = sizeOf(changes);
  const isStale = canMove && sizeOf(moves) > 0 && moves.base !== newest;
  const additions = useAdditions(added, opened.shapes?.features ?? []);
  const grown = useMemo(() => withAdded(opened, additions.shapes), [opened, additions.shapes]);
  const { members } = grown;
  const territories = territoriesOf(grown, canMove ? to : new Map(), made, added);
  const names = territories.map((one) => one.name);
  const colorOf = colorsOf(names);
  /** Whether nothing can be moved now, which it says. */
  const mustWait = (): boolean => {
    if (saving.busy) say(t('sets.wait'));
    return saving.busy;
  };
  /** Goes to the address with these moves, and says what they do. */
  const write = (next: Moves, text?: string): void => {
    setFailure(null);
    if (mustWait()) return;
    try {
      writeMoves(next);
      if (text !== undefined) say(text);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const move = (id: string, name: string): void => {
    const before = added.get(id) ?? to.get(id) ?? owners.get(id);
    const label = members?.get(id)?.name ?? id;
    if (before === undefined || isStale) return;
    if (mustWait()) return;
    if (before === name) {
      say(t('sets.alreadyIn', { member: label, name }));
      return;
    }
    const isNew = added.has(id);
    const next = new Map(isNew ? added : to);
    if (owners.get(id) === name) next.delete(id);
    else next.set(id, name);
    const text = t('sets.movedFrom', { member: label, before, name });
    write({ base: newest, ...changes, ...(isNew ? { added: next } : { to: next }) }, text);
  };
  const placed = useMemo(() => new Map([...to, ...added]), [to, added]);
  useShown(grown, placed, names, atlas);
  const territoryOf = (id: string): string | undefined => placed.get(id) ?? owners.get(id);
  const adding = useAddMembers(
    {
      ...{ members: grown.shapes?.features ?? [], territoryOf, target, atlas, onSay: say, mustWait },
      onAdd: (found, text) => {
        additions.keep(found);
        const more = found.map((one) => [one.properties.id, target] as const);
        // What was moved or undone while they were looked up stays so.
        const { to: moved, added: before } = latest.current;
        write({ base: newest, to: moved, added: new Map([...before, ...more]) }, text);
      },
    },
    usualLevel(opened.shapes?.features ?? []),
  );
  click.current = async ({ lat, lon }) => {
    const under = ((await atlas?.under(lat, lon)) ?? []).map(({ id }) => id);
    const id = under.findLast((one) => territoryOf(one) !== undefined);
    if (!canMove || members === null) return say('');
    if (isStale) return say(t('sets.decideFirstWhatHappens'));
    if (id !== undefined) return move(id, target);
    if (!adding.click({ lat, lon })) say(t('sets.noMemberOfA'));
  };
  const later = set.versions.filter(({ recorded_at }) => recorded_at > moves.base).length;
  return (
    <>
      <h1 tabIndex={-1}>{set.title}</h1>
      <p class="soft">{t('sets.areasFrom', { n: areas.length, day: day(version.valid_from) })}</p>
      {isStale && (
        <div class="flag" role="alert">
          <p>
            {t('sets.someoneSaved', { n: later })} {t('sets.canMoveAgain', { n: sizeOf(moves) })}
            {changed < sizeOf(moves) && ` ${t('sets.notPossible', { n: sizeOf(moves) - changed })}`}
          </p>
          <p class="row">
            <button type="button" onClick={() => write({ base: newest, ...changes })}>
              {t('sets.makeMyMovesIn')}
            </button>
            <button type="button" class="quiet" onClick={() => write(NONE)}>
              {t('sets.discardMyMoves')}
            </button>
          </p>
        </div>
      )}
      {canMove && (
        <>
          <Targets
            names={names}
            target={target}
            onTarget={setTarget}
            onNew={(name) => {
              if (mustWait()) return;
              setMade([...made, name]);
              setTarget(name);
            }}
          />
          <p class="row">
            <UndoRedo state={route.fragment} held={saving.busy} onStep={say} />
            <span class="soft small" role="status">
              {status} {(to.size > 0 || added.size === 0) && t('sets.notSaved', { n: to.size })}{' '}
              {added.size > 0 && sayOfNew('unsaved', { n: added.size })}
            </span>
          </p>
          {!isStale && adding.form}
          <NewMembers
            added={added}
            nameOf={additions.nameOf}
            onRemove={(id) => {
              const rest = new Map([...added].filter(([one]) => one !== id));
              write({ base: newest, to, added: rest }, sayOfNew('removed', { member: additions.nameOf(id) }));
            }}
          />
          {additions.failed && <Problem failure={additions.failed.failure} again={additions.failed.again} />}
          {additions.problems.length > 0 && (
            <p class="flag" role="alert">
              {additions.problems.slice(0, MOST_PROBLEMS).join(' ')}
            </p>
          )}
        </>
      )}
      {failure && <Problem failure={failure} />}
      <Balance territories={territories} colorOf={colorOf} />
      <TakeSet opened={opened} unsaved={changed} />
      {why !== null && <p class="soft small">{why}</p>}
      {set.access !== 'read' && version.made_from !== 'groups' && (
        <Editor opened={opened} atlas={atlas} again={again} />
      )}
      {set.access === 'read' && <p class="soft small">{t('sets.youCanReadThis')}</p>}
      {canMove && (
        <>
          <MemberList
            territories={territories}
            names={names}
            colorOf={colorOf}
            members={members ?? new Map()}
            moved={to}
            added={added}
            onMove={move}
          />
          <p class="soft small">
            {said('sets.addMembers', {
              link: <a href={`${href('/union')}#groups=${groupsText(tableOf(territories))}`}>{t('sets.asGroups')}</a>,
            })}
          </p>
          {!isStale && additions.isKnown && additions.problems.length === 0 && (
            <Save opened={opened} territories={territories} changes={changes} saving={saving} again={again} />
          )}
        </>
      )}
      <section aria-label={t('sets.versions')}>
        <h2>{t('sets.versions')}</h2>
        <ul class="places">
          {[...set.versions].reverse().map((one) => (
            <li key={one.valid_from}>
              <a
                href={href(`/sets/${set.name}`, { as_of: one.valid_from })}
                aria-current={one.valid_from === version.valid_from ? 'true' : undefined}
              >
                <span>
                  {t('sets.from', { day: day(one.valid_from) })}
                  {one.valid_from === version.valid_from && ` (${t('sets.shown')})`}
                </span>
                <span class="soft">
                  {t('word.areas', { n: one.areas })}, {t('sets.savedOn', { day: day(one.recorded_at) })}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      {set.access === 'admin' && <Sharing set={set} />}
    </>
  );
}

/** The members of territories as a table of groups. */
const tableOf = (territories: readonly Territory[]): string =>
  csvOf(territories.flatMap(({ name, members }) => (members ?? []).map((id) => [id, name] as const)));
