import { Link } from 'wouter';
import { text } from '../../messages/index.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useAuthenticators, useStepUpMethods } from '../../session/queries.ts';
import { Key, Laptop, Phone } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/list.tsx';

/** By what the user signs in without a provider, each with a link to its page. */
export function OwnMethods() {
  const { data: methods } = useStepUpMethods();
  const { data: own } = useAuthenticators();
  if (!methods || !own) return <Skeleton label={text('nav.identities')} />;
  const countOf = (kind: 'passkey' | 'totp') => own.items.filter((item) => item.kind === kind).length;
  const rows = [
    [
      PAGE_PATHS.password,
      <Key />,
      text('password'),
      text(methods.includes('password') ? 'methods.set' : 'methods.not-set'),
    ],
    [PAGE_PATHS.security, <Laptop />, text('methods.passkeys'), countedOf(countOf('passkey'))],
    [PAGE_PATHS.security, <Phone />, text('methods.apps'), countedOf(countOf('totp'))],
  ] as const;
  return (
    <ul className="list" aria-label={text('nav.identities')}>
      {rows.map(([path, icon, name, state]) => (
        <li key={name}>
          <Link href={path} className="item item-link">
            <span className="avatar plain">{icon}</span>
            <span className="what">
              <strong>{name}</strong>
              <span className="soft small">{state}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const countedOf = (count: number): string =>
  count === 0 ? text('methods.not-set') : text('methods.count', { count });
