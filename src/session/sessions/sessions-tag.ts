import { Tag } from '../../platform/api/index.js';

/** Operations under "Sessions" in the API documentation. */
export const SessionsTag = () =>
  Tag('Sessions', 'Login, refresh, tenant selection, step-up, and the three logouts.');
