import type { PlaceNodes } from '../../workers/arcs/center.ts';
import type { Coords } from '../../workers/contract.ts';
import type { Kind } from '../core/schemas.ts';

/** One more name of a boundary: `type` is the OSM key it came from (alt_name, short_name, official_name, …). */
export interface OtherName {
  readonly type: string;
  readonly text: string;
}

/** A boundary as its source describes it, before arcs are cut. Absent is null. */
export interface SourceBoundary {
  /** `r<relation id>` or `w<way id>`; null when the source knows no OSM id (the store then assigns one). */
  readonly id: string | null;
  /** Its id within the source, stable over versions of the file: `r62422`, `28079`, `06037`. */
  readonly sourceId: string;
  /** The version within the source: of the OSM object, or the edition of a file. Two numbers compare numerically. */
  readonly version: string;
  readonly type: 'administrative' | 'postal_code';
  readonly name: string;
  /** Names by language code (`name:fr` gives `fr`). The local default name is `name`. */
  readonly names: Readonly<Record<string, string>>;
  readonly otherNames: readonly OtherName[];
  /** Other codes people search by: postcodes, `ref`, INSEE, FIPS … as written. */
  readonly codes: readonly string[];
  /** Codes with their schemes besides those in `tags`: `insee:75056` (sources/codes.ts). */
  readonly codeIds?: readonly string[];
  readonly adminLevel: number | null;
  /** The kind if the source states it; null takes it from the kinds table. */
  readonly kind: Kind | null;
  /** ISO 3166-1 alpha-2 code this boundary itself carries (a country or a territory), else null. */
  readonly countryCode: string | null;
  /** The country that contains it, if the source states it (coverage files); null derives it from the polygons. */
  readonly country: string | null;
  /** Its ISO 3166-1 alpha-2 or 3166-2 code, else null. */
  readonly iso: string | null;
  readonly wikidata: string | null;
  readonly population: number | null;
  /** The raw tags or properties; the kinds table reads border_type, place, designation … from them. */
  readonly tags: Readonly<Record<string, string>>;
  /** `place` of the linked label or admin_centre node (city, town, …), else null. */
  readonly place: string | null;
  /** Places of its label and admin_centre nodes; absent if the source has no such nodes. */
  readonly places?: PlaceNodes;
  /** Canonical ids of its `subarea` members: a hint for children, not proof. */
  readonly subareas: readonly string[];
  /** Its border: ids of OSM ways in member order (roles do not matter), or closed rings of coordinates (even-odd). */
  readonly border: { readonly ways: readonly number[] } | { readonly rings: readonly Coords[] };
}
