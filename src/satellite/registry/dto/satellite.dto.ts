import { SCOPE_SHAPE } from '../../../ability/index.js';
import { ListField, TextField } from '../../../platform/api/index.js';

/** Format of a client id. */
export const CLIENT_ID = /^[a-z][a-z0-9-]{1,62}[a-z0-9]$/;

const NameField = (optional: boolean) => TextField({ max: 100, optional, example: 'Help centre' });
const RedirectUrisField = (optional: boolean) =>
  ListField({
    min: 1,
    max: 20,
    optional,
    pattern: /^https?:\/\/.{1,490}$/,
    message: 'must be an https address of at most 500 characters (http for localhost)',
    example: ['https://help.example.com/callback'],
    description: 'Addresses to which codes may be sent. Compared character by character.',
  });

/** A scope, or `*`. */
export const SATELLITE_SCOPE = new RegExp(`^\\*$|${SCOPE_SHAPE.source}`);
export const MAX_SCOPES = 200;

const ScopesField = () =>
  ListField({
    min: 0,
    max: MAX_SCOPES,
    optional: true,
    pattern: SATELLITE_SCOPE,
    message: 'must be * or have the format <module>:<entity>:<action>',
    example: ['iam:tenant:read'],
    description:
      'Scopes of its tokens, if the visitor holds them. None by default. `*`, sent alone, stands for all scopes of the visitor; use it only for your own clients.',
  });

export class RegisterSatelliteDto {
  @TextField({
    min: 3,
    max: 64,
    pattern: CLIENT_ID,
    shape: 'lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen',
    example: 'help-centre',
  })
  clientId: string;

  @NameField(false)
  name: string;

  @RedirectUrisField(false)
  redirectUris: string[];

  @ScopesField()
  scopes?: string[];
}

export class UpdateSatelliteDto {
  @NameField(true)
  name?: string;

  @RedirectUrisField(true)
  redirectUris?: string[];

  @ScopesField()
  scopes?: string[];
}
