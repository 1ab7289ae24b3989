import { Tag } from '../http/tag.decorator.js';

/** What is told of under "Documentation" in the API documentation. */
export const DocumentationChapter = () =>
  Tag('Documentation', 'What explains the service to people and to tools.');
