import { Tag } from '../../platform/api/index.js';

/** Tag of the operators' console in the API documentation. */
export const OperatorsTag = (): ClassDecorator =>
  Tag(
    'Operators',
    'What operators of the platform can do. Each operation needs two factors of the last ten minutes.',
  );
