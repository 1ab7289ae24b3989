import { breakSql } from '../mutation/sql.js';

describe('Mutants of SQL', () => {
  it('let each condition hold, and keep the parameters', () => {
    expect(breakSql('SELECT 1 FROM grants WHERE id = $1 AND ended_at IS NULL ORDER BY id')).toEqual([
      'SELECT 1 FROM grants WHERE (id = $1 OR TRUE) AND ended_at IS NULL ORDER BY id',
      'SELECT 1 FROM grants WHERE id = $1 AND (ended_at IS NULL OR TRUE) ORDER BY id',
    ]);
  });

  it('treat a condition in parentheses as one, and break what is within', () => {
    expect(breakSql('DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE a = b) RETURNING id')).toEqual([
      'DELETE FROM t WHERE (NOT EXISTS (SELECT 1 FROM u WHERE a = b) OR TRUE) RETURNING id',
      'DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE (a = b OR TRUE)) RETURNING id',
    ]);
  });

  it('break conditions that stand alone', () => {
    expect(breakSql('id = $1 AND account_id <> $2')).toEqual([
      '(id = $1 OR TRUE) AND account_id <> $2',
      'id = $1 AND (account_id <> $2 OR TRUE)',
    ]);
    expect(breakSql('expires_at < now()')).toEqual(['(expires_at < now() OR TRUE)']);
  });

  it('release locks, move the end of a time and include the bound of a number', () => {
    expect(breakSql('SELECT 1 FROM t FOR UPDATE OF t SKIP LOCKED')).toEqual(['SELECT 1 FROM t']);
    expect(breakSql('SELECT least(a, b) FROM t')).toEqual(['SELECT greatest(a, b) FROM t']);
    expect(breakSql('SELECT failures > 3, a < b FROM t')).toEqual([
      'SELECT failures >= 3, a < b FROM t',
      'SELECT failures > 3, a <= b FROM t',
    ]);
  });

  it.each([
    'A sentence of where and how.',
    'Select an organization first.',
    'gatehouse_session_ended',
    'x BETWEEN 1 AND 2',
  ])('leave %j as it is', (text) => {
    expect(breakSql(text)).toEqual([]);
  });

  it('leave the AND of BETWEEN', () => {
    expect(breakSql('SELECT 1 FROM t WHERE x BETWEEN 1 AND 2')).toEqual([
      'SELECT 1 FROM t WHERE (x BETWEEN 1 AND 2 OR TRUE)',
    ]);
  });
});
