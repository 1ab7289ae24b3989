import { DefaultNamingStrategy, type Table } from 'typeorm';

/** Names columns and primary keys as the migrations do. Entities name their other constraints. */
export class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, name?: string): string {
    return name ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }
}
