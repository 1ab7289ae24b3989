import '../../styles/tables.css';
import { text } from '../../messages/index.ts';
import type { ImportRecord } from './import-formats.ts';

const MAX_ROWS = 5;

/** Shows the first people of an import, without their secrets. */
export function ImportPreview({ people }: { readonly people: readonly object[] }) {
  const rows = people.slice(0, MAX_ROWS) as ImportRecord[];
  if (rows.length === 0) return null;
  return (
    <div className="stack tight">
      <strong className="small">{text('operator.imports.preview', { count: rows.length })}</strong>
      <div
        className="table-frame"
        tabIndex={0}
        role="group"
        aria-label={text('operator.imports.preview.table')}
      >
        <table className="table" aria-label={text('operator.imports.preview.table')}>
          <thead>
            <tr>
              <th scope="col">{text('email')}</th>
              <th scope="col">{text('name')}</th>
              <th scope="col">{text('operator.imports.field.externalId')}</th>
              <th scope="col">{text('password')}</th>
              <th scope="col">{text('security.factors')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((person, at) => (
              <tr key={at}>
                <td>{said(person['email'])}</td>
                <td>{nameIn(person)}</td>
                <td>{said(person['externalId'])}</td>
                <td>
                  {text(person['passwordHash'] == null ? 'operator.no-password' : 'operator.has-password')}
                </td>
                <td>{text(hasFactor(person) ? 'operator.has-password' : 'operator.no-password')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const said = (value: unknown): string => (typeof value === 'string' ? value : '–');

const nameIn = ({ displayName, firstName, lastName }: ImportRecord): string =>
  said(displayName ?? ([firstName, lastName].filter(Boolean).join(' ') || undefined));

const hasFactor = ({ totpSecret, passkeys }: ImportRecord): boolean =>
  totpSecret != null || (Array.isArray(passkeys) && passkeys.length > 0);
