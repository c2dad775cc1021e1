import type { Document, Polygons } from '../contract.ts';
import { defined } from '../defined.ts';
import { attributesOf, valuesOf } from './attributes.ts';
import type { About, Feature } from './types.ts';

/**
 * A document as a collection of one feature, for formats that write both alike: its id, its name, all its properties
 * and its attribution are columns.
 */
export function collectionOf(polygons: Polygons, doc: Document): { readonly about: About; readonly feature: Feature } {
  const { id, name, attribution, digits } = doc;
  const signed = Object.hasOwn(doc.properties, 'attribution') || attribution === '';
  const properties = signed ? doc.properties : { ...doc.properties, attribution };
  const { columns, rows } = attributesOf([{ id, name, properties }]);
  const scaled = (degrees: number): number => Math.round(degrees * 1e7);
  const [west, south, east, north] = doc.bbox ?? [0, 0, 0, 0];
  const box = doc.bbox === null ? null : ([scaled(west), scaled(south), scaled(east), scaled(north)] as const);
  return {
    about: { name, attribution, columns, box, digits, geometry: true },
    feature: { ...(id === null && { key: 'area' }), values: valuesOf(defined(rows[0]), columns), polygons, box },
  };
}
