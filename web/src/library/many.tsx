import type { JSX } from 'preact';
import { Act, Form } from '../actions.tsx';
import { type Answer, ask, save } from '../api.ts';
import { t } from '../language.ts';

import { tagsIn } from './tags.tsx';
import { saveZip } from './zip.ts';

/** What the actions on several files need to know of each. */
type Selected = Pick<Answer<'list_files'>['items'][number], 'id' | 'name' | 'access' | 'tags' | 'bytes'>;

/** Time between two downloads in milliseconds: browsers drop those that come at once. */
const BETWEEN_MS = 400;

/** Actions on the selected files of a page: download one by one or as a zip, tag, show to all, restrict and delete, one after the other. */
export function Many({
  files,
  clear,
  again,
}: {
  files: readonly Selected[];
  clear: () => void;
  again: () => void;
}): JSX.Element {
  const writable = files.filter(({ access }) => access !== 'read');
  const own = files.filter(({ access }) => access === 'admin');
  const each = (of: readonly Selected[], work: (file: Selected) => Promise<unknown>) => async (): Promise<void> => {
    for (const file of of) await work(file);
  };
  const done = (): void => {
    clear();
    again();
  };
  const about = t('library.files', { n: own.length });
  return (
    <fieldset class="row many" aria-label={t('library.selectedFiles')}>
      <span role="status">{t('library.selected', { n: files.length })}</span>
      <Act
        label={t('library.download')}
        about={t('library.theSelectedFiles')}
        work={each(files, async ({ id, name }) => {
          await save(`/files/${id}/content`, {}, name);
          await new Promise((later) => setTimeout(later, BETWEEN_MS));
        })}
        done={clear}
      />
      {files.length > 1 && <Act label={t('library.asZip')} work={() => saveZip(files)} done={clear} />}
      {writable.length > 0 && (
        <Form
          label={t('library.tag', { n: writable.length })}
          work={({ tags = '' }) =>
            each(writable, ({ id, tags: before }) =>
              ask(`/files/${id}`, { method: 'PATCH', body: { tags: [...new Set([...before, ...tagsIn(tags)])] } }),
            )()
          }
          done={again}
        >
          <label>
            {t('library.addTags')}
            <input name="tags" required maxLength={200} />
          </label>
        </Form>
      )}
      {own.length > 0 && (
        <>
          {(['org', 'restricted'] as const).map((visibility) => (
            <Act
              key={visibility}
              label={visibility === 'org' ? t('library.showToAll') : t('library.restrict')}
              about={about}
              work={each(own, ({ id }) => ask(`/files/${id}`, { method: 'PATCH', body: { visibility } }))}
              done={done}
            />
          ))}
          <Act
            label={t('library.delete')}
            about={about}
            confirm={t('library.confirmMany', { n: own.length })}
            work={each(own, ({ id }) => ask(`/files/${id}`, { method: 'DELETE' }))}
            done={done}
          />
        </>
      )}
      <button type="button" class="quiet small" onClick={clear}>
        {t('library.selectNone')}
      </button>
    </fieldset>
  );
}
