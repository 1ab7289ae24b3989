import { Tag } from '../../platform/api/index.js';

/** API tag of the operations on organizations. */
export const OrganizationsTag = () =>
  Tag('Organizations', 'Tenants: create, read, rename, archive, restore, delete and leave them.');

/** Groups operations under the API tag "Members". */
export const MembersTag = () => Tag('Members', 'Members of an organization, and invitations to it.');

/** Groups operations under the API tag "Roles". */
export const RolesTag = () =>
  Tag('Roles', 'Roles and their permissions: the built-in ones and those of the organization.');

/** Groups operations under the API tag "Partners". */
export const PartnersTag = () =>
  Tag('Partners', 'Access of people of other organizations, without a membership.');
