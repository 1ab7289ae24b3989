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
      'Work in this tenant with the new access token, without selecting it for the session: two tabs can be in two tenants.',
  })
  tenantId?: string;

  @TextField({
    max: 64,
    optional: true,
    example: 'help-centre',
    description:
      'For the grant of a satellite, as the satellite is registered. Without it, the grant has to be one of the app.',
  })
  clientId?: string;

  @TextField({
    max: 512,
    optional: true,
    password: true,
    example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    description: 'For the grant of a satellite: sent by its server alone.',
  })
  clientSecret?: string;
}

export class SelectTenantDto {
  @UlidField()
  tenantId: string;
}
