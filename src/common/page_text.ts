/** The words of a web page on one line, without head and tags: servers and proxies may send a page instead of data. */
export function pageText(page: string): string {
  return withoutHead(page)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutHead(page: string): string {
  const start = page.search(/<head\b/i);
  if (start < 0) return page;
  const length = page.slice(start).search(/<\/head>/i);
  return length < 0 ? page : `${page.slice(0, start)} ${page.slice(start + length)}`;
}
