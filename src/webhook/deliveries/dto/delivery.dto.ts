import { Input } from '../../../platform/api/index.js';
import { STATE } from '../../webhook.fields.js';

/** Query of a list of deliveries, in addition to that of the page. */
export class DeliveriesQuery {
  @Input(STATE, { optional: true })
  state?: string;
}
