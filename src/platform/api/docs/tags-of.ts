import type { TagInfo } from '../documentation.decorator.js';
import type { DocumentedRoute } from './documented-route.js';

/**
 * Collects the API tags of the routes, sorted by name.
 * @throws if one tag has two descriptions
 */
export function tagsOf(routes: readonly Pick<DocumentedRoute, 'tag'>[]): TagInfo[] {
  const tags = new Map<string, string>();
  for (const { tag } of routes) {
    if (!tag) continue;
    const known = tags.get(tag.name) ?? tag.description;
    if (known !== tag.description)
      throw new Error(`The API tag ${tag.name} is described as "${known}" and as "${tag.description}".`);
    tags.set(tag.name, known);
  }
  return [...tags]
    .map(([name, description]) => ({ name, description }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
