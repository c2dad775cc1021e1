// The obvious program: opens an empty PGlite with PostGIS in a folder and queries PostGIS.
import { PGlite } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';

const db = await PGlite.create({ dataDir: process.argv[2], extensions: { postgis } });
await db.exec('create extension if not exists postgis');
const { rows } = await db.query("select st_area('POLYGON((0 0,1 0,1 1,0 0))'::geometry) as area");
await db.close();
process.stdout.write(String(rows[0].area));
