import { factors } from './tour/factors.mjs';
import { journey } from './tour/journey.mjs';
import { partners } from './tour/partners.mjs';
import { Tour } from './tour/tour.mjs';

const JOURNEYS = { journey, factors, partners };

const [name = 'journey', ...more] = process.argv.slice(2);
const walk = Object.hasOwn(JOURNEYS, name) && more.length === 0 ? JOURNEYS[name] : null;
if (!walk) {
  process.stderr.write(`Usage: npm run tour -- [${Object.keys(JOURNEYS).join(' | ')}]\n`);
  process.exit(2);
}
process.exitCode = await Tour.run(walk);
