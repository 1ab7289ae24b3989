import { has, text } from '../messages/index.ts';

/**
 * Returns the name of a role: of a built-in one in the language of the page, else as given.
 * @param name of another role; its key where a list has no more
 */
export function nameOfRole({ key, name = key }: { readonly key: string; readonly name?: string }): string {
  const id = `role.${key}`;
  return has(id) ? text(id) : name;
}
