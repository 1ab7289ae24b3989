import { Injectable } from '@nestjs/common';
import { EventAudience } from '../../../platform/events/index.js';
import { TENANTS_OF_E } from './member-sql.js';

/** An event of a person concerns the organizations of which the person is a member. */
@Injectable()
export class MemberAudience extends EventAudience {
  readonly tenantsOfPerson = TENANTS_OF_E;
}
