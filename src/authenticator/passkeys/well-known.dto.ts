import { Output, textField } from '../../platform/api/index.js';

export class RelatedOriginsResponse {
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

export class PasskeyEndpointsResponse {
  @Output(PAGE, { description: 'Page that adds a passkey.' })
  enroll: string;
  @Output(PAGE, { description: 'Page that shows and removes passkeys.' })
  manage: string;
}
