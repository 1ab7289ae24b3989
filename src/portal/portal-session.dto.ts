import { Input } from '../platform/api/index.js';
import { REFRESH_TOKEN } from '../session/index.js';

export class PortalSessionDto {
  @Input(REFRESH_TOKEN, {
    optional: true,
    description: 'Refresh token of a sign-in that has just succeeded. By default, that of the cookie.',
  })
  refreshToken?: string;

  @Input.ulid({ optional: true, description: 'The tenant of the new access token.' })
  tenantId?: string;
}
