import { Input } from '../../platform/api/index.js';

/** Query of the stream of an audit trail, and of its anchors. */
export class StreamQuery {
  @Input.text({
    optional: true,
    max: 15,
    pattern: /^\d{1,15}$/,
    shape: 'a number of at most 15 digits',
    description: 'Number of the last entry that was read. Without it, begins with the first.',
    example: '42',
  })
  after?: string;

  @Input.text({
    optional: true,
    max: 4,
    pattern: /^(?:[1-9]\d{0,2}|[1-4]\d{3}|5000)$/,
    shape: 'a number from 1 to 5000',
    description: 'Maximum number of lines; 1000 by default.',
    example: '5000',
  })
  limit?: string;
}
