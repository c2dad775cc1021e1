import { contentType, extension, FORMATS } from '../../../workers/formats/registry.ts';
import { defined } from '../../common/elements.ts';
import { SCOPES } from '../../core/access.ts';
import type { AnyOp } from '../../core/op.ts';
import { ROLES } from '../../core/roles.ts';
import { commandLine } from '../example.ts';
import { type Html, html, type Page } from '../pages/page.ts';
import { docsPage, lines, type Site } from './layout.ts';
import { curlLine, toolCall } from './snippets.ts';
import { FOLDERS } from './text_files.ts';
import { textLinks } from './texts.ts';

/** The first example of an operation; null if the service does not have the operation. */
function first(site: Site, name: string): { op: AnyOp; input: Readonly<Record<string, unknown>>; key: boolean } | null {
  const op = site.groups.flatMap(({ ops }) => ops).find((one) => one.name === name);
  if (!op) return null;
  const { input } = defined(op.examples[0]);
  const rule = typeof op.access === 'function' ? op.access(op.input.parse(input)) : op.access;
  return { op, input, key: rule.who !== 'public' };
}

/** The first example of an operation as a curl command. */
function curl(site: Site, name: string): Html | null {
  const found = first(site, name);
  return found && lines('With curl', curlLine(found.op, found.input, site.baseUrl, found.key));
}

/** Builds the first page: what the service offers, and the first calls. */
export function startPage(site: Site): Page {
  const { base, baseUrl, groups } = site;
  const search = first(site, 'search_boundaries');
  const body = html`
<p>Boundary Lookup finds administrative boundaries and postcode areas, says which contain a point, merges and cuts
areas exactly, and exports them as files.</p>
<h2>First calls</h2>
<p>Finding boundaries needs no key:</p>
${curl(site, 'search_boundaries')}
<p>With a key (<a href="${base}/docs/guide#keys">how to get one</a>) in <code>$KEY</code>, several become one area:</p>
${curl(site, 'union_boundaries')}
<p>or one becomes a file:</p>
${curl(site, 'export_boundary')}
${FOLDERS.slice(0, 2).map(({ title, about, texts }) => html`<h2>${title}</h2>\n<p>${about}</p>\n${textLinks(site, texts)}`)}
<h2>Four ways to call</h2>
<p>Every operation has its own HTTP route, can be called by name, and is a command and a tool. The input has the same
members everywhere.</p>
${
  search &&
  html`
${lines('By name', `curl -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(search.input)}' \\\n  ${baseUrl}/v1/ops/${search.op.name}`)}
${lines('On the command line', commandLine(search.op, search.input))}
${lines('As a tool (MCP)', toolCall(search.op, search.input))}`
}
<p>An operation that only reads also answers <code>GET /v1/ops/{name}?input=</code> with the input as URL-encoded JSON.
Tools are at <code>${baseUrl}/mcp</code>: <a href="${base}/docs/guide#tools">for agents</a>.</p>
<h2>Operations</h2>
${groups.map(
  ({ slug, title, ops }) => html`
<h3><a href="${base}/docs/${slug}">${title}</a></h3>
<ul>${ops.map((op) => html`<li><a href="${base}/docs/${slug}#${op.name}"><code>${op.name}</code></a>: ${op.summary}</li>\n`)}</ul>`,
)}
<h2>In detail</h2>
${FOLDERS.slice(2).map(({ texts }) => textLinks(site, texts))}
<h2>For programs</h2>
<ul>
<li><a href="${base}/openapi.json">openapi.json</a>: every operation as OpenAPI 3.1, for generators of clients;
<a href="${base}/openapi-rpc.json">openapi-rpc.json</a>: the same, called by name</li>
<li><a href="${base}/v1">/v1</a>: the operations with their JSON schemas</li>
</ul>`;
  return docsPage(site, '/docs', 'Documentation', body);
}

const SECTIONS: readonly (readonly [id: string, title: string, text: (site: Site) => Html])[] = [
  ['ids', 'Boundary ids', ids],
  ['detail', 'Levels of detail', detail],
  ['formats', 'Formats and files', formats],
  ['maps', 'Maps and tiles', maps],
  ['ogc', 'OGC API - Features (QGIS, GDAL)', ogc],
  ['keys', 'Keys, sign-in and roles', keys],
  ['limits', 'Units and limits', limits],
  ['errors', 'Errors', failures],
  ['tools', 'Tools for agents (MCP)', tools],
  ['caching', 'Caching and compression', caching],
  ['writing', 'How values are written', writing],
];

/** Builds the guide: everything that applies to all operations. */
export function guidePage(site: Site): Page {
  const body = html`
<ul>${SECTIONS.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
${SECTIONS.map(([id, title, text]) => html`<section><h2 id="${id}"><a href="#${id}">${title}</a></h2>${text(site)}</section>`)}`;
  return docsPage(site, '/docs/guide', 'Guide', body);
}

function ids(site: Site): Html {
  return html`
<p>You can write a boundary id in any of these forms, in upper or lower case, percent-encoded or not:</p>
<table>
<tr><th>form</th><th>meaning</th></tr>
<tr><td><code>r62422</code>, <code>relation/62422</code>, <code>-62422</code></td><td>a relation of OpenStreetMap</td></tr>
<tr><td><code>w123</code>, <code>way/123</code></td><td>a closed way</td></tr>
<tr><td><code>https://<wbr>www.openstreetmap.org/<wbr>relation/<wbr>62422</code></td><td>the same, by its URL there or at osm.org; in a path, percent-encode its slashes: another form is refused with the path to write</td></tr>
<tr><td><code>wikidata:Q64</code></td><td>the boundary with this Wikidata id</td></tr>
<tr><td><code>iso:DE-BE</code>, <code>iso:DE</code></td><td>the boundary with this ISO 3166-2 or ISO 3166-1 code</td></tr>
</table>
<p>A name is not an id: it gives <a href="${site.base}/docs/errors#invalid_id">invalid_id</a>, with possible
meanings in <code>candidates</code>.</p>
<p>Answers have the canonical id, <code>r…</code> or <code>w…</code>. This service assigns the ids from
<code>r9000000000000</code> on, to boundaries without an OpenStreetMap id. If several boundaries have a code, the
administrative one of the lowest level is used, and <a href="${site.base}/docs/boundaries#get_boundary">get_boundary</a>
lists the others in <code>also</code>.</p>`;
}

function detail(site: Site): Html {
  return html`
<p><code>detail</code> is relative to the size of the result. The tolerance is rounded down to a power of two in
meters, so that neighbors fit, which is why the number of points across varies by a factor of two:</p>
<table>
<tr><th>detail</th><th>points across</th><th>for</th></tr>
<tr><td><code>low</code></td><td>1,000 to 2,000</td><td>maps and previews; free and public in get_boundary</td></tr>
<tr><td><code>medium</code></td><td>5,000 to 10,000</td><td>the default</td></tr>
<tr><td><code>high</code></td><td>25,000 to 50,000</td><td>print, large maps</td></tr>
<tr><td><code>full</code></td><td>all</td><td>the geometry as it was imported</td></tr>
</table>
<p>Instead of a detail, <code>tolerance_m</code>, a power of two in meters, sets an absolute tolerance. Boundaries
with the same tolerance share every vertex of their border, whatever their size and admin level: use it for maps. At every
level, neighbors fit without gaps or overlaps. <code>tolerance_m</code> in the answer says what was used.</p>
${curl(site, 'get_boundary')}`;
}

function formats(): Html {
  return html`
<table>
<tr><th>format</th><th>media type</th><th>file</th></tr>
${FORMATS.map(
  (one) =>
    html`<tr><td><code>${one}</code></td><td>${contentType(one)
      .split('/')
      .map((part, i) => html`${i > 0 && html`/<wbr>`}${part}`)}</td><td>.${extension(one)}</td></tr>\n`,
)}
</table>
<p>Coordinates are WGS 84, longitude first. GeoJSON follows RFC 7946: an area across the antimeridian is cut there, and
its <code>bbox</code> has west greater than east. The attribution of the data is in the file; for WKT, which has no
place for it, in the <code>Link</code> header.</p>
<p>Exported files are at <code>/v1/exports/</code>, named by the SHA-256 of their bytes: they never change, need no key,
and support byte ranges. They are a cache: to get an evicted file, repeat the export.</p>`;
}

function maps({ base, baseUrl }: Site): Html {
  return html`
<p>Vector tiles of all boundaries need no key: <a href="${base}/tiles/boundaries">a page shows them</a>. With MapLibre:</p>
${lines('JavaScript', `new maplibregl.Map({ container: 'map', style: '${baseUrl}/tiles/style.json' });`)}
<p><code>${baseUrl}/tiles/boundaries.json</code> describes them (TileJSON), <code>?lang=de,fr</code> chooses names,
<code>?as_of=2015-01-01</code> the date, <code>?area=land</code> the land. In QGIS: Layer, Add Layer, Add Vector Tile Layer,
with the URL of the style. A selection or a file of the library has tiles of its own:
<code>POST ${baseUrl}/tiles/selections</code>.</p>
<p>A link to a boundary (<code>${baseUrl}/?id=iso:ES-AN</code>) has a preview picture where it is shared; the picture itself
is <code>${baseUrl}/preview.png?ids=iso:ES-AN</code>.</p>`;
}

function ogc({ base, baseUrl }: Site): Html {
  return html`
<p><a href="${base}/ogc">${baseUrl}/ogc</a> is an OGC API - Features service, with a page and a map at every address: a collection
for each admin_level and each kind, at low detail, and <code>lines</code> of all borders, without a key. In QGIS: Layer, Add Layer, Add WFS / OGC API - Features
Layer, with this URL. With GDAL:</p>
${lines('A country as GeoPackage', `ogr2ogr spain.gpkg "OAPIF:${baseUrl}/ogc" level-2 -spat -18 27 5 44`)}
<p>Filters are in CQL2, as text or JSON:</p>
${lines('With curl', `curl -sG ${baseUrl}/ogc/collections/level-4/items --data-urlencode "filter=country = 'ES' AND area_km2 > 50000"`)}
<p><code>crs</code>, <code>bbox-crs</code> and <code>filter-crs</code> take CRS84 and EPSG:3857.</p>`;
}

function keys({ base, baseUrl }: Site): Html {
  return html`
<p>Send a key as <code>Authorization: Bearer bnd_live_…</code>. An invalid key is refused on public operations too.
There are three ways to get a key:</p>
<ul>
<li>on the machine that runs the service: <code>boundary key create --email you@example.org</code></li>
<li>from another one: <code>boundary login</code>, which shows a code to approve at
<a href="${base}/device">${baseUrl}/device</a></li>
<li>signed in with a browser or by another key: <a href="${base}/docs/account#create_api_key">create_api_key</a>;
a key created with a key records it, and <a href="${base}/docs/account#revoke_api_key">revoke_api_key</a> of the
one that created it revokes both</li>
</ul>
<p>Applications use OAuth 2.1 with PKCE instead; they register themselves. Its metadata is at
<code>${baseUrl}/.well-known/oauth-protected-resource</code>. The scopes are ${SCOPES.map((scope, i) => html`${i > 0 && ', '}<code>${scope}</code>`)}.</p>
<p>A key or token acts in one organization. It can never do more than the person who created it can do now, nor more
than an admin. Roles are ${ROLES.map((role, i) => html`${i > 0 && ', '}<code>${role}</code>`)}, strongest first: a viewer looks
up, merges and exports; a member also saves and shares; an admin manages people, keys and files; an owner also plans and
owners.</p>`;
}

function limits({ base }: Site): Html {
  return html`
<p>Some operations cost units. A plan includes a number of units in each calendar month (UTC);
<a href="${base}/docs/account#get_pricing">get_pricing</a> lists plans and costs,
<a href="${base}/docs/account#get_usage">get_usage</a> the units used. Only successful answers are charged: no failure,
no <code>304</code>, no <code>HEAD</code>. When the units are used up, calls that cost units give
<a href="${base}/docs/errors#quota_exceeded">quota_exceeded</a>, and free ones keep working. On the
free plan all organizations founded by one person share the units of one.</p>
<p>Requests are counted per minute, for an organization, or for a network without a key:
<code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> show the state. A page of
1,000 boundaries counts as ten. Over the limit, calls give <a href="${base}/docs/errors#rate_limited">rate_limited</a>; wait for the seconds in
<code>Retry-After</code>.</p>
<p>A request body has at most 64 KiB, a union at most 50 boundaries, a page of a list at most 100 entries (of
list_children and list_neighbors 1,000). A call whose result
would be too large or take too long gives <a href="${base}/docs/errors#too_large">too_large</a>.</p>`;
}

function failures({ base }: Site): Html {
  return html`
<p>Every failure, on any path, is a problem document with <code>code</code>, <code>detail</code> and
<code>request_id</code>: <a href="${base}/docs/errors">all codes</a>. Invalid input is reported with all faults at once,
in <code>issues</code>. Retry on status 429, 500, 502 or 503, with increasing pauses; other failures will fail again.
A call that writes and whose connection broke may have succeeded: check before you repeat it.</p>
<p>While the server starts, every call answers 429 rate_limited with <code>Retry-After</code>, <code>/healthz</code>
answers 200, and <code>/readyz</code> 503 with <code>{"status": "loading"}</code>. While it still loads its first data it answers from the data loaded so far: each answer has the
header <code>Boundary-Loading</code>, and lists have <code>loading</code>.</p>`;
}

function tools(site: Site): Html {
  const { base, baseUrl, groups } = site;
  const search = first(site, 'search_boundaries');
  return html`
<p><code>${baseUrl}/mcp</code> speaks the Model Context Protocol (Streamable HTTP): revision 2026-07-28, and 2025-11-25
without sessions. <code>boundary mcp</code> speaks it over standard input and output, for the server or database that the
other commands use. Each operation is a tool of the same name, with the same input, access and price; its schemas
and hints are in the answer to <code>tools/list</code>. (openapi.json does not describe this URL: its messages are
those of the protocol.)</p>
${lines('In the settings of a client', JSON.stringify({ mcpServers: { boundary: { type: 'http', url: `${baseUrl}/mcp`, headers: { Authorization: 'Bearer $KEY' } } } }, null, 2))}
${search && lines('A call', toolCall(search.op, search.input))}
<p>The tools for boundaries and files are listed; <code>?toolsets=all</code> lists all, and
<code>?toolsets=boundaries,feedback</code> a choice of
${groups.map(({ slug }, i) => html`${i > 0 && ', '}<code>${slug}</code>`)}. <code>list_kinds</code> and
<code>get_data_status</code> are not listed by default, but can be called; a call of any other tool fails and names
its toolset. Public operations need no key; a call without the credential that it needs returns 401, which starts the
client's <a href="${base}/docs/guide#keys">OAuth</a> sign-in.</p>
<p>Answers are JSON, sent once, as text. With <code>?structured=1</code> (<code>boundary mcp --structured</code>) tools
declare output schemas and answer with structured content instead. An answer over 20 kB is shortened: a polygon becomes
a URL, items of a list keep only a few members, and <code>shortened</code> says how to get the rest. With
<code>picture: true</code>, <code>get_boundary</code> and <code>union_boundaries</code> add a PNG of the area, free.</p>
<p>A failed call has <code>isError</code> and the problem document. A request with a <code>progressToken</code> gets
the progress of a long union. Files of the library are resources: <code>resources/list</code> lists those that the caller can
see, <code>resources/read</code> returns the content of one up to 1 MiB; access is checked every time.</p>`;
}

function caching(): Html {
  return html`
<p>Boundaries and files come with an <code>ETag</code>; sent back as <code>If-None-Match</code> it makes the next answer
<code>304</code>, free, as long as nothing changed. Answers are compressed where the client accepts gzip or brotli, and
each coding has its own ETag.</p>`;
}

function writing(): Html {
  return html`
<ul>
<li>In a body, values are JSON, and none is converted. In a query everything is text: <code>admin_level=8</code>,
<code>mine=true</code>, lists with commas.</li>
<li><code>null</code> means absent. Unknown fields and values out of range are refused, never ignored or clamped.</li>
<li>Times are RFC 3339 in UTC, in fields named <code>…_at</code>. Ids other than those of boundaries are opaque.</li>
<li>Paged lists take <code>limit</code> and <code>offset</code>, and return <code>total</code>; list_children
and list_neighbors take <code>cursor</code> instead of <code>offset</code>: <code>next</code> of the previous page.</li>
<li><code>name</code> of a boundary is in the first language of <code>lang</code>, else of <code>Accept-Language</code>,
that it has a name in, and otherwise its <code>local_name</code>. <code>names=all</code>, or a list of languages, lists
names by language. Files have local names.</li>
<li>A call that creates something answers <code>201</code> with its URL in <code>Location</code>; one that deletes
something answers its id.</li>
</ul>`;
}
