import { Input, ulidField } from '../platform/api/index.js';
import { REFRESH_TOKEN } from '../session/index.js';

export class PortalSessionDto {
  @Input(REFRESH_TOKEN, {
    optional: true,
    description: 'Refresh token of a sign-in that has just succeeded. By default, that of the cookie.',
  })
  refreshToken?: string;

  @Input(ulidField({ description: 'The tenant of the new access token.' }), { optional: true })
  tenantId?: string;
}
