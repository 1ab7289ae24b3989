import { PickType } from '../../../platform/api/index.js';
import { CreateConnectionDto, UpdateConnectionDto } from '../../connections/dto/connection.dto.js';

/** Names the fields: roles and further settings of a connection are only for the organization. */
export class CreateSetupConnectionDto extends PickType(CreateConnectionDto, [
  'kind',
  'name',
  'domainIds',
  'settings',
] as const) {}

export class UpdateSetupConnectionDto extends PickType(UpdateConnectionDto, [
  'name',
  'domainIds',
  'settings',
] as const) {}
