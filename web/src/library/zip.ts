import type { Packing } from '../../reading/packing.ts';
import { Failure, fetchFile, saveBlob } from '../api.ts';
import { size } from '../format.ts';
import { t } from '../language.ts';

/** Most bytes of the files of one zip: they are in memory twice. */
const MOST_BYTES = 200e6;

interface Packed {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
}

/** A name that none of the others is, with a number before the extension where it is needed. */
function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  // A folder in the name would be one in the zip.
  const plain = name.replace(/[/\\]/g, '_');
  const dot = plain.lastIndexOf('.') > 0 ? plain.lastIndexOf('.') : plain.length;
  for (let n = 1; ; n++) {
    const free = n === 1 ? plain : `${plain.slice(0, dot)} (${n})${plain.slice(dot)}`;
    if (!Object.hasOwn(taken, free)) return free;
  }
}

/** Downloads several files of the library as one zip. @throws Failure for too many bytes, and like send() */
export async function saveZip(files: readonly Packed[]): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MOST_BYTES) {
    const message = t('library.zipTooLarge', { size: size(total), most: size(MOST_BYTES) });
    throw new Failure(message, { code: 'too_large' });
  }
  const packing: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const { id, name } of files) {
    const file = await fetchFile(`/files/${id}/content`, {}, name);
    packing[freeName(file.name, packing)] = new Uint8Array(await file.blob.arrayBuffer());
  }
  const worker = new Worker(new URL('../../reading/packing.ts', import.meta.url), { type: 'module' });
  try {
    const zip = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => resolve(data);
      worker.onerror = () => reject(new Failure(t('library.zipFailed'), { code: 'page_error' }));
      const sent: Packing = packing;
      worker.postMessage(
        sent,
        Object.values(packing).map(({ buffer }) => buffer),
      );
    });
    saveBlob(new Blob([zip], { type: 'application/zip' }), `${t('page.library')}.zip`);
  } finally {
    worker.terminate();
  }
}
