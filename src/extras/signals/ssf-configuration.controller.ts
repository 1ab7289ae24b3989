import { Controller, Get, Inject } from '@nestjs/common';
import {
  Answers,
  objectListField,
  Operation,
  Output,
  PublicMetadata,
  textField,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { POLL, PUSH } from './signal-types.js';
import { SignalsTag } from './signals.declarations.js';

const address = (path: string) =>
  textField({ max: 500, format: 'uri', example: `https://login.example.com${path}` });

class AuthorizationSchemeResponse {
  @Output.text({ max: 100, example: 'urn:ietf:rfc:7617', description: 'HTTP Basic.' })
  spec_urn: string;
}

/** Metadata of the transmitter (SSF 1.0 section 7.1). */
class SsfConfigurationResponse {
  @Output.text({ max: 10, example: '1_0' })
  spec_version: string;
  @Output(address(''))
  issuer: string;
  @Output(address('/.well-known/jwks.json'))
  jwks_uri: string;
  @Output.list({ max: 5, pattern: /^[\w:]+$/, example: [PUSH, POLL] })
  delivery_methods_supported: string[];
  @Output(address('/api/v1/signals/streams'))
  configuration_endpoint: string;
  @Output(address('/api/v1/signals/status'))
  status_endpoint: string;
  @Output(address('/api/v1/signals/verification'))
  verification_endpoint: string;
  @Output(objectListField(() => AuthorizationSchemeResponse, 5))
  authorization_schemes: AuthorizationSchemeResponse[];
  @Output.word(['ALL', 'NONE'], { description: 'Streams have the events of all their people.' })
  default_subjects: string;
}

/** Publishes how other services receive security events. */
@SignalsTag()
@Controller('.well-known/ssf-configuration')
export class SsfConfigurationController {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Get()
  @PublicMetadata('metadata for receivers')
  @Operation('Get the metadata of the transmitter of security events', 'Shared Signals Framework 1.0.')
  @Answers(SsfConfigurationResponse)
  getSsfConfiguration() {
    const { PUBLIC_URL: issuer } = this.settings;
    return {
      spec_version: '1_0',
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      delivery_methods_supported: [PUSH, POLL],
      configuration_endpoint: `${issuer}/api/v1/signals/streams`,
      status_endpoint: `${issuer}/api/v1/signals/status`,
      verification_endpoint: `${issuer}/api/v1/signals/verification`,
      authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:7617' }],
      default_subjects: 'ALL',
    };
  }
}
