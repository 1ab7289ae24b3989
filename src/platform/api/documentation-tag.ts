import { Tag } from './tag.decorator.js';

/** API tag of the documentation and the pages that explain errors. */
export const DocumentationTag = () =>
  Tag('Documentation', 'What explains the service to people and to tools.');
