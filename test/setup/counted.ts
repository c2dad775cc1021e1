import { startCounting } from './work.ts';

startCounting();
