import { Tag } from '../platform/http/index.js';

/** What is told of under "Satellites" in the API documentation. */
export const SatellitesChapter = () =>
  Tag(
    'Satellites',
    'Properties with servers of their own, that visitors are signed in at in the same session.',
  );
