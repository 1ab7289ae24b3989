import { Link } from 'wouter';
import { rich, text } from '../messages/index.ts';
import { signInTo } from '../session/paths.ts';
import { replacing } from '../session/sign-in-state.ts';
import { useMe } from '../session/queries.ts';
import { Address } from '../ui/address.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { useOrganization } from './authorize-organization.ts';

interface FieldProps {
  /** Name of the app that asks. */
  readonly app: string;
  readonly organization: ReturnType<typeof useOrganization>;
}

/** Selects the organization in which an app will work. */
export const OrganizationField = ({ app, organization: { name: _name, ...organization } }: FieldProps) => (
  <SelectField
    label={text('authorize.organization')}
    hint={text('authorize.organization.hint', { app })}
    {...organization}
  />
);

/** The signed-in person, as a button names them. */
export function Myself() {
  const { data: me } = useMe();
  if (me?.email) return <Address value={me.email} />;
  return me?.name ?? text('accept.this-account');
}

interface NotYouProps {
  /** The page, to which the sign-in returns. */
  readonly here: string;
  readonly sessionId: string;
}

/** Leads to the sign-in of another person. */
export const NotYou = ({ here, sessionId }: NotYouProps) => (
  <p className="soft">
    {rich('accept.not-you', {
      other: (inside) => (
        <Link href={signInTo(here)} state={replacing(sessionId)}>
          {inside}
        </Link>
      ),
    })}
  </p>
);
