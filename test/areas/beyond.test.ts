import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Draw, type Stored, storedOf } from '../search/made.ts';
import { idsOf, openPlanning, type Planning } from './planned.ts';

/** Names with which a province of Spain is alone, so that they mean it without a container. */
const PLACES = ['Burgos', 'Soria', 'Huesca', 'Cuenca', 'Albacete', 'Palencia', 'Zamora'];

/** What "north of" and the others say in each language. */
const WORDS = {
  north: ['north of', 'al norte de', 'nördlich von', 'au nord de'],
  south: ['that lie south of', 'situadas al sur de', 'südlich von', 'au sud de'],
  east: ['to the east of', 'que están al este de', 'östlich von', "à l'est de"],
  west: ['west of', 'al oeste de', 'westlich von', "situées à l'ouest de"],
} as const;
type Direction = keyof typeof WORDS;
const DIRECTIONS = Object.keys(WORDS) as Direction[];

describe('what lies beyond a place', { timeout: 600_000 }, () => {
  const draw = new Draw(20_783);
  let planning: Planning;
  let provinces: Stored[];
  let ends: Map<
    string,
    { readonly north: number; readonly south: number; readonly east: number; readonly west: number }
  >;
  let centroids: Map<string, { readonly lat: number; readonly lon: number }>;

  beforeAll(async () => {
    planning = await openPlanning();
    const { db } = planning.server.test;
    provinces = await storedOf(db, 'ES', 6);
    const ids = provinces.map(({ id }) => id);
    const rows = await db.query<{ id: string; north: number; south: number; east: number; west: number }>(
      `select boundary_id as id, st_ymax(geom) as north, st_ymin(geom) as south, st_xmax(geom) as east, st_xmin(geom) as west
       from boundary_shape where boundary_id = any ($1)`,
      [ids],
    );
    ends = new Map(rows.map((row) => [row.id, row]));
    const middles = await db.query<{ id: string; lat: number; lon: number }>(
      'select id, lat / 1e7 as lat, lon / 1e7 as lon from boundary where id = any ($1)',
      [ids],
    );
    centroids = new Map(middles.map((row) => [row.id, row]));
  }, 600_000);
  afterAll(() => planning?.close());

  const idOf = (name: string): string => provinces.find((one) => one.name === name)?.id ?? '';

  /** The provinces whose centroid lies beyond the end of a place. */
  const beyond = (name: string, direction: Direction): Stored[] =>
    provinces.filter(({ id }) => {
      const [at, end] = [centroids.get(id), ends.get(idOf(name))];
      if (!at || !end) return false;
      if (direction === 'north') return at.lat > end.north;
      if (direction === 'south') return at.lat < end.south;
      return direction === 'east' ? at.lon > end.east : at.lon < end.west;
    });

  it.each(DIRECTIONS)('provinces %s of a province are those whose centroid is beyond its end', async (direction) => {
    for (const place of draw.some(PLACES, 3)) {
      const [en, es, de, fr] = WORDS[direction];
      const wanted = idsOf(beyond(place, direction));
      expect(wanted.length).toBeGreaterThan(0);
      for (const description of [
        `provinces of Spain ${en} the province of ${place}`,
        `provincias de España ${es} la provincia de ${place}`,
        `Provinzen Spaniens ${de} der Provinz ${place}`,
        `les provinces d'Espagne ${fr} la province de ${place}`,
      ]) {
        const found = await planning.plan(description);
        expect(found && idsOf(found.include), description).toEqual(wanted);
      }
    }
  });

  it('a part of a place is cut through the end of the other, which the plan says', async () => {
    for (const description of [
      'the part of Spain north of the province of Burgos',
      'the part of Spain that lies to the north of Burgos province',
      'Spain north of the province of Burgos',
      'la parte de España al norte de la provincia de Burgos',
      'der Teil von Spanien nördlich der Provinz Burgos',
      "la partie de l'Espagne située au nord de la province de Burgos",
    ]) {
      const found = await planning.plan(description);
      expect(
        found?.include.map(({ name }) => name),
        description,
      ).toEqual(['Spain']);
      expect(found?.steps.at(-1), description).toMatchObject({ op: 'clip', direction: 'north', from: 1 });
      expect(JSON.stringify(found?.steps.at(-1)), description).toContain('the northern end of Burgos');
      const again = await planning.plan((found?.reading ?? '') as string);
      expect(again?.steps.at(-1)).toMatchObject({ op: 'clip', direction: 'north' });
    }
  });

  it('without a place that contains it, and where nothing lies there, it is refused', async () => {
    for (const description of ['everything north of Burgos', 'north of Burgos', 'South of Spain'])
      expect((await planning.refused(description)).message, description).toContain('write "the part of … ');
    expect((await planning.plan('the south of Spain'))?.include.length).toBeGreaterThan(1);
    const nothing = await planning.refused('the part of Portugal north of Sweden');
    expect(nothing.message).toContain('nothing of it lies north');
    await planning.refused('Portugal and Spain north of Burgos');
    await planning.refused('the part of Spain north of the northern half of Portugal');
  });
});
