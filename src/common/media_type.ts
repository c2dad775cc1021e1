/** The media type in a Content-Type header: in lower case, without parameters; empty when there is no header. */
export function mediaTypeIn(header: string | undefined): string {
  const [type = ''] = (header ?? '').split(';', 1);
  return type.trim().toLowerCase();
}
