import { runService } from './service.js';

runService();
