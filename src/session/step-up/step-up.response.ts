import { TextListAnswer } from '../../platform/api/index.js';

/** By which methods a person can confirm who they are. */
export class StepUpOptionsResponse {
  @TextListAnswer({
    max: 10,
    itemMax: 50,
    pattern: /^[a-z_]+$/,
    description: 'Of `password`; methods may be added.',
    example: ['password'],
  })
  methods: string[];
}
