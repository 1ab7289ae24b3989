import { Input, objectField, Output } from '../../platform/api/index.js';
import type { TenantId } from '../../kernel/index.js';
import { CLIENT_LOGO_URL, clientLogoUrlOf } from '../../client/index.js';
import { plainScopesOf } from '../apis/api-scopes.js';
import { AskedApiResponse } from '../apis/asked-api.dto.js';
import type { PresentedDevice } from './device.service.js';
import { formatUserCode, readUserCode } from './user-code.js';

export class UserCodeDto {
  @Input.text({
    max: 20,
    example: 'WDJB-MJHT',
    description: 'Code that the device shows, in any case and with any separators.',
  })
  userCode: string;
}

export class ApproveDeviceDto extends UserCodeDto {
  @Input.ulid({ optional: true, description: 'Organization of the grant; by default the selected one.' })
  tenantId?: TenantId;
}

class DeviceClientResponse {
  @Output.text({ max: 64, example: 'depot-scanner' })
  clientId: string;
  @Output.text({ max: 100, example: 'Depot scanner' })
  name: string;
  @Output.text({ nullable: true, max: 500, format: 'uri', example: 'https://help.example.com/logo.png' })
  logoUri: string | null;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
}

export class DeviceResponse {
  @Output(objectField(() => DeviceClientResponse))
  client: DeviceClientResponse;
  @Output.list({ max: 205, pattern: /^[\w:-]+$/, example: ['openid', 'tenant'] })
  scopes: string[];
  @Output(objectField(() => AskedApiResponse), {
    nullable: true,
    description: 'API that the device asks for; null for this service.',
  })
  api: AskedApiResponse | null;
  @Output.boolean({ example: false })
  firstParty: boolean;
  @Output.text({
    max: 9,
    example: 'WDJB-MJHT',
    description: 'Ask the person whether the device shows this code, before they approve.',
  })
  userCode: string;

  static from({ client, scopes, api }: PresentedDevice, entered: string): DeviceResponse {
    const { clientId, name, logoUri, firstParty } = client;
    const userCode = formatUserCode(readUserCode(entered));
    return {
      client: { clientId, name, logoUri, logoUrl: clientLogoUrlOf(client) },
      scopes: plainScopesOf(scopes),
      api: api && AskedApiResponse.from(api, scopes),
      firstParty,
      userCode,
    };
  }
}
