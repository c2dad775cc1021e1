const clean = (label: string): string => {
  const kept = label
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._(),-]+/gu, '')
    .replace(/^[. ]+/, '');
  return [...kept].slice(0, 100).join('').trim();
};

/**
 * A Content-Disposition that makes a browser save the bytes as a file of this name, in any script, with an ASCII
 * fallback (RFC 6266, RFC 8187). The fallback is `otherwise`, an id, when the name is not ASCII even without its
 * accents. Characters that could end the header, lead to another folder or hide the extension are removed.
 */
export function contentDisposition(label: string, extension: string, otherwise: string): string {
  const file = `${clean(label) || clean(otherwise)}.${extension}`;
  const bare = file.normalize('NFKD').replace(/\p{M}+/gu, '');
  const ascii = /^[\x20-\x7e]*$/.test(bare) ? bare : `${clean(otherwise)}.${extension}`;
  const encoded = encodeURIComponent(file).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
