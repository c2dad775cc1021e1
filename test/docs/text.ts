import { defined } from '../../src/common/elements.ts';
/** The text that a browser shows for escaped HTML. */
export function shown(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => defined(entities[name]));
}
