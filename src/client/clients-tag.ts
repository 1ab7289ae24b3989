import { Tag } from '../platform/api/index.js';

/** API tag "APIs". */
export const ApisTag = () =>
  Tag('APIs', 'APIs of yours that accept access tokens of this service, and the clients that reach them.');

/** API tag "Satellites". */
export const SatellitesTag = () =>
  Tag('Satellites', 'Third-party clients with a server, which take part in the session of their visitor.');
