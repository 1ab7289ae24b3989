export { beginOf, ChartResponse, SourcesResponse } from './chart.dto.js';
export type { Span } from './count.entity.js';
export { CountRepository, type CountRow } from './count.repository.js';
export { Counts, type Tally } from './counts.js';
export { CountsModule } from './counts.module.js';
