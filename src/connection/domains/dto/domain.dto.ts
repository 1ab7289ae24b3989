import { Input } from '../../../platform/api/index.js';
import { DOMAIN_NAME } from '../domain.fields.js';

export class AddDomainDto {
  @Input(DOMAIN_NAME)
  name: string;
}
