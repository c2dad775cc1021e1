import { csvCell } from '../../common/csv_cell.ts';
import type { Change } from '../../domain/history/changes.ts';

const COLUMNS = [
  'type',
  'id',
  'name',
  'admin_level',
  'from',
  'to',
  'other_id',
  'other_name',
  'relation',
  'km2',
  'share_of_other',
  'share_of_this',
  'gained_km2',
  'lost_km2',
];

/** The changes as CSV: a row for each, and for each boundary that it is linked to. */
export function changesTable(changes: readonly Change[]): string {
  const lines = [COLUMNS.join(',')];
  const line = (values: Readonly<Record<string, unknown>>) =>
    lines.push(COLUMNS.map((column) => csvCell(values[column])).join(','));
  for (const { predecessors = [], successors = [], with: others = [], ...one } of changes) {
    const links = [
      ...predecessors.map((other) => ({ ...other, relation: 'predecessor' })),
      ...successors.map((other) => ({ ...other, relation: 'successor' })),
    ];
    for (const { id, name, relation, km2, share_of_it, share_of_this } of links) {
      line({ ...one, other_id: id, other_name: name, relation, km2, share_of_other: share_of_it, share_of_this });
    }
    for (const { id, name, gained_km2, lost_km2 } of others) {
      line({ ...one, other_id: id, other_name: name, relation: 'neighbor', gained_km2, lost_km2 });
    }
    if (links.length + others.length === 0) line(one);
  }
  return `${lines.join('\n')}\n`;
}
