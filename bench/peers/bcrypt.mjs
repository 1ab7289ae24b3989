// Runs bcrypt alone, with one hash per core at a time. Prints hashes per second.
import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import { batch } from '../support/batch.mjs';

const [count, cost] = process.argv.slice(2).map(Number);
const { perSecond } = await batch(count, availableParallelism(), (n) => bcrypt.hash(`password ${n}`, cost));
process.stdout.write(String(perSecond));
