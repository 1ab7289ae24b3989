import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Answers, Operation, Output, Public, Tag, textField } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';

class RelatedOriginsResponse {
  @Output.list({
    max: 1_000,
    itemMax: 300,
    pattern: /^https:\/\/[^/]+$/,
    description: 'Origins whose pages may use passkeys of this relying party.',
    example: ['https://app.example.com'],
  })
  origins: string[];
}

const PAGE = textField({ max: 500, format: 'uri', example: 'https://app.example.com/account/security' });

class PasskeyEndpointsResponse {
  @Output(PAGE, { description: 'Page that adds a passkey.' })
  enroll: string;
  @Output(PAGE, { description: 'Page that shows and removes passkeys.' })
  manage: string;
}

/** Tells browsers and password managers about the passkeys of this service. */
@Tag('Passkeys', 'What browsers and password managers read about passkeys.')
@Controller('.well-known')
export class WellKnownController {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Get('webauthn')
  @Public('read by browsers')
  @Header('Cache-Control', 'public, max-age=300')
  @Operation(
    'Get the origins that may use the passkeys',
    'Related origin requests (WebAuthn Level 3, section 5.11). Browsers read it at `https://<PASSKEY_RP_ID>/.well-known/webauthn`.',
  )
  @Answers(RelatedOriginsResponse)
  getRelatedOrigins() {
    const origins = this.settings.PASSKEY_ORIGINS.filter((origin) => origin.startsWith('https://'));
    return { origins: [...new Set(origins)] };
  }

  @Get('passkey-endpoints')
  @Public('read by password managers')
  @Header('Cache-Control', 'public, max-age=300')
  @Operation('Get the page that manages passkeys', 'A Well-Known URL for Passkey Endpoints (W3C).')
  @Answers(PasskeyEndpointsResponse)
  getPasskeyEndpoints() {
    const page = `${this.settings.APP_URL}/account/security`;
    return { enroll: page, manage: page };
  }
}
