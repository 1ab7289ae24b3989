import { Tag } from './tag.decorator.js';

/** What is told of under "Documentation" in the API documentation. */
export const DocumentationTag = () =>
  Tag('Documentation', 'What explains the service to people and to tools.');
