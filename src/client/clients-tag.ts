import { Tag } from '../platform/api/index.js';

/** API tag "Satellites". */
export const SatellitesTag = () =>
  Tag('Satellites', 'Third-party clients with a server, which take part in the session of their visitor.');
