import { Tag } from '../platform/api/index.js';

/** What is told of under "Satellites" in the API documentation. */
export const SatellitesTag = () =>
  Tag(
    'Satellites',
    'Properties with servers of their own, that visitors are signed in at in the same session.',
  );
