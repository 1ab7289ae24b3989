import { Tag } from '../../platform/api/index.js';

/** Groups operations under the API tag "Me". */
export const MeTag = () => Tag('Me', "The caller's own account and sessions.");

/** Groups operations under the API tag "Accounts". */
export const AccountsTag = () =>
  Tag('Accounts', 'Registration, verification of the address, password reset, deletion.');
