import type { JSX } from 'preact';
import { at, pathOf } from './api.ts';
import { t } from './language.ts';
import { quoted } from './shell.ts';
import { Copy } from './ui.tsx';

/** The same call for curl, the CLI and MCP. */
export interface Ways {
  readonly curl: string;
  readonly command: string;
  readonly tool: string;
}

/** The ways to fetch a boundary. */
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

/** Texts with their labels, each with a button to copy it. */
export function Copied({ rows }: { rows: readonly (readonly [label: string, text: string])[] }): JSX.Element {
  return (
    <dl class="ways">
      {rows.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <code>{text}</code>
            <Copy text={text} label={t('shell.copy')} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Address, curl, CLI command and MCP call for the current view, with copy buttons. */
export function Share({ ways }: { ways: Ways }): JSX.Element {
  const rows: readonly (readonly [string, string])[] = [
    [t('share.link'), location.href],
    ['curl', ways.curl],
    [t('word.command'), ways.command],
    [t('share.mcp'), ways.tool],
  ];
  return (
    <details class="fold">
      <summary>{t('share.shareAndUseIn')}</summary>
      <Copied rows={rows} />
    </details>
  );
}
