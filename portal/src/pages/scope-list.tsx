import { type MessageId, text } from '../messages/index.ts';

const SCOPES: Readonly<Record<string, MessageId>> = {
  openid: 'authorize.scope.openid',
  profile: 'authorize.scope.profile',
  email: 'authorize.scope.email',
  tenant: 'authorize.scope.tenant',
  offline_access: 'authorize.scope.offline_access',
};

interface Props {
  readonly app: string;
  readonly scopes: readonly string[];
}

/** What an app asks for, in words. */
export function ScopeList({ app, scopes }: Props) {
  return (
    <div>
      <p>{text('authorize.scopes', { app })}</p>
      <ul className="bullets">
        {scopes.map((scope) => (
          <li key={scope}>{SCOPES[scope] ? text(SCOPES[scope]) : <code>{scope}</code>}</li>
        ))}
      </ul>
    </div>
  );
}
