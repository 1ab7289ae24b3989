import { runService } from './service.js';
import { mapStackTraces } from './source-maps.js';

mapStackTraces();
runService();
