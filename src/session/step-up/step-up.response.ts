import { listField, Output } from '../../platform/api/index.js';

/** Methods by which the person can confirm who they are. */
export class StepUpOptionsResponse {
  @Output(
    listField({
      max: 10,
      itemMax: 50,
      pattern: /^[a-z_]+$/,
      description: 'Currently `password` only. Other methods may be added.',
      example: ['password'],
    }),
  )
  methods: string[];
}
