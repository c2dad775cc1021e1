/**
 * A Content-Disposition that has a browser keep the bytes as a file of this name: letters of any script, with an ASCII
 * twin (RFC 6266, RFC 8187). What could end the header, lead to another folder or hide the extension is left out.
 */
export function contentDisposition(label: string, extension: string): string {
  const kept = label
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._(),-]+/gu, '')
    .replace(/^[. ]+/, '');
  const file = `${[...kept].slice(0, 100).join('').trim() || 'boundary'}.${extension}`;
  const ascii = file.normalize('NFKD').replace(/[^\x20-\x7e]+|["\\]/g, '');
  const encoded = encodeURIComponent(file).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
