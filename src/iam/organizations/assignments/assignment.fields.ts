import { SUBJECT_SHAPE } from '../../../ability/index.js';
import { listField, textField } from '../../../platform/api/index.js';

const SHAPE = '<scheme>:///<module>/<collection>/<ulid>';

export const THING = textField({
  max: 200,
  pattern: SUBJECT_SHAPE,
  shape: SHAPE,
  description: 'The thing.',
  example: 'gatehouse:///logistics/shipments/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
});

/** Things on which roles hold, and on what is below them. @param max number of them */
export const thingsField = (max: number, description: string) =>
  listField({
    min: 1,
    max,
    pattern: SUBJECT_SHAPE,
    message: `must have the shape ${SHAPE}`,
    description,
    example: ['gatehouse:///warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5'],
  });
