import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ask, at, type Failure, pathOf, save } from './api.ts';
import { href } from './route.ts';
import { useAccount } from './session.ts';
import { asFailure, Copy, Problem, SignIn } from './ui.tsx';

/** A text between single quotes of a shell. */
export const quoted = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The same call in the ways that it can be made. */
export interface Ways {
  readonly curl: string;
  readonly command: string;
  readonly tool: string;
}

/** The ways to ask for a boundary. */
export function waysToGet(id: string): Ways {
  return {
    curl: `curl ${quoted(at(pathOf(`/boundaries/${id}`, { detail: 'low' })))}`,
    command: `boundary get ${quoted(id)} --detail low`,
    tool: JSON.stringify({ name: 'get_boundary', arguments: { id, detail: 'low' } }),
  };
}

/** The ways to merge boundaries. */
export function waysToMerge(input: { include: readonly string[]; exclude: readonly string[] }): Ways {
  const exclude = input.exclude.length > 0 ? ` --exclude ${input.exclude.map(quoted).join(' ')}` : '';
  return {
    curl: `curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(input))} ${quoted(at('v1/boundaries/union'))}`,
    command: `boundary union-boundaries ${input.include.map(quoted).join(' ')}${exclude}`,
    tool: JSON.stringify({ name: 'union_boundaries', arguments: input }),
  };
}

/** Address, curl, command and MCP call of what is shown, to copy. */
export function Share({ ways }: { ways: Ways }): JSX.Element {
  const rows: readonly (readonly [string, string])[] = [
    ['Link', location.href],
    ['curl', ways.curl],
    ['Command', ways.command],
    ['MCP call', ways.tool],
  ];
  return (
    <details class="fold">
      <summary>Share and use in code</summary>
      <dl class="ways">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{text}</code>
              <Copy text={text} label="Copy" />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const FORMATS = [
  ['geojson', 'GeoJSON'],
  ['kml', 'KML'],
  ['wkt', 'WKT'],
  ['svg', 'SVG'],
  ['gml', 'GML'],
] as const;
const DETAILS = ['low', 'medium', 'high', 'full'] as const;

/** Files of a boundary: GeoJSON at low detail for everyone, a choice for who is signed in. */
export function Download({ id, name }: { id: string; name: string }): JSX.Element {
  const account = useAccount();
  const [format, setFormat] = useState('geojson');
  const [detail, setDetail] = useState('medium');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [saved, setSaved] = useState(false);
  const keep = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await ask('/files', { method: 'POST', body: { boundary_id: id, format, detail } });
      setSaved(true);
    } catch (error) {
      setFailure(asFailure(error));
    }
    setBusy(false);
  };
  const fetchFile = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const path = `/boundaries/${encodeURIComponent(id)}`;
    try {
      if (account) await save(`${path}/export`, { query: { format, detail } }, `${id}.${format}`);
      else await save(path, { query: { detail: 'low' } }, `${name.replace(/[^\p{L}\p{N} ._-]/gu, '')} (low).geojson`);
    } catch (error) {
      setFailure(asFailure(error));
    }
    setBusy(false);
  };
  return (
    <details class="fold">
      <summary>Download</summary>
      <div class="fields">
        {account && (
          <>
            <label>
              Format
              <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
                {FORMATS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Detail
              <select value={detail} onChange={(event) => setDetail(event.currentTarget.value)}>
                {DETAILS.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </select>
            </label>
          </>
        )}
        <button type="button" onClick={fetchFile} disabled={busy}>
          {busy ? 'Downloading…' : account ? 'Download' : 'GeoJSON, low detail'}
        </button>
        {account && (
          <button type="button" class="quiet" onClick={keep} disabled={busy}>
            Save to library
          </button>
        )}
      </div>
      {saved && (
        <p role="status">
          Saved. <a href={href('/library')}>Open the library</a>
        </p>
      )}
      {account === null && <SignIn>for KML, WKT, SVG and GML, and for medium, high and full detail.</SignIn>}
      {failure && <Problem failure={failure} again={fetchFile} />}
    </details>
  );
}
