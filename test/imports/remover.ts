/**
 * Stores seed boundaries, and sources of the same places; or imports "zones", which takes the place of a seed boundary,
 * and creates the job that removes it; or runs that job. With a part of a statement it is killed right after that
 * statement has run.
 */
import { cell } from '../sets/made_set.ts';
import { openJobsOfOperator } from './jobs_of_operator.ts';

const [step = '', part = ''] = process.argv.slice(2);
const jobs = await openJobsOfOperator(part);
if (step === 'store') {
  await jobs.createImport('seeds', { a: cell(0.2, 0.2), d: cell(0.2, 1.2) });
  await jobs.runAndForget();
  // What makes imported data seed data is this mark of its source.
  await jobs.db.query("update source set seed = true where id = 'seeds'");
  await jobs.createImport('others', { b: cell(1.2, 0.2), e: cell(1.2, 1.2) });
  await jobs.runAndForget();
}
if (step === 'import') {
  await jobs.createImport('zones', { a: cell(0.2, 0.2), b: cell(1.2, 0.2), c: cell(2.2, 0.2) });
  await jobs.runAndForget();
  await jobs.createRemoval('zones');
}
if (step === 'run') await jobs.run();
await jobs.close();
