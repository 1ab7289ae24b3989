import { has, text } from '../messages/index.ts';

/** Returns the name of a role: of a built-in one in the language of the page, else as given. */
export function nameOfRole({ key, name }: { readonly key: string; readonly name: string }): string {
  const id = `role.${key}`;
  return has(id) ? text(id) : name;
}
