import type { JSX } from 'preact';
import { Act, Form } from '../actions.tsx';
import { type Answer, ask, save } from '../api.ts';
import { plural } from '../format.ts';
import { tagsIn } from './tags.tsx';

/** What the actions on several files need to know of each. */
type Selected = Pick<Answer<'list_files'>['items'][number], 'id' | 'name' | 'access' | 'tags'>;

/** Time between two downloads in milliseconds: browsers drop those that come at once. */
const BETWEEN_MS = 400;

/** Actions on the selected files of a page: download, tag, show to all, restrict and delete, one after the other. */
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
  const said = plural(own.length, 'file');
  return (
    <fieldset class="row many" aria-label="Selected files">
      <span role="status">{plural(files.length, 'file')} selected</span>
      <Act
        label="Download"
        about="the selected files"
        work={each(files, async ({ id, name }) => {
          await save(`/files/${id}/content`, {}, name);
          await new Promise((later) => setTimeout(later, BETWEEN_MS));
        })}
        done={clear}
      />
      {writable.length > 0 && (
        <Form
          label={`Tag ${plural(writable.length, 'file')}`}
          work={({ tags = '' }) =>
            each(writable, ({ id, tags: before }) =>
              ask(`/files/${id}`, { method: 'PATCH', body: { tags: [...new Set([...before, ...tagsIn(tags)])] } }),
            )()
          }
          done={again}
        >
          <label>
            Add tags
            <input name="tags" required maxLength={200} />
          </label>
        </Form>
      )}
      {own.length > 0 && (
        <>
          {(['org', 'restricted'] as const).map((visibility) => (
            <Act
              key={visibility}
              label={visibility === 'org' ? 'Show to all' : 'Restrict'}
              about={said}
              work={each(own, ({ id }) => ask(`/files/${id}`, { method: 'PATCH', body: { visibility } }))}
              done={done}
            />
          ))}
          <Act
            label="Delete"
            about={said}
            confirm={`Delete ${said}? Their URLs stop working.`}
            work={each(own, ({ id }) => ask(`/files/${id}`, { method: 'DELETE' }))}
            done={done}
          />
        </>
      )}
      <button type="button" class="quiet small" onClick={clear}>
        Select none
      </button>
    </fieldset>
  );
}
