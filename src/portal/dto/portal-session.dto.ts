import { TextField, UlidField } from '../../platform/api/index.js';

export class PortalSessionDto {
  @TextField({
    max: 512,
    optional: true,
    example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    description: 'Refresh token of a sign-in that has just succeeded. By default, that of the cookie.',
  })
  refreshToken?: string;

  @UlidField({ optional: true, description: 'The tenant of the new access token.' })
  tenantId?: string;
}
