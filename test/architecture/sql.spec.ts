import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const SQL = /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
/** Whose files hold SQL: repositories, pieces of SQL, the platform and the test kit. */
const HOLDS_SQL = /\.repository\.ts$|-sql\.ts$|^src\/(?:platform|testing)\//;

/** Returns the number of texts of a file that begin as a statement does. */
function statementsOf(path: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && SQL.test(node.text)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return count;
}

const importsDatabase = (path: string): boolean =>
  /import (?:type )?\{[^}]*\b(?:Tenant)?Database\b[^}]*\} from/.test(readFileSync(path, 'utf8'));

describe('SQL', () => {
  it('is in repositories only', () => {
    const others = globSync('src/**/*.ts').filter((path) => !HOLDS_SQL.test(path));
    expect(others.filter((path) => statementsOf(path) > 0)).toEqual([]);
  });

  it('is sent by repositories only: others open transactions, and name rows to remove', () => {
    const sends =
      /\.(?:database|tenants)\s*\.(?:rows|rowsOfEach|row|hasRow|values?|getRow|repository|of|loadByIds)(?:<[^(]*>)?\(/;
    const senders = globSync('src/**/*.ts').filter(
      (path) => importsDatabase(path) && sends.test(readFileSync(path, 'utf8')),
    );
    expect(senders.length).toBeGreaterThan(50);
    expect(senders.filter((path) => !HOLDS_SQL.test(path))).toEqual([]);
  });

  it('is recognized', () => {
    expect(statementsOf('src/iam/organizations/tenants/tenant.repository.ts')).toBeGreaterThan(5);
  });
});
