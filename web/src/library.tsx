import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Act, Form, Members, Pager } from './actions.tsx';
import { type Answer, ask, save } from './api.ts';
import { day, pageTitle, size } from './format.ts';
import { t } from './language.ts';
import { Changed, changedIn } from './library/changed.tsx';
import { Jobs } from './library/jobs.tsx';
import { Many } from './library/many.tsx';
import { openOnMap, opens } from './library/open.ts';
import { type Asked, NEWEST, Order } from './library/order.tsx';
import { Preview } from './library/preview.tsx';
import { Shares } from './library/shares.tsx';
import { Tags } from './library/tags.tsx';
import { href } from './route.ts';
import { useAccount } from './session.ts';
import { Show, said, useLoad } from './ui.tsx';

type Listed = Answer<'list_files'>;
type Entry = Listed['items'][number];
type AllTags = NonNullable<Listed['tags']>;

const PAGE = 25;

function File({
  file,
  again,
  selected,
  select,
  onTag,
}: {
  file: Entry;
  again: () => void;
  onTag: (tag: string) => void;
  selected: boolean;
  select: (selected: boolean) => void;
}): JSX.Element {
  const [turn, setTurn] = useState(0);
  const [open, setOpen] = useState<'changes' | 'shares' | 'tags' | null>(null);
  const opener = (what: 'changes' | 'shares' | 'tags', label: string): JSX.Element => (
    <button
      type="button"
      class="quiet small"
      aria-expanded={open === what}
      onClick={() => setOpen(open === what ? null : what)}
    >
      {label}
      <span class="hidden"> {t('library.of', { name: file.name })}</span>
    </button>
  );
  const change = (body: object) => (): Promise<unknown> => ask(`/files/${file.id}`, { method: 'PATCH', body });
  return (
    <li class="file">
      <input
        type="checkbox"
        aria-label={t('library.select', { name: file.name })}
        checked={selected}
        onChange={(event) => select(event.currentTarget.checked)}
      />
      <Preview file={file} />
      <span class="grow">
        {file.boundary_id ? <a href={href('/', { id: file.boundary_id })}>{file.name}</a> : file.name}
        <br />
        <span class="soft small">
          {file.format}
          {file.detail && `, ${t(`download.${file.detail}`)}`}, {size(file.bytes)}, {day(file.created_at)}
          {file.creator && `, ${file.creator.name || file.creator.email}`}
          {file.current === false && `, ${t('library.newer')}`}
          {file.outdated && file.outdated.total > 0 && `, ${t('library.outdated', { what: changedIn(file.outdated) })}`}
          {file.follow && `, ${t('library.follows')}`}
          {file.follow_error && `, ${t('library.followFailed', { why: file.follow_error.detail })}`}
          {file.expires_at && `, ${t('library.deletedOn', { day: day(file.expires_at) })}`}
        </span>
        {file.tags.length > 0 && (
          <span class="row">
            {file.tags.map((tag) => (
              <button key={tag} type="button" class="quiet small" onClick={() => onTag(tag)}>
                <span class="hidden">{t('library.filesWithTheTag')} </span>
                {tag}
              </button>
            ))}
          </span>
        )}
      </span>
      <Act
        label={t('library.download')}
        about={file.name}
        work={() => save(`/files/${file.id}/content`, {}, file.name)}
        done={() => undefined}
      />
      {opens(file) && (
        <Act label={t('library.openOnTheMap')} about={file.name} work={() => openOnMap(file)} done={() => undefined} />
      )}
      {file.access !== 'read' && file.current === false && (
        <Act label={t('library.refresh')} about={file.name} work={change({ refresh: true })} done={again} />
      )}
      {file.access !== 'read' && file.outdated !== null && !file.expires_at && (
        <Act
          label={file.follow ? t('library.keepAsItIs') : t('library.follow')}
          about={file.name}
          work={change({ follow: !file.follow })}
          done={again}
        />
      )}
      {opener('changes', t('library.changes'))}
      {file.access !== 'read' && opener('tags', t('library.tags'))}
      {file.access === 'admin' && (
        <>
          <Act
            label={file.visibility === 'org' ? t('library.restrict') : t('library.showToAll')}
            about={file.name}
            work={change({ visibility: file.visibility === 'org' ? 'restricted' : 'org' })}
            done={again}
          />
          {opener('shares', t('library.shares'))}
          <Act
            label={t('library.delete')}
            about={file.name}
            confirm={t('library.itsUrlStopsWorking')}
            work={() => ask(`/files/${file.id}`, { method: 'DELETE' })}
            done={again}
          />
        </>
      )}
      {open === 'changes' && (
        <div class="below">
          <Changed id={file.id} />
        </div>
      )}
      {open === 'tags' && (
        <div class="below">
          <Tags file={file} again={again} />
        </div>
      )}
      {open === 'shares' && (
        <div class="below">
          <Shares of={`/files/${file.id}`} turn={turn} again={() => setTurn((n) => n + 1)} />
        </div>
      )}
    </li>
  );
}

/** Files of the library. `made` changes when a job has written one. */
function Files({ made }: { made: number }): JSX.Element {
  const [offset, setOffset] = useState(0);
  const [turn, setTurn] = useState(0);
  const [asked, setAsked] = useState<Asked>(NEWEST);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const again = (): void => setTurn((n) => n + 1);
  const askFor = (next: Asked): void => {
    setAsked(next);
    setOffset(0);
    setSelected(new Set());
  };
  const { q, tag, sort } = asked;
  const files = useLoad(`files ${offset} ${turn} ${made} ${sort} ${JSON.stringify([q, tag])}`, (signal) =>
    ask<Listed>('/files', { query: { limit: PAGE, offset, sort, q, tag, tags: true }, signal }),
  );
  /** Those of the last list: they stay while the next one is loaded. */
  const [tags, setTags] = useState<AllTags>({ items: [], total: 0 });
  useEffect(() => {
    if (files.state === 'done') setTags(files.value.tags ?? { items: [], total: 0 });
  }, [files]);
  const select = (id: string, isSelected: boolean): void => {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  return (
    <>
      <h1>{t('page.library')}</h1>
      <p>{said('library.ownAreas', { link: <a href={href('/sets')}>{t('page.sets')}</a> })}</p>
      <p class="soft">{t('library.filesOfYourOrganization')}</p>
      <Form
        label={t('library.saveABoundary')}
        work={({ boundary_id, format, detail }) =>
          ask('/files', { method: 'POST', body: { boundary_id, format, detail } })
        }
        done={again}
      >
        <label>
          {t('library.boundaryId')}
          <input name="boundary_id" required maxLength={60} placeholder="iso:ES-SE" />
        </label>
        <label>
          {t('download.format')}
          <select name="format">
            {['geojson', 'kml', 'wkt', 'svg', 'gml'].map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
        <label>
          {t('download.detail')}
          <select name="detail">
            {(['medium', 'low', 'high', 'full'] as const).map((value) => (
              <option key={value} value={value}>
                {t(`download.${value}`)}
              </option>
            ))}
          </select>
        </label>
      </Form>
      <Order asked={asked} ask={askFor} tags={tags} />
      <Show of={files} lines={6}>
        {({ items, total }) => (
          <>
            {items.some(({ id }) => selected.has(id)) && (
              <Many
                files={items.filter(({ id }) => selected.has(id))}
                clear={() => setSelected(new Set())}
                again={again}
              />
            )}
            {items.length === 0 && q !== '' && <p class="nothing">{t('library.noneNamed', { q })}</p>}
            {items.length === 0 && q === '' && tag !== '' && <p class="nothing">{t('library.noneTagged', { tag })}</p>}
            {items.length === 0 && q === '' && tag === '' && (
              <p class="nothing">
                {said('library.nothing', { link: <a href={href('/')}>{t('library.findABoundary')}</a> })}
              </p>
            )}
            <ul class="members">
              {items.map((file) => (
                <File
                  key={file.id}
                  file={file}
                  again={again}
                  onTag={(tag) => askFor({ ...asked, tag })}
                  selected={selected.has(file.id)}
                  select={(isSelected) => select(file.id, isSelected)}
                />
              ))}
            </ul>
            {total > PAGE && (
              <Pager
                offset={offset}
                size={PAGE}
                total={total}
                many={t('library.files', { n: total })}
                go={(next) => {
                  setOffset(next);
                  setSelected(new Set());
                }}
              />
            )}
          </>
        )}
      </Show>
    </>
  );
}

/** The files of the organization and its running jobs. */
export default function LibraryPage(): JSX.Element {
  const account = useAccount();
  const [made, setMade] = useState(0);
  useEffect(() => {
    document.title = pageTitle(t('page.library'));
  }, []);
  return (
    <main class="page">
      <Members title={t('page.library')}>
        {account && (
          <>
            <Files made={made} />
            <Jobs onMade={setMade} />
          </>
        )}
      </Members>
    </main>
  );
}
