import { PROBLEMS, type ProblemCode } from '../../core/errors.ts';
import { html, type Page } from '../pages/page.ts';
import { docsPage, lines, type Site } from './layout.ts';
import { problemsOf, sampleProblem } from './problems.ts';

/**
 * Builds the page that the `type` of a problem links to: every code at its anchor, with its meaning, remedy and
 * example.
 */
export function errorsPage(site: Site): Page {
  const ops = site.groups.flatMap((group) => group.ops.map((op) => ({ op, slug: group.slug })));
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const entries = codes.map((code) => {
    const { status, condition, remedy, exit } = PROBLEMS[code];
    const givers = ops.filter(({ op }) => op.errors.includes(code));
    const all = ops.every(({ op }) => [...problemsOf(op).values()].flat().includes(code));
    return html`
<section>
<h2 id="${code}"><a href="#${code}">${code}</a> (${status})</h2>
<p>${condition}</p>
<p><strong>What to do:</strong> ${remedy}</p>
<p class="type">${
      all
        ? 'Any operation can return it.'
        : givers.length > 0 &&
          html`Returned by ${givers.map(({ op, slug }, i) => html`${i > 0 && ', '}<a href="${site.base}/docs/${slug}#${op.name}">${op.name}</a>`)}.`
    } Exit code of the command line: ${exit}.</p>
${lines('Example', JSON.stringify(sampleProblem(code, site.baseUrl), null, 2))}
</section>`;
  });
  const body = html`
<p>Failures are RFC 9457 problem documents, <code>application/problem+json</code>. Branch on <code>code</code>, show
<code>detail</code>, and quote <code>request_id</code> when you ask for help. A failed call costs no units.</p>
<ul class="codes">${codes.map((code) => html`<li><a href="#${code}"><code>${code}</code></a></li>\n`)}</ul>
${entries}`;
  return docsPage(site, '/docs/errors', 'Errors', body);
}
