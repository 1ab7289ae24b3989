import { Input, passwordField } from '../../platform/api/index.js';
import { DEVICE_TOKEN } from '../../authenticator/index.js';
import { REFRESH_TOKEN } from '../session.declarations.js';

export class LoginDto {
  @Input.email()
  email: string;

  @Input(passwordField('compare'))
  password: string;

  @Input(DEVICE_TOKEN, { optional: true, description: 'Of a trusted device, in place of a second factor.' })
  deviceToken?: string;
}

export class RefreshDto {
  @Input(REFRESH_TOKEN)
  refreshToken: string;

  @Input.ulid({
    optional: true,
    description:
      'The tenant of the new access token. Does not change the selected tenant of the session, so that two tabs can use two tenants.',
  })
  tenantId?: string;

  @Input.text({
    optional: true,
    max: 64,
    example: 'help-centre',
    description: 'Id of the registered satellite that holds the grant. Omitted for a first-party grant.',
  })
  clientId?: string;

  @Input.text({
    optional: true,
    max: 512,
    password: true,
    example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    description: 'Secret of the satellite that holds the grant. Sent by its server only.',
  })
  clientSecret?: string;
}

export class SelectTenantDto {
  @Input.ulid({ description: 'Organization to select.' })
  tenantId: string;
}
