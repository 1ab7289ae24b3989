import { getMetadataStorage } from 'class-validator';
import { usesFastPath } from './switch.js';

type Find = ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas'];

let isRemembered = false;

/**
 * Lets class-validator remember the checks of a class. For each object it otherwise compares the
 * class with all classes that have checks, to find those that it inherits from. Once per process,
 * as the library has one storage.
 */
export function rememberValidationMetadata(): void {
  if (isRemembered || !usesFastPath()) return;
  isRemembered = true;
  const storage = getMetadataStorage();
  storage.getTargetValidationMetadatas = remembering(storage.getTargetValidationMetadatas.bind(storage));
}

/** Groups select among the checks, and an own property can hide the class of an object. */
function remembering(find: Find): Find {
  const known = new WeakMap<Parameters<Find>[0], ReturnType<Find>>();
  return (target, schema, always, strictGroups, groups) => {
    if (always || strictGroups || groups || typeof target !== 'function')
      return find(target, schema, always, strictGroups, groups);
    let found = known.get(target);
    if (!found) known.set(target, (found = find(target, schema, always, strictGroups)));
    return found;
  };
}
