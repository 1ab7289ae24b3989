import { SUBJECT_SHAPE } from '../../ability/index.js';
import { listField, Tag, textField, wordField } from '../../platform/api/index.js';
import { StrictBucket } from '../../platform/rate-limit/index.js';
import { MAX_SLUG_LENGTH, MIN_SLUG_LENGTH, SLUG_PATTERN } from './tenants/slug.js';

/** API tag of the operations on organizations. */
export const OrganizationsTag = () =>
  Tag('Organizations', 'Tenants: create, read, rename, archive, restore, delete and leave them.');

/** API tag of operations under "Members". */
export const MembersTag = () => Tag('Members', 'Members of an organization, and invitations to it.');

/** API tag of operations under "Roles". */
export const RolesTag = () =>
  Tag('Roles', 'Roles and their permissions: the built-in ones and those of the organization.');

/** API tag of operations under "Partners". */
export const PartnersTag = () =>
  Tag('Partners', 'Access of people of other organizations, without a membership.');

/** The token is the only proof, so that guesses are limited as a login is. */
export const PREVIEW_LIMIT = new StrictBucket('invitation-preview', 'RATE_LOGIN');

export const TENANT_NAME = textField({ max: 200, example: 'Lovelace Logistics' });

export const SLUG = textField({
  min: MIN_SLUG_LENGTH,
  max: MAX_SLUG_LENGTH,
  pattern: SLUG_PATTERN,
  shape: 'lower-case letters and digits, with single hyphens between them',
  description: 'Name of the organization in the address of its sign-in page, `/o/{slug}/sign-in`.',
  example: 'lovelace-logistics',
});

export const TENANT_STATUS = wordField(['active', 'archived']);

const SHAPE = '<scheme>:///<module>/<collection>/<ulid>';

export const THING = textField({
  max: 200,
  pattern: SUBJECT_SHAPE,
  shape: SHAPE,
  description: 'The thing.',
  example: 'gatehouse:///logistics/shipments/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
});

/** Things on which roles hold, and on what is below them. @param max number of them */
export const thingsField = (max: number, description: string) =>
  listField({
    min: 1,
    max,
    pattern: SUBJECT_SHAPE,
    message: `must have the shape ${SHAPE}`,
    description,
    example: ['gatehouse:///warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5'],
  });
