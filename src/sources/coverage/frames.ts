import { AREA_CHANGES, type OpenedDocument } from '../../../workers/formats/reading/document.ts';
import { withoutLayers } from '../../../workers/formats/reading/layers.ts';
import { listed } from './codes.ts';
import { type Shape, shapeOf, shown, Unusable } from './geometry.ts';
import { Placing } from './placing.ts';
import { textOf } from './properties.ts';
import { isTopology, readTopology } from './topology.ts';

/** GeoJSON types of an area that is not wrapped in a feature. */
const GEOMETRIES: ReadonlySet<string> = new Set(['Polygon', 'MultiPolygon', 'GeometryCollection']);

/** Whether a GeoJSON or TopoJSON geometry is none, or one of points or lines. */
const isNoArea = (geometry: unknown): boolean =>
  geometry === null || geometry === undefined || !GEOMETRIES.has(String((geometry as { type?: unknown }).type));

/** What gets the features of a file, one by one. */
export interface Features {
  /** Whether it takes no more features. */
  readonly isFull: boolean;
  /** @param isNoArea whether the feature is known to have no polygon, as a point */
  add(id: unknown, properties: unknown, shape: () => Shape, isNoArea?: boolean): void;
}

interface FrameOptions {
  /** Id and name of a geometry that is not wrapped in a feature. */
  readonly fileName: string;
  /** The reference system that decides, whatever the file says. */
  readonly crs?: string | undefined;
  /** The properties that have the id and the name; `id` and `name` when absent. */
  readonly map?: Readonly<Record<string, string>>;
}

/** Takes a file apart: gives the features of its collection, topology or document in another format to `features`. */
export class Frames {
  private readonly features: Features;
  private readonly fileName: string;
  private readonly map: Readonly<Record<string, string>>;
  private count = 0;
  /** Its reference system. */
  readonly placing: Placing;
  /** Points and lines that the reader of the format left out. */
  left = 0;
  /** What the reader of the format changed in areas. */
  readonly changes: string[] = [];

  constructor(features: Features, { fileName, crs, map = {} }: FrameOptions) {
    this.features = features;
    this.fileName = fileName;
    this.map = map;
    this.placing = new Placing(crs);
  }

  /** Whether no more features are taken. */
  get isFull(): boolean {
    return this.features.isFull;
  }

  /** Reads a top-level object: a feature, a geometry, a topology, or the frame of a collection already read. */
  document(value: Readonly<Record<string, unknown>>, features: number, object: string | undefined): void {
    if (isTopology(value)) {
      this.system(value.crs);
      this.topology(value, object);
      return;
    }
    if (object !== undefined) throw withoutLayers();
    if (value.type === 'Feature') {
      this.feature(value);
      return;
    }
    if (GEOMETRIES.has(String(value.type))) {
      this.geometry(value);
      return;
    }
    this.system(value.crs);
    if (value.type !== 'FeatureCollection') {
      throw new Error(`neither GeoJSON features nor TopoJSON: an object of type ${shown(value.type)}`);
    } else if (features === 0) throw new Error('a collection without features');
  }

  /** Takes the crs member of a file in GeoJSON. @throws Error as Placing.ofFile() */
  system(said: unknown): void {
    this.placing.ofFile(said, this.count);
  }

  private topology(value: Readonly<Record<string, unknown>>, object: string | undefined): void {
    const topology = readTopology(value, this.placing.place);
    const only = topology.names.length === 1 ? topology.names[0] : undefined;
    const name = object ?? only;
    if (name === undefined || !topology.names.includes(name)) {
      throw new Error(`choose an object of the topology with --layer: it has ${topology.names.join(', ')}`);
    }
    for (const geometry of topology.geometriesOf(name)) {
      if (this.features.isFull) return;
      this.give(geometry.id, geometry.properties, () => topology.shapeOf(geometry), isNoArea(geometry));
    }
  }

  feature(value: unknown): void {
    const { type, id, properties, geometry } = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (type !== 'Feature') throw new Error(`element ${this.count + 1} of \`features\` is not a Feature`);
    this.placing.ofFeature(value, this.count);
    this.give(id, properties, () => shapeOf(geometry, this.placing.place), isNoArea(geometry));
  }

  /** Reads the features of a file in another format. */
  async areas({ features, hasElementIds, name, system, tally }: OpenedDocument): Promise<void> {
    this.placing.ofDocument(system);
    let isEmpty = true;
    for await (const { id, name: called, properties, polygons } of features) {
      if (this.features.isFull) return;
      isEmpty = false;
      const isBare = Object.keys(properties).length === 0 && id === null && called === null;
      const known = isBare ? this.named(name) : properties;
      const own = hasElementIds ? (textOf(known, 'id') ?? id) : id;
      const shape = (): Shape => {
        if (polygons.length === 0) throw new Unusable('no polygon');
        return shapeOf({ type: 'MultiPolygon', coordinates: polygons }, this.placing.place);
      };
      this.give(own, known, shape, polygons.length === 0);
    }
    if (isEmpty) throw new Error('it has no features');
    this.left += tally.left;
    for (const [change, records] of Object.entries(tally.changed?.all ?? {})) {
      if (AREA_CHANGES.includes(change)) this.changes.push(`${change}: ${listed(records)}`);
    }
  }

  /** The properties of an area without any: the name of its document, or of the file. */
  private named(document: string | null): Record<string, string> {
    const name = document ?? this.fileName;
    return { [this.map.id ?? 'id']: name, [this.map.name ?? 'name']: name };
  }

  /** Reads a geometry that is not wrapped in a feature: one area with the name of the file. */
  private geometry(value: unknown): void {
    this.placing.ofFeature(value, this.count);
    this.give(undefined, this.named(null), () => shapeOf(value, this.placing.place));
  }

  private give(id: unknown, properties: unknown, shape: () => Shape, isNoArea = false): void {
    this.count++;
    this.features.add(id, properties, shape, isNoArea);
  }
}
