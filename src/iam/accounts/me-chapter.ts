import { Tag } from '../../platform/http/index.js';

/** What is told of under "Me" in the API documentation. */
export const MeChapter = () => Tag('Me', "The caller's own account and sessions.");
