import { type Db, prepared, type Statement } from './statements'

type Build<R> = Parameters<typeof prepared<R>>[0]

/**
 * A statement with a few known forms, such as a list's filters and orders: each form is prepared when it is first
 * wanted and kept. What the form is made from must be a small set of words and numbers, never the caller's text.
 *
 *     const pageOf = variants((order: 'asc' | 'desc') => (db) => db.select()…)
 *     const rows = await pageOf('asc')(store.read).execute({ limit: 10 })
 */
export function variants<Form extends readonly (string | number | readonly string[])[], R>(
  build: (...form: Form) => Build<R>,
): (...form: Form) => (connection: Db) => Statement<R> {
  const known = new Map<string, (connection: Db) => Statement<R>>()
  return (...form) => {
    const key = form.join('|')
    const statement = known.get(key) ?? prepared(build(...form))
    known.set(key, statement)
    return statement
  }
}
