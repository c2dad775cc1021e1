import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { Html, html } from './html.ts';
import type { Words } from './words.ts';

export { escapeHtml, Html, html } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --soft: #56626f; --paper: #fff; --ground: #f4f4f0; --line: #d5dade;
  --action: #9c1b57; --on-action: #fff; --bad: #a3161e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e9ef; --soft: #a4b0bc; --paper: #1b2128; --ground: #12161b; --line: #37414b;
    --action: #f29abf; --on-action: #2a0b19; --bad: #ff9a9a; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem; background: var(--paper); min-height: 100vh; }
main.wide { max-width: 48rem; }
@media (min-width: 32rem) { main { margin: 3rem auto; min-height: 0; border: 1px solid var(--line); border-radius: .5rem; padding: 2rem; } }
.service { margin: 0 0 1.5rem; color: var(--soft); font-size: .9rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; } h2 a { color: inherit; } h2:target { outline: 3px solid var(--action); outline-offset: .3rem; }
p, ul { margin: 0 0 1rem; } ul { padding-left: 1.2rem; } a { color: var(--action); }
dl { margin: 0 0 1.2rem; } dt { color: var(--soft); font-size: .9rem; } dd { margin: 0 0 .7rem; font-weight: 600; }
label, legend { display: block; font-weight: 600; margin: 0 0 .3rem; } input + label { margin-top: .9rem; }
fieldset { border: 0; margin: 0 0 1.2rem; padding: 0; }
.choice { display: flex; gap: .6rem; align-items: center; font-weight: 400; padding: .45rem 0; }
.choice input { width: 1.2rem; height: 1.2rem; flex: none; }
.hint { color: var(--soft); font-size: .9rem; margin: .3rem 0 1rem; }
.bad { color: var(--bad); font-weight: 600; }
input:not([type=radio]):not([type=checkbox]):not([type=hidden]) { width: 100%; font: inherit; padding: .6rem .7rem; color: inherit;
  background: var(--ground); border: 1px solid var(--soft); border-radius: .3rem; }
input.code { font: 600 1.4rem/1.4 ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase; }
code { font: 600 1em ui-monospace, monospace; }
button { font: inherit; font-weight: 600; min-height: 2.8rem; width: 100%; margin: .3rem 0; padding: .5rem 1rem; cursor: pointer;
  color: var(--on-action); background: var(--action); border: 1px solid var(--action); border-radius: .3rem; }
button.second { color: var(--action); background: none; }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff; --ground: #fff; --line: #bbb; --action: #7a1344; }
  nav, form, button, label.key { display: none; } main, main.wide { max-width: none; margin: 0; padding: 0; border: 0; }
  pre, tr, li { break-inside: avoid; } h1, h2, h3 { break-after: avoid; } }
`;

const sourceOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const STYLE_SOURCE = sourceOf(STYLE);

export interface PageOptions {
  /**
   * Sources besides 'self' that a form may be sent to (CSP form-action). Browsers also check redirects of the response.
   */
  readonly formAction?: readonly string[];
  /** Wider column, for text to read instead of a form. */
  readonly wide?: boolean;
  /** Additional CSS rules of this page. */
  readonly style?: string;
  /** Navigation above the title. */
  readonly nav?: Html;
  /** URL of a script of ours, which may call this service. */
  readonly script?: string;
  /** Whether that script draws maps: it then also needs workers, style sheets and images of this service. */
  readonly map?: boolean;
  /** Path prefix of the service, for the links of the page's first line to it and to its documentation. */
  readonly home?: string | undefined;
  /** The texts of the language that the page is written in; default: English, whatever the reader prefers. */
  readonly words?: Words;
}

/** A whole page, its Content-Security-Policy, and whether its language is that of the reader. */
export interface Page {
  readonly html: string;
  readonly policy: string;
  readonly isTranslated: boolean;
}

/**
 * Builds a page. Its policy allows no script but `script`, no other resource and no framing; the style sheet is allowed
 * by its hash.
 */
export function page(title: string | Html, body: Html, options: PageOptions = {}): Page {
  const { formAction = [], wide = false, style = '', nav, script, map = false, home, words } = options;
  const document = html`<!doctype html>
<html lang="${words?.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Boundary Lookup</title>
${map && home !== undefined && html`<link rel="icon" href="${home}/icon.svg" type="image/svg+xml">\n`}<style>${new Html(STYLE + style)}</style>
${script && html`<script type="module" src="${script}"></script>`}
</head>
<body>
<main${wide && new Html(' class="wide"')}>
<p class="service">${home === undefined ? 'Boundary Lookup' : html`<a href="${home}/">Boundary Lookup</a> · <a href="${home}/docs">${words ? words('page.docs') : 'Docs'}</a>`}</p>
${nav}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src ${map ? "'self' " : ''}${style === '' ? STYLE_SOURCE : sourceOf(STYLE + style)}`,
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(map ? ["worker-src 'self'", "img-src 'self' data:"] : []),
    "base-uri 'none'",
    `form-action ${["'self'", ...formAction].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
  return { html: document.text, policy, isTranslated: words !== undefined };
}

/** Headers of every page, whether or not it may be cached. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    // Not no-referrer, with which browsers send `Origin: null` for our own forms.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/** Sends a page that must not be cached. */
export function sendPage(ctx: Context, status: number, { html: text, policy, isTranslated }: Page): void {
  ctx.status = status;
  ctx.set(pageHeaders(policy));
  if (isTranslated) {
    ctx.vary('Accept-Language');
    ctx.vary('Cookie');
  }
  ctx.set('Cache-Control', 'no-store');
  ctx.body = text;
}
