/**
 * Stores a file as the source "zones" and creates a job that imports a newer one, or runs the due jobs of the database of
 * its environment if that was done before. With a part of a statement it is killed right after that statement has run.
 */
import { cell } from '../sets/made_set.ts';
import { openJobsOfOperator } from './jobs_of_operator.ts';

const [part = ''] = process.argv.slice(2);
const jobs = await openJobsOfOperator(part);
if (await jobs.isKnown()) await jobs.run();
else {
  await jobs.createImport('zones', { a: cell(0.2, 0.2), b: cell(1.2, 0.2) });
  await jobs.runAndForget();
  await jobs.createImport('zones', { a: cell(0.2, 0.2, 1.1), b: cell(1.3, 0.2, 0.9), c: cell(2.2, 0.2) });
}
await jobs.close();
