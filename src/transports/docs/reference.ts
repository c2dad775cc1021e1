import { defined } from '../../common/elements.ts';
import type { Rule } from '../../core/access.ts';
import { isJsonType, mediaTypesOf, statusesOf } from '../../core/declared.ts';
import type { AnyOp, Example } from '../../core/op.ts';
import { fieldsOf } from '../decode.ts';
import { commandLine } from '../example.ts';
import { type Html, html, type Page } from '../pages/page.ts';
import { Components } from './components.ts';
import { fieldList } from './fields.ts';
import type { Group } from './groups.ts';
import { codeLinks, docsPage, lines, type Site, ways } from './layout.ts';
import { priceOf, rulesOf } from './openapi.ts';
import { problemsOf } from './problems.ts';
import { javascriptOf, pythonOf, readable } from './programs.ts';
import { sampleOf } from './samples.ts';
import { curlLine, requestOf, toolCall } from './snippets.ts';

/** Builds the page of a group: each of its operations, at its anchor. */
export function groupPage(site: Site, group: Group): Page {
  const body = html`
<ul>${group.ops.map((op) => html`<li><a href="#${op.name}"><code>${op.name}</code></a>: ${op.summary}</li>\n`)}</ul>
${group.ops.map((op) => operation(site, op))}`;
  return docsPage(site, `/docs/${group.slug}`, group.title, body);
}

function operation(site: Site, op: AnyOp): Html {
  const { method, path } = op.route;
  const components = new Components();
  const input = components.inline(op.input, 'input');
  const output = components.inline(op.output, 'output');
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const place = method === 'GET' ? 'in the query' : 'in the body';
  const where = (name: string): string => (inPath.has(name) ? 'in the path' : place);
  const parameters = fieldsOf(op).length > 0 && fieldList(input, components.schemas, where);
  const codes = [...problemsOf(op).values()].flat();
  return html`
<section aria-labelledby="${op.name}">
<h2 id="${op.name}"><a href="#${op.name}">${op.name}</a></h2>
<p>${op.summary}</p>
${op.description && html`<p>${op.description}</p>`}
<p class="route"><code>${method} /v1${path.replace(/:(\w+)/g, '{$1}')}</code></p>
<dl class="facts">
<dt>By name</dt><dd><code>POST /v1/ops/${op.name}</code>${op.effect === 'read' && html` (or <code>GET …?input=</code>)`}</dd>
<dt>Needs</dt><dd>${needsOf(op)}</dd>
<dt>Costs</dt><dd>${priceOf(op)}</dd>
<dt>Effect</dt><dd>${op.effect === 'read' ? 'reads only' : 'writes'}</dd>
</dl>
<h3>Input</h3>
${parameters || html`<p>None.</p>`}
<h3>Answer</h3>
<p>${successOf(op)}</p>
${fieldList(output, components.schemas)}
<h3>Errors</h3>
${codeLinks(site.base, codes)}
<h3>Examples</h3>
${op.examples.map((example) => exampleOf(site, op, example))}
${answerOf(site, op)}
</section>`;
}

/** Describes an access rule in words. */
function ruleText(rule: Rule, effect: 'read' | 'write'): string {
  if (rule.who === 'public') return 'no key';
  if (rule.session) return 'a person who is signed in with a browser';
  const scope = rule.client === false ? 'not by OAuth clients' : `OAuth scope ${rule.scope ?? effect}`;
  if (rule.who === 'account') return `a key or a signed-in person (${scope})`;
  if (rule.who === 'operator') return `an operator of the service (${scope})`;
  return `a key or a signed-in person with the role ${rule.who} or a stronger one (${scope})`;
}

function needsOf(op: AnyOp): string {
  const texts = [...new Set(rulesOf(op).map((rule) => ruleText(rule, op.effect)))];
  return texts.length > 1 ? `${texts.join(', or ')}: it depends on the input` : defined(texts[0]);
}

function successOf(op: AnyOp): string {
  const own = mediaTypesOf(op, true);
  const named = mediaTypesOf(op, false);
  const statuses = statusesOf(op).join(' or ');
  const located = op.success?.created ? ', with 201 and its URL in Location' : '';
  if (op.success?.files) {
    return `Its HTTP route sends the file itself (${own.join(', ')}), with ETag and Content-Location. A call by name answers ${named.join(' or ')}:`;
  }
  const tagged = own.some((type) => type !== 'application/json' && isJsonType(type)) ? ', with an ETag' : '';
  return `Status ${statuses}, ${own.join(' or ')}${tagged}${located}:`;
}

/** Placeholder in which the page's script offers to run the call; empty without the script. */
function tryOf(base: string, path: string, rule: Rule): Html {
  const note = rule.who !== 'public' && html`<p class="hint">Try it while you are signed in with this browser.</p>`;
  return html`<div class="try" data-base="${base}" data-path="${path}">${note}</div>`;
}

/** A sample answer to the first example that succeeds. */
function answerOf({ baseUrl }: Site, op: AnyOp): Html | false {
  const sample = sampleOf(op.name, baseUrl);
  if (!sample) return false;
  const called = op.success?.files ? ', by its name' : '';
  return html`
<h4>Sample answer</h4>
${lines(`Status ${sample.status}${called}; long lists and texts are cut`, readable(sample.body))}`;
}

function exampleOf({ base, baseUrl }: Site, op: AnyOp, { input, note, problem }: Example): Html {
  const rule = typeof op.access === 'function' ? op.access(op.input.parse(input)) : op.access;
  const key = rule.who !== 'public';
  const { method, path } = requestOf(op, input);
  return html`
<h4>${note ?? `${method} ${path}`}</h4>
${problem && html`<p>Returns <a href="${base}/docs/errors#${problem}"><code>${problem}</code></a>.</p>`}
${
  rule.session
    ? html`<p>From a page at this address, with the cookie of the person: <code>${method} ${path}</code></p>`
    : ways([
        ['curl', curlLine(op, input, baseUrl, key)],
        ['JavaScript', javascriptOf(op, input, baseUrl, key)],
        ['Python', pythonOf(op, input, baseUrl, key)],
        ['Command line', commandLine(op, input)],
        ['MCP', toolCall(op, input)],
      ])
}
${method === 'GET' && !problem && tryOf(base, path, rule)}
${
  rule.session &&
  ways([
    ['Command line', commandLine(op, input)],
    ['MCP', toolCall(op, input)],
  ])
}`;
}
