import { Controller, Get, Inject } from '@nestjs/common';
import { AbilityRegistry } from '../../ability/index.js';
import {
  Answers,
  listField,
  Open,
  Operation,
  Output,
  PublicMetadata,
  textField,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { DPOP_ALGS } from '../../session/index.js';
import { OpenIdTag } from '../openid-tag.js';

/** Says where the metadata is defined, for all of its properties. */
const description = 'As RFC 9728 section 2 defines it.';
const address = (path: string) =>
  textField({ max: 500, format: 'uri', example: `https://login.example.com${path}`, description });
const words = (max: number, ...example: string[]) =>
  listField({ max, pattern: /^[\x21-\x7e]+$/, example, description });

/** Metadata of the API as a protected resource (RFC 9728 section 2). */
class ProtectedResourceResponse {
  @Output(address(''))
  resource: string;
  @Output.text({ max: 100, example: 'Gatehouse', description })
  resource_name: string;
  @Output(words(1, 'https://login.example.com'))
  authorization_servers: string[];
  @Output(words(1_000, 'iam:member:read'))
  scopes_supported: string[];
  @Output(words(1, 'header'))
  bearer_methods_supported: string[];
  @Output(words(10, 'ES256'))
  dpop_signing_alg_values_supported: string[];
  @Output.boolean({ example: false, description })
  dpop_bound_access_tokens_required: boolean;
  @Output(address('/api/docs'))
  resource_documentation: string;
}

/** Publishes which authorization server issues tokens for this API. */
@OpenIdTag()
@Open()
@Controller('.well-known/oauth-protected-resource')
export class ProtectedResourceController {
  constructor(
    private readonly registry: AbilityRegistry,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @PublicMetadata('metadata for clients')
  @Operation(
    'Get the metadata of the API',
    'RFC 9728. `scopes_supported` are the scopes that a client can be registered with.',
  )
  @Answers(ProtectedResourceResponse)
  getProtectedResource() {
    const { PUBLIC_URL: resource } = this.settings;
    const scopes = [...this.registry.all.values()].filter(({ firstParty }) => !firstParty);
    return {
      resource,
      resource_name: 'Gatehouse',
      authorization_servers: [resource],
      scopes_supported: scopes.map(({ scope }) => scope).toSorted(),
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: [...DPOP_ALGS],
      dpop_bound_access_tokens_required: false,
      resource_documentation: `${resource}/api/docs`,
    };
  }
}
