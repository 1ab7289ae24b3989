import { text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Time } from '../../../ui/time.tsx';
import { useCalls, type Directory } from './directory-queries.ts';

const FIRST_REFUSAL = 400;

interface Props {
  readonly tenantId: string;
  readonly directory: Directory;
}

/** Lists the calls of a directory as they come, newest first, with the reason of each refusal. */
export function Calls({ tenantId, directory: { id } }: Props) {
  const calls = useCalls(tenantId, id);
  return (
    <section className="stack" aria-labelledby="directory-calls">
      <h2 id="directory-calls">{text('directories.calls')}</h2>
      <p className="soft small">{text('directories.calls.text')}</p>
      <List
        query={calls}
        label={text('directories.calls')}
        keyOf={(call) => call.id}
        empty={<Empty title={text('directories.calls.empty')} lead={text('directories.calls.empty.text')} />}
      >
        {({ at, method, path, status, scimType, detail }) => (
          <div className="item plain">
            <span className="what">
              <code>
                {method} {path}
              </code>
              {detail !== null && (
                <span className="small">
                  {detail}
                  {scimType !== null && (
                    <>
                      {' '}
                      <code>{scimType}</code>
                    </>
                  )}
                </span>
              )}
              <span className="soft small">
                <Time value={at} exact />
              </span>
            </span>
            <Badge kind={status < FIRST_REFUSAL ? 'good' : 'bad'}>{String(status)}</Badge>
          </div>
        )}
      </List>
    </section>
  );
}
