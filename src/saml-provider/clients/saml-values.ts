/** Formats of NameIDs that this service gives. */
export const NAME_ID_FORMATS = ['persistent', 'email', 'transient'] as const;
export type NameIdFormat = (typeof NAME_ID_FORMATS)[number];

export const LOGOUT_BINDINGS = ['redirect', 'post'] as const;
export type LogoutBinding = (typeof LOGOUT_BINDINGS)[number];

/** What an attribute says of the person. */
export const ATTRIBUTE_SOURCES = [
  'email',
  'name',
  'first-name',
  'last-name',
  'organization-id',
  'organization-slug',
  'organization-name',
  'roles',
  'groups',
  'worker-number',
] as const;
export type AttributeSource = (typeof ATTRIBUTE_SOURCES)[number];

export const NAME_FORMATS = ['basic', 'uri', 'unspecified'] as const;

/** An attribute of assertions. */
export interface ReleasedAttribute {
  readonly name: string;
  readonly nameFormat: (typeof NAME_FORMATS)[number];
  readonly source: AttributeSource;
}

/** An assertion consumer service, by HTTP-POST. */
export interface Consumer {
  readonly url: string;
  readonly index: number;
}
