'use client';

import { useState, type ChangeEvent, type ComponentProps, type ReactNode } from 'react';
import { useSignOut } from './sign-in.js';
import { useOrganizations, useUser } from './user.js';

export interface UserMenuProps extends Omit<ComponentProps<'details'>, 'children'> {
  /** Entries above the sign-out, such as links to pages of yours. */
  readonly children?: ReactNode;
  readonly signOutLabel?: string;
}

/** The user's name, which opens a menu with their address and the sign-out. */
export function UserMenu({ children, signOutLabel = 'Sign out', ...props }: UserMenuProps) {
  const { data: user } = useUser();
  const { signOut, isPending, error } = useSignOut();
  const leave = () => {
    signOut().catch(() => undefined); // `error` has it
  };
  if (user === null) return null;
  return (
    <details {...props}>
      <summary>{user.name ?? user.email ?? user.id}</summary>
      {user.name !== null && <p>{user.email}</p>}
      {children}
      <button type="button" disabled={isPending} onClick={leave}>
        {signOutLabel}
      </button>
      {error instanceof Error && <p role="alert">{error.message}</p>}
    </details>
  );
}

export interface OrganizationSwitchProps extends Omit<ComponentProps<'select'>, 'children' | 'value'> {
  readonly label?: string;
  /** The entry that is shown until one is selected. */
  readonly placeholder?: string;
  /** Receives the error of a selection that failed, such as a missing second factor. */
  readonly onFailure?: (error: unknown) => void;
}

/** A list of the user's organizations. Its choice counts in this tab. */
export function OrganizationSwitch({
  label = 'Organization',
  placeholder = 'Choose an organization',
  onFailure,
  ...props
}: OrganizationSwitchProps) {
  const { data: organizations, selected, select } = useOrganizations();
  const [failure, setFailure] = useState<unknown>(null);
  if (organizations === null) return null;
  const fail = (error: unknown) => (onFailure ?? setFailure)(error);
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    setFailure(null);
    select(target.value).catch(fail);
  };
  return (
    <>
      <select aria-label={label} {...props} value={selected?.id ?? ''} onChange={choose}>
        {selected === null && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {failure instanceof Error && <p role="alert">{failure.message}</p>}
    </>
  );
}
