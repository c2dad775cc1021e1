import { join } from 'node:path';
import { compile } from '../http/server.ts';
import { compared, type Options, type Result } from '../measure.ts';
import { run, versionOf } from './command.ts';
import { COMMUNES } from './communes.ts';
import { BenchDatabase, OurImport, polygonsIn, server } from './native.ts';
import { benchReading, SAME_AREA } from './reading.ts';
import { inTurn } from './rounds.ts';

/** Communes in a smoke run. */
const FEW = 30;

/** A file of the same communes. */
interface Kind {
  readonly name: string;
  readonly file: string;
  /** The words of the program that makes it of the GeoJSON file `from`. */
  make(from: string, to: string): readonly [program: string, ...words: string[]];
}

const byOgr = (format: string, ...more: string[]): Kind['make'] => {
  return (from, to) => ['ogr2ogr', '-f', format, to, from, '-nln', 'communes', ...more];
};

// The Debian package of GDAL writes no GeoParquet.
const KINDS: readonly Kind[] = [
  { name: 'GeoPackage in EPSG:2154', file: 'communes.gpkg', make: byOgr('GPKG', '-t_srs', 'EPSG:2154') },
  { name: 'a zipped Shapefile', file: 'communes.shz', make: byOgr('ESRI Shapefile', '-lco', 'ENCODING=UTF-8') },
  { name: 'FlatGeobuf', file: 'communes.fgb', make: byOgr('FlatGeobuf') },
  {
    name: 'GeoParquet',
    file: 'communes.parquet',
    make: (from, to) => [process.execPath, 'dist/src/main.js', 'convert', from, to],
  },
];

/** Whether the Debian package of GDAL reads a file. */
const isReadByOgr = (file: string): boolean => !file.endsWith('.parquet');

/**
 * Imports France's communes (in a smoke run, some of them) from files of four formats, each against the import of the
 * same communes as GeoJSON, into an empty native PostGIS, and reads those of three
 * of them to rings beside ogr2ogr. The answers are the same if the number of polygons is equal
 * and the sums of their areas agree to a millionth.
 */
export async function benchFileFormats(dataDir: string, folder: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home || (await versionOf('ogr2ogr')) === null) {
    process.stderr.write(home ? 'import: ogr2ogr is not installed (apt install gdal-bin)\n' : '');
    return [];
  }
  compile();
  const base = join(folder, 'communes.geojson');
  const some = options.smoke ? ['-limit', String(FEW)] : [];
  const source = `/vsigzip/${join(dataDir, 'coverage/fr-communes.geojson.gz')}`;
  await run('ogr2ogr', ['-f', 'GeoJSON', base, source, '-lco', 'RFC7946=YES', '-makevalid', ...some]);
  const results: Result[] = [];
  for (const { name, file, make } of KINDS) {
    const path = join(folder, file);
    const [program, ...words] = make(base, path);
    await run(program, words);
    if (isReadByOgr(file)) results.push(await benchReading(name, path, folder, options));
    const [ours, theirs] = [new BenchDatabase(home, 'ours'), new BenchDatabase(home, 'theirs')];
    const [mine, other] = [new OurImport(ours, path, COMMUNES), new OurImport(theirs, base, COMMUNES)];
    try {
      const times = await inTurn(1, mine, other);
      const [found, wanted] = [await polygonsIn(ours.url), await polygonsIn(theirs.url)];
      const same = found.count === wanted.count && Math.abs(found.area / wanted.area - 1) < SAME_AREA;
      if (!same) process.stderr.write(`import: ${name} ${JSON.stringify([found, wanted])}\n`);
      results.push(
        compared(`import of ${found.count} communes as ${name}`, times.ours, 'the same as GeoJSON', times.theirs, same),
      );
    } finally {
      await mine.close();
      await other.close();
      await ours.drop();
      await theirs.drop();
    }
  }
  return results;
}
