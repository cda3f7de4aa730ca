// Rows of a service's database file, by SQL of the recount's own.
import { Database } from 'bun:sqlite'

export function rows<T>(file: string, sql: string): T[] {
  const database = new Database(file, { readonly: true })
  try {
    database.run('PRAGMA busy_timeout = 5000')
    return database.query<T, []>(sql).all()
  } finally {
    database.close()
  }
}
