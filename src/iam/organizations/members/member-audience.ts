import { Injectable } from '@nestjs/common';
import { EventAudience } from '../../../platform/events/index.js';
import { notEnded } from './member-sql.js';

/** An event of a person concerns the organizations of which the person is a member. */
@Injectable()
export class MemberAudience extends EventAudience {
  readonly tenantsOfPerson = `SELECT m.tenant_id FROM members m WHERE m.user_id = e.person AND ${notEnded('m')}`;
}
