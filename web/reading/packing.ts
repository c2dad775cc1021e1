/** Packs files into one zip, in a worker of the page. */
import { zipSync } from 'fflate';

/** Files by their names, which differ. */
export type Packing = Readonly<Record<string, Uint8Array>>;

declare const self: {
  onmessage: ((event: { readonly data: Packing }) => void) | null;
  postMessage(reply: Uint8Array, transfer: readonly ArrayBufferLike[]): void;
};

self.onmessage = ({ data }) => {
  const zip = zipSync(data, { level: 6 });
  self.postMessage(zip, [zip.buffer]);
};
