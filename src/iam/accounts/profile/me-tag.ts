import { Tag } from '../../../platform/api/index.js';

/** What is told of under "Me" in the API documentation. */
export const MeTag = () => Tag('Me', "The caller's own account and sessions.");
