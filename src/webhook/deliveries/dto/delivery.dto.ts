import { Input } from '../../../platform/api/index.js';
import { STATE } from '../../webhook.fields.js';

/** Query of a list of deliveries, in addition to the page's. */
export class DeliveriesQuery {
  @Input(STATE, { optional: true })
  state?: string;
}
