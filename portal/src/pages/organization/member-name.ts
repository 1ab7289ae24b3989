import { text } from '../../messages/index.ts';
import type { Member } from './organization-queries.ts';

/** Returns what a member is called: by name, address, or the end of the id. */
export const nameOf = ({ name, email, userId }: Pick<Member, 'name' | 'email' | 'userId'>): string =>
  name ?? email ?? text('unknown-person', { id: userId.slice(-6) });

/** Says what added a member, with the name of a directory. */
export const sourceOf = ({ source, directoryName }: Pick<Member, 'source' | 'directoryName'>): string =>
  directoryName === null
    ? text(`members.source.${source}`)
    : text('members.source.from', { name: directoryName });
