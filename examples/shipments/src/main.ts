import { createGatehouse } from 'gatehouse';
import { options } from './options.js';

await createGatehouse(options).run();
