import type { JSX } from 'preact';
import { Form } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { t } from '../language.ts';

type Tagged = Pick<Answer<'list_files'>['items'][number], 'id' | 'name' | 'tags'>;

/** The tags of a text in which commas are between them. */
export const tagsIn = (text: string): string[] =>
  [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean);

/** Changes the tags of a file. */
export function Tags({ file, again }: { file: Tagged; again: () => void }): JSX.Element {
  return (
    <Form
      label={t('library.saveTags')}
      work={({ tags = '' }) => ask(`/files/${file.id}`, { method: 'PATCH', body: { tags: tagsIn(tags) } })}
      done={again}
    >
      <label class="grow">
        {t('library.tagsOf', { name: file.name })}
        <input name="tags" maxLength={1050} defaultValue={file.tags.join(', ')} />
      </label>
    </Form>
  );
}
