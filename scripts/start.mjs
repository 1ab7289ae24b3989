import { run } from './prepare.mjs';
import { SERVICE } from './service.mjs';

run(SERVICE);
