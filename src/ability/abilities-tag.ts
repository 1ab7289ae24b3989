import { Tag } from '../platform/api/index.js';

/** API tag "Abilities". */
export const AbilitiesTag = () => Tag('Abilities', 'Permission checks: what the caller may do, and why not.');
