import { Tag } from '../platform/http/index.js';

/** Operations under "Sessions" in the API documentation. */
export const SessionsChapter = () =>
  Tag('Sessions', 'Login, refresh, tenant selection, step-up, and the three logouts.');
