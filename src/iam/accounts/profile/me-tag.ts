import { Tag } from '../../../platform/api/index.js';

/** Groups operations under the API tag "Me". */
export const MeTag = () => Tag('Me', "The caller's own account and sessions.");
