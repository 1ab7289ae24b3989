import { Input, wordField } from '../../platform/api/index.js';

export class JobsQuery {
  @Input(wordField(['failed'], { description: 'Lists only jobs whose last attempt failed.' }), {
    optional: true,
  })
  state?: 'failed';
}
