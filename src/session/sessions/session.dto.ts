import { emailField, Input, passwordField, textField, ulidField } from '../../platform/api/index.js';
import { DEVICE_TOKEN } from '../../authenticator/index.js';
import { REFRESH_TOKEN } from '../session.fields.js';

export class LoginDto {
  @Input(emailField())
  email: string;

  @Input(passwordField('compare'))
  password: string;

  @Input(DEVICE_TOKEN, { optional: true, description: 'Of a trusted device, in place of a second factor.' })
  deviceToken?: string;
}

export class RefreshDto {
  @Input(REFRESH_TOKEN)
  refreshToken: string;

  @Input(
    ulidField({
      description:
        'The tenant of the new access token. Does not change the selected tenant of the session, so that two tabs can use two tenants.',
    }),
    { optional: true },
  )
  tenantId?: string;

  @Input(
    textField({
      max: 64,
      example: 'help-centre',
      description: 'Id of the registered satellite that holds the grant. Omitted for a first-party grant.',
    }),
    { optional: true },
  )
  clientId?: string;

  @Input(
    textField({
      max: 512,
      password: true,
      example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
      description: 'Secret of the satellite that holds the grant. Sent by its server only.',
    }),
    { optional: true },
  )
  clientSecret?: string;
}

export class SelectTenantDto {
  @Input(ulidField({ description: 'Organization to select.' }))
  tenantId: string;
}
