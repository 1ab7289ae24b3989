import { type MessageId, text } from '../messages/index.ts';

const SCOPES: Readonly<Record<string, MessageId>> = {
  openid: 'authorize.scope.openid',
  profile: 'authorize.scope.profile',
  email: 'authorize.scope.email',
  tenant: 'authorize.scope.tenant',
  offline_access: 'authorize.scope.offline_access',
};

/** An API, with the scopes that an app asks for. */
interface AskedApi {
  readonly identifier: string;
  readonly name: string;
  readonly scopes: readonly { readonly name: string; readonly title: string }[];
}

interface Props {
  readonly app: string;
  readonly scopes: readonly string[];
  readonly apis?: readonly AskedApi[];
}

/** What an app asks for, in words. */
export function ScopeList({ app, scopes, apis = [] }: Props) {
  return (
    <div>
      {scopes.length > 0 && (
        <>
          <p>{text('authorize.scopes', { app })}</p>
          <ul className="bullets">
            {scopes.map((scope) => (
              <li key={scope}>{SCOPES[scope] ? text(SCOPES[scope]) : <code>{scope}</code>}</li>
            ))}
          </ul>
        </>
      )}
      {apis.map((api) => (
        <div key={api.identifier}>
          <p>{text('authorize.api', { app, api: api.name })}</p>
          <ul className="bullets">
            {api.scopes.map(({ name, title }) => (
              <li key={name}>{title}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
