import type { PointUnits } from '../../../workers/arcs/center.ts';
import {
  isClosed,
  isRingRole,
  NOWHERE,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
  storable,
} from '../../../workers/osm/elements.ts';
import { defined } from '../../common/elements.ts';
import { isCarriedCode } from '../countries.ts';
import type { OtherName, SourceBoundary } from '../types.ts';
import type { OsmExtract } from './collect.ts';

type Tags = Readonly<Record<string, string>>;
type Names = Record<string, string>;

/** Keys that name a boundary when `name` is absent, in order of preference. */
const NAME_KEYS = ['name:en', 'official_name', 'int_name', 'short_name', 'loc_name', 'alt_name', 'old_name'];
/** Keys with the code of a postcode area, in order of preference; addr:postcode is a common mistake for postal_code. */
const POSTCODE_KEYS = ['postal_code', 'postcode', 'addr:postcode', 'ref'];
/** Keys of other names; each may also have a language: alt_name:de. */
const OTHER_NAME_KEYS = ['alt_name', 'short_name', 'official_name', 'old_name', 'int_name', 'loc_name'];
const CODE_KEYS = new Set([
  'ref',
  'postal_code',
  'postcode',
  'addr:postcode',
  'de:amtlicher_gemeindeschluessel',
  'de:regionalschluessel',
  'ISO3166-1',
  'ISO3166-1:alpha2',
  'ISO3166-1:alpha3',
  'ISO3166-1:numeric',
  'ISO3166-2',
  'nist:fips_code',
  'nist:state_fips',
]);

/**
 * The boundaries of an extract (OSM wiki, Relation:boundary), in the order of their ids, and the skipped objects with
 * the reason.
 *
 * An administrative boundary without a name takes its `ref`, else its id, as its name. Without a valid admin_level
 * (1 … 12), its level is null. A postcode area without postcode and name is skipped. A closed way is a boundary if it
 * has a name or postcode and is not a ring member of a boundary relation of the extract; ring members are not reported.
 *
 * `border.ways` are the way members with a ring role, in member order, whether or not the file has them. A way that is
 * listed twice stays twice, though that is often a mistake: the assembler removes equal segments in pairs, as libosmium
 * does.
 */
export function toSourceBoundaries(extract: OsmExtract): {
  boundaries: SourceBoundary[];
  skipped: { id: string; reason: string }[];
} {
  const boundaries: SourceBoundary[] = [];
  const skipped: { id: string; reason: string }[] = [];
  const ringMembers = new Set<number>();
  for (const relation of extract.relations) {
    const id = `r${relation.id}`;
    const boundary = relation.id > 0 ? fromRelation(id, relation, extract.nodes) : null;
    if (boundary === null) {
      skipped.push({
        id,
        reason: relation.id > 0 ? 'no postcode and no name' : 'not in OpenStreetMap yet: id below 1',
      });
      continue;
    }
    boundaries.push(boundary);
    if ('ways' in boundary.border) for (const way of boundary.border.ways) ringMembers.add(way);
  }
  for (const way of extract.ways.values()) {
    const type = boundaryType(way.tags);
    if (type === null || (extract.alone ? !extract.alone.has(way.id) : ringMembers.has(way.id))) continue;
    const id = `w${way.id}`;
    const reason = whyNoBoundary(way, type);
    if (reason !== null) skipped.push({ id, reason });
    else boundaries.push(describe(id, type, way.version, clean(way.tags), [], { ways: [way.id] }, [], null));
  }
  return { boundaries, skipped };
}

/** Whether toSourceBoundaries() makes a boundary of this relation. */
export function isDescribed(relation: OsmRelation): boolean {
  return relation.id > 0 && fromRelation('', relation, new Map()) !== null;
}

function fromRelation(id: string, relation: OsmRelation, nodes: ReadonlyMap<number, OsmNode>): SourceBoundary | null {
  const tags = clean(relation.tags);
  const type = boundaryType(tags);
  if (type === null || (type === 'postal_code' && ownName(type, tags) === null)) return null;
  const ways = relation.members.filter(({ type, role }) => type === 'w' && isRingRole(role)).map(({ ref }) => ref);
  const subareas = relation.members
    .filter(({ type, role }) => type !== 'n' && role === 'subarea')
    .map(({ type, ref }) => `${type}${ref}`);
  const linked = (...roles: string[]): OsmNode | null => {
    for (const { type, ref, role } of relation.members) {
      const node = type === 'n' && roles.includes(role) ? nodes.get(ref) : undefined;
      if (node !== undefined) return node;
    }
    return null;
  };
  const labelNode = linked('label');
  const centerNode = linked('admin_centre', 'admin_center');
  const label = labelNode && clean(labelNode.tags);
  const center = centerNode && clean(centerNode.tags);
  const described = [label, center !== null && sameThing(tags, center) ? center : null].filter((tags) => tags !== null);
  const place = label?.place ?? center?.place ?? null;
  const boundary = describe(id, type, relation.version, tags, described, { ways }, [...new Set(subareas)], place);
  return { ...boundary, places: { label: placeOf(labelNode), seat: placeOf(centerNode) } };
}

function placeOf(node: OsmNode | null): PointUnits | null {
  return node === null || node.x === NOWHERE ? null : [node.x, node.y];
}

/** Builds a boundary; `linked` are the tags of nodes that describe the same place, the best first. */
function describe(
  id: string,
  type: SourceBoundary['type'],
  version: number,
  tags: Tags,
  linked: readonly Tags[],
  border: SourceBoundary['border'],
  subareas: readonly string[],
  place: string | null,
): SourceBoundary {
  const name = ownName(type, tags) ?? tags.ref ?? id;
  const iso2 = tags['ISO3166-1:alpha2'] ?? tags['ISO3166-1'] ?? '';
  const countryCode = isCarriedCode(iso2) ? iso2 : null;
  const names: Names = {};
  for (const source of [tags, ...linked]) for (const [lang, text] of langNames(source)) names[lang] ??= text;
  let population: number | null = null;
  for (const source of [tags, ...linked]) population ??= parsePopulation(source.population);
  return {
    id,
    sourceId: id,
    version: String(version),
    type,
    name,
    names,
    otherNames: otherNames(type, name, tags),
    codes: codes(tags),
    adminLevel: parseAdminLevel(tags.admin_level),
    kind: null,
    countryCode,
    country: null,
    iso: countryCode ?? parts(tags['ISO3166-2']).find((code) => /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code)) ?? null,
    wikidata: tags.wikidata !== undefined && /^Q\d+$/.test(tags.wikidata) ? tags.wikidata : null,
    population,
    tags,
    place,
    subareas,
    border,
  };
}

function boundaryType(tags: Tags): SourceBoundary['type'] | null {
  return tags.boundary === 'administrative' || tags.boundary === 'postal_code' ? tags.boundary : null;
}

/** Why a way that is not a ring member is not a boundary; null if it is one. */
function whyNoBoundary(way: OsmWay, type: SourceBoundary['type']): string | null {
  if (way.id <= 0) return 'not in OpenStreetMap yet: id below 1';
  if (way.refs === null && way.coords === null) return 'the source gives neither nodes nor geometry';
  if (!(way.refs === null ? coordsClose(way.coords) : isClosed(way.refs))) return 'not closed';
  return ownName(type, clean(way.tags)) === null ? 'no postcode and no name' : null;
}

function coordsClose(coords: Int32Array | null): boolean {
  const n = coords?.length ?? 0;
  return coords !== null && n >= 8 && coords[0] === coords[n - 2] && coords[1] === coords[n - 1];
}

/** The name in the tags, or null. For a postcode area, its code. Of several values in a key of NAME_KEYS, the first. */
function ownName(type: SourceBoundary['type'], tags: Tags): string | null {
  if (type === 'postal_code') for (const key of POSTCODE_KEYS) if (tags[key] !== undefined) return tags[key];
  if (tags.name !== undefined) return tags.name;
  for (const key of NAME_KEYS) for (const name of parts(tags[key])) return name;
  return null;
}

// The shape of a language tag (RFC 5646): a language of two or three letters, then subtags. It excludes name:prefix,
// name:left, name:etymology:wikidata and dates.
const LANG = /^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/;
/** Suffixes for romanization from before language tags were in use: name:ja_rm, name:zh_pinyin. */
const OLD_LANG = /^[a-z]{2,3}_[a-z]{2,8}$/;
/** Suffixes that are not languages: name:old and the like are misspellings of old_name. */
const NO_LANGS = new Set(['old', 'int', 'loc', 'nat', 'reg', 'url']);

function langOf(key: string, prefix: string): string | null {
  const lang = key.startsWith(`${prefix}:`) ? key.slice(prefix.length + 1) : '';
  return LANG.test(lang) && !NO_LANGS.has(lang) ? lang : null;
}

function langNames(tags: Tags): [string, string][] {
  const found: [string, string][] = [];
  for (const [key, text] of Object.entries(tags)) {
    const lang = langOf(key, 'name');
    if (lang !== null) found.push([lang, text]);
  }
  return found;
}

function otherNames(type: SourceBoundary['type'], name: string, tags: Tags): OtherName[] {
  const found: OtherName[] = [];
  const add = (type: string, value: string) => {
    for (const text of parts(value)) {
      if (text !== name && !found.some((other) => other.type === type && other.text === text)) {
        found.push({ type, text });
      }
    }
  };
  // A postcode area is named by its code; its `name` tag ("10115 Berlin Mitte") is worth finding, too.
  if (type === 'postal_code' && tags.name !== undefined) add('name', tags.name);
  for (const key of OTHER_NAME_KEYS) {
    if (tags[key] !== undefined) add(key, tags[key]);
    for (const other of Object.keys(tags)) if (langOf(other, key) !== null) add(other, defined(tags[other]));
  }
  for (const key of Object.keys(tags)) {
    if (key.startsWith('name:') && OLD_LANG.test(key.slice(5))) add(key, defined(tags[key]));
  }
  return found;
}

function codes(tags: Tags): string[] {
  const found = new Set<string>();
  for (const [key, value] of Object.entries(tags)) {
    if (CODE_KEYS.has(key) || key.startsWith('ref:') || key.startsWith('ine:')) {
      for (const code of parts(value)) found.add(code);
    }
  }
  return [...found];
}

/** The values of a semicolon list, trimmed, without empty ones. */
function parts(value: string | undefined): string[] {
  return (value ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** admin_level as an integer 1 … 12, else null. */
function parseAdminLevel(text: string | undefined): number | null {
  const level = /^\d{1,2}$/.test(text ?? '') ? Number(text) : 0;
  return level >= 1 && level <= 12 ? level : null;
}

/**
 * A population of up to ten digits, plain or in groups of three with one kind of separator. Anything less certain
 * (approximations, ranges, fractions) is null.
 */
function parsePopulation(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const grouped = /^\d{1,3}([ .,'’\u00a0\u202f])\d{3}(?:\1\d{3}){0,2}$/.test(text);
  return grouped ? Number(text.replace(/\D/g, '')) : null;
}

/**
 * Whether an admin_centre node describes the boundary itself, as a town describes its municipality but a capital does
 * not describe its country: both have the same wikidata item or, if one has none, the node is a place of the same name.
 */
function sameThing(tags: Tags, node: Tags): boolean {
  if (tags.wikidata !== undefined && node.wikidata !== undefined) return tags.wikidata === node.wikidata;
  return node.place !== undefined && node.name !== undefined && node.name === tags.name;
}

/** OpenStreetMap's limit for a key or value, in characters; longer ones come only from damaged or hostile files. */
const MAX_TEXT = 255;

/**
 * Tags that are safe to store: trimmed, at most 255 characters, without empty ones; NUL (which PostgreSQL refuses) and
 * unpaired surrogates are replaced. Keys are sorted, as their order differs between files.
 */
function clean(tags: Tags): Record<string, string> {
  const out: Record<string, string> = {};
  for (const key of Object.keys(tags).sort()) {
    const text = cleanText(defined(tags[key]));
    if (text !== '') out[cleanText(key)] = text;
  }
  return out;
}

function cleanText(text: string): string {
  const whole = storable(text).trim();
  return whole.length <= MAX_TEXT ? whole : [...whole.slice(0, 2 * MAX_TEXT)].slice(0, MAX_TEXT).join('').trim();
}
