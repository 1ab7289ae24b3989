import { Controller, Get } from '@nestjs/common';
import { Answers, Input, Operation, Output, Public, QueryOf } from '../../platform/api/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { RelyingPartyLogout } from './relying-party-logout.js';

class LogoutRequestDto {
  @Input.text({ max: 64, example: 'help-centre', description: 'Client id of the client.' })
  clientId: string;

  @Input.text({
    optional: true,
    max: 500,
    example: 'https://help.example.com/',
    description: 'A registered address for the return, character by character.',
  })
  postLogoutRedirectUri?: string;

  @Input.text({
    optional: true,
    max: 2_048,
    example: 'x1',
    description: 'Passed on to the address of the return.',
  })
  state?: string;
}

class LogoutRequestResponse {
  @Output.text({ max: 100, example: 'Help centre', description: 'Name of the client.' })
  name: string;
  @Output.text({
    nullable: true,
    max: 8_192,
    format: 'uri',
    description: 'Address to which the app sends the browser after the logout; null for none.',
    example: 'https://help.example.com/?state=x1',
  })
  redirectTo: string | null;
}

/** Logouts that clients have begun without a proof, for the page on which a person confirms. */
@OpenIdTag()
@Controller('api/v1/iam/auth/logout-request')
export class LogoutRequestController {
  constructor(private readonly logouts: RelyingPartyLogout) {}

  @Get()
  @Public('names a client, and an address that is registered for it')
  @Operation(
    'Check the request for a logout',
    'For the page on which a person confirms a logout that a client has begun without a valid ID token. 400 for a client or address that is not registered. Changes nothing.',
  )
  @Answers(LogoutRequestResponse)
  getLogoutRequest(@QueryOf(LogoutRequestDto) query: LogoutRequestDto) {
    return this.logouts.describe(query);
  }
}
