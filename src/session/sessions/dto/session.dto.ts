import { EmailField, PasswordField, TextField, UlidField } from '../../../platform/api/index.js';

export class LoginDto {
  @EmailField()
  email: string;

  @PasswordField('compare')
  password: string;
}

export class RefreshDto {
  @TextField({
    max: 512,
    example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  refreshToken: string;

  @UlidField({
    optional: true,
    description:
      'The tenant of the new access token. Does not change the selected tenant of the session, so that two tabs can use two tenants.',
  })
  tenantId?: string;

  @TextField({
    max: 64,
    optional: true,
    example: 'help-centre',
    description: 'Id of the registered satellite that holds the grant. Omitted for a first-party grant.',
  })
  clientId?: string;

  @TextField({
    max: 512,
    optional: true,
    password: true,
    example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    description: 'Secret of the satellite that holds the grant. Sent by its server only.',
  })
  clientSecret?: string;
}

export class SelectTenantDto {
  @UlidField()
  tenantId: string;
}
