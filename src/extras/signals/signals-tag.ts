import { Tag } from '../../platform/api/index.js';

/** API tag "Signals". */
export const SignalsTag = () =>
  Tag(
    'Signals',
    'Security events for other services (Shared Signals Framework 1.0): ended sessions and the like.',
  );
