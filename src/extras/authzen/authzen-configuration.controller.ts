import { Controller, Get, Inject } from '@nestjs/common';
import { Answers, Operation, Output, PublicMetadata, textField } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AbilitiesTag } from '../../ability/index.js';

const address = (path: string) =>
  textField({ max: 500, format: 'uri', example: `https://login.example.com${path}` });

/** Metadata of the decision point (AuthZEN 1.0 section 9). */
class AuthzenConfigurationResponse {
  @Output(address(''))
  policy_decision_point: string;
  @Output(address('/access/v1/evaluation'))
  access_evaluation_endpoint: string;
  @Output(address('/access/v1/evaluations'))
  access_evaluations_endpoint: string;
  @Output(address('/access/v1/search/resource'))
  search_resource_endpoint: string;
  @Output(address('/access/v1/search/subject'))
  search_subject_endpoint: string;
}

/** Publishes where decisions are asked for. */
@AbilitiesTag()
@Controller('.well-known/authzen-configuration')
export class AuthzenConfigurationController {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Get()
  @PublicMetadata('metadata for points of enforcement')
  @Operation('Get the metadata of the decision point', 'AuthZEN 1.0.')
  @Answers(AuthzenConfigurationResponse)
  getAuthzenConfiguration() {
    const { PUBLIC_URL: address } = this.settings;
    return {
      policy_decision_point: address,
      access_evaluation_endpoint: `${address}/access/v1/evaluation`,
      access_evaluations_endpoint: `${address}/access/v1/evaluations`,
      search_resource_endpoint: `${address}/access/v1/search/resource`,
      search_subject_endpoint: `${address}/access/v1/search/subject`,
    };
  }
}
