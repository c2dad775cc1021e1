import { type Answer, send } from '../api.ts';
import { FORMATS } from '../download/formats.ts';
import { drop, MOST_BYTES } from '../file/dropped.ts';
import { go, href } from '../route.ts';

/** A file of the library. */
type Stored = Pick<Answer<'list_files'>['items'][number], 'id' | 'name' | 'format' | 'bytes'>;

/** Formats that the page of files does not read. */
const UNREAD: readonly string[] = ['pmtiles', 'svg', 'poly', 'zip'];

/** Whether a file can be opened on the map. */
export const opens = ({ format, bytes }: Pick<Stored, 'format' | 'bytes'>): boolean =>
  bytes <= MOST_BYTES && format in FORMATS && !UNREAD.includes(format);

/** Opens a file on the map, as one that is dropped there. @throws Failure when it cannot be fetched */
export async function openOnMap({ id, name, format }: Stored): Promise<void> {
  const response = await send(`/files/${id}/content`, {});
  const ending = `.${FORMATS[format]?.extension ?? format}`;
  const content = await response.blob();
  drop([new File([content], name.toLowerCase().endsWith(ending) ? name : name + ending)]);
  go(href('/file'));
}
